import { describe, expect, it } from '@jest/globals';
import { TypedSearchAttributes } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { createSearchAttributes, type SearchAttributes } from '../../workflows/search-attributes.ts';
import { aStatus } from './some-status.ts';
import { startWorkflow, type WorkflowHost } from './workflow-host.ts';
import type { RunInput } from './workflow-messages.ts';

const cause = { reason: 'Unschedulable', message: 'no node has room' } as const;
const labels = { team: 'vision', 'app.example.com/stage': 'dev' };
const manifest = { kind: 'PyTorchJob', metadata: { name: 'resnet', labels } };
const UPSERT = 'upsertWorkflowSearchAttributes';

class Job {
  readonly flow: WorkflowHost;
  readonly #search: SearchAttributes;

  private constructor(flow: WorkflowHost, search: SearchAttributes) {
    this.flow = flow;
    this.#search = search;
  }

  static async start(
    { made, ...input }: Partial<RunInput> & { readonly made?: unknown } = {},
    last?: JobStatus,
  ): Promise<Job> {
    const flow = await startWorkflow(() => new Promise<never>(() => undefined), input);
    return new Job(flow, await flow.runs(() => createSearchAttributes(() => made ?? manifest, last)));
  }

  update(status: JobStatus): Promise<void> {
    return this.flow.runs(() => this.#search.update(status));
  }

  get foundBy() {
    const { typedSearchAttributes } = this.flow.info;
    return Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
  }
}

const LABELS = { JobLabels: ['app.example.com/stage=dev', 'team=vision'] };

describe('search attributes', () => {
  it('are all set at first', async () => {
    const job = await Job.start({ memo: { submittedBy: 'ana@laptop' } });
    await job.update(aStatus('Pending', { cause }));
    expect(job.foundBy).toEqual({
      ...{ JobKind: 'PyTorchJob', JobName: 'resnet', JobNamespace: 'ml' },
      ...{ JobPhase: 'Pending', JobReason: 'Unschedulable', JobAttempt: 1 },
      ...{ JobSubmittedBy: 'ana@laptop', ...LABELS },
    });
  });

  it.each<[string, Partial<JobStatus>, object]>([
    ['phase', { phase: 'Running' }, { JobPhase: 'Running' }],
    ['attempt', { attempt: 2 }, { JobAttempt: 2 }],
    ['reason', { cause: { ...cause, reason: 'WaitingForGang' } }, { JobReason: 'WaitingForGang' }],
  ])('are updated only if changed: %s', async (_, fields, attributes) => {
    const last = aStatus('Pending', { cause });
    const job = await Job.start({}, last);
    await job.update({ ...last, ...fields });
    expect(job.foundBy).toEqual({ ...attributes, ...LABELS });
  });

  it('drop a reason that no longer holds', async () => {
    const job = await Job.start();
    await job.update(aStatus('Pending', { cause }));
    await job.update(aStatus('Pending'));
    expect(job.foundBy).not.toHaveProperty('JobReason');
  });

  it('do not have a reason that every job has for a moment', async () => {
    const job = await Job.start();
    await job.update(aStatus('Pending', { cause: { ...cause, reason: 'AwaitingWatcher' } }));
    expect(job.foundBy).not.toHaveProperty('JobReason');
  });

  it('are not set again if the workflow was started with them', async () => {
    const job = await Job.start();
    await job.update(aStatus('Pending'));
    const { info } = job.flow;
    const next = await Job.start({ searchAttributes: info.typedSearchAttributes });
    await next.update(aStatus('Pending'));
    expect(next.flow.commands).toEqual([]);
  });

  it('add nothing to the history if none has changed', async () => {
    const job = await Job.start({}, aStatus('Pending', { cause }));
    await job.update(aStatus('Pending', { cause: { ...cause, message: 'no node' }, restarts: 1 }));
    expect(job.flow.commands).toEqual([]);
  });

  it('come with what the logs of a failed job say, once', async () => {
    const error = { line: 'ValueError: x', pod: 'resnet-worker-0', pods: 2 };
    const failed = (more: object) =>
      aStatus('Failed', { cause: { reason: 'PodFailed', message: '', pod: 'resnet-worker-0', ...more } });
    const job = await Job.start({}, failed({}));
    await job.update(failed({}));
    expect(job.flow.commands).toEqual([]);
    await job.update(failed({ error }));
    await job.update(failed({ error }));
    expect(job.flow.commands).toEqual(['modifyWorkflowProperties']);
    expect(job.flow.info.memo).toEqual({ error: 'ValueError: x (resnet-worker-0 and 1 more)' });
  });

  it('get submitter and labels together with another change, and keep the submitter of the start', async () => {
    const given = new TypedSearchAttributes([{ key: SEARCH_ATTRIBUTES.submittedBy, value: 'ben' }]);
    const job = await Job.start(
      { memo: { submittedBy: 'ana' }, searchAttributes: given },
      aStatus('Pending'),
    );
    await job.update(aStatus('Running'));
    expect(job.flow.commands).toEqual([UPSERT]);
    expect(job.foundBy).toEqual({ JobPhase: 'Running', JobSubmittedBy: 'ben', ...LABELS });
  });

  it.each<[string, unknown, object]>([
    ['changed', manifest, LABELS],
    ['removed', { kind: 'PyTorchJob' }, {}],
  ])(
    'have the labels of the manifest that the job is made from, with another change: %s',
    async (_, made, found) => {
      const given = new TypedSearchAttributes([{ key: SEARCH_ATTRIBUTES.labels, value: ['team=speech'] }]);
      const job = await Job.start({ made, searchAttributes: given }, aStatus('Pending'));
      await job.update(aStatus('Running'));
      expect(job.foundBy).toEqual({ JobPhase: 'Running', ...found });
    },
  );
});
