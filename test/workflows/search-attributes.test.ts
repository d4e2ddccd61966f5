import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JobStatus } from '../../contracts/status.ts';
import { updateSearchAttributes } from '../../workflows/search-attributes.ts';
import { aStatus } from './some-status.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';

let flow: WorkflowHost;

const cause = { reason: 'Unschedulable', message: 'no node has room' } as const;
const update = (status: JobStatus, last?: JobStatus) => flow.runs(() => updateSearchAttributes(status, last));
const foundBy = () =>
  Object.fromEntries(flow.info.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));

beforeEach(async () => {
  flow = await startIdleWorkflow();
});

describe('search attributes', () => {
  it('are all set at first', async () => {
    await update(aStatus('Pending', { cause }));
    expect(foundBy()).toEqual({
      ...{ JobKind: 'PyTorchJob', JobName: 'resnet', JobNamespace: 'ml' },
      ...{ JobPhase: 'Pending', JobReason: 'Unschedulable', JobAttempt: 1 },
    });
  });

  it.each<[string, Partial<JobStatus>, object]>([
    ['phase', { phase: 'Running' }, { JobPhase: 'Running' }],
    ['attempt', { attempt: 2 }, { JobAttempt: 2 }],
    ['reason', { cause: { ...cause, reason: 'WaitingForGang' } }, { JobReason: 'WaitingForGang' }],
  ])('are updated only if changed: %s', async (_, fields, attributes) => {
    const last = aStatus('Pending', { cause });
    await update({ ...last, ...fields }, last);
    expect(foundBy()).toEqual(attributes);
  });

  it('drop a reason that no longer holds', async () => {
    const last = aStatus('Pending', { cause });
    await update(last);
    await update(aStatus('Pending'), last);
    expect(foundBy()).not.toHaveProperty('JobReason');
  });

  it('do not have a reason that every job has for a moment', async () => {
    await update(aStatus('Pending', { cause: { ...cause, reason: 'AwaitingWatcher' } }));
    expect(foundBy()).not.toHaveProperty('JobReason');
  });

  it('are not set again if the workflow was started with them', async () => {
    const { commands } = flow;
    await update(aStatus('Pending'));
    await update(aStatus('Pending'));
    expect(flow.commands.slice(commands.length)).toEqual(['upsertWorkflowSearchAttributes']);
  });

  it('add nothing to the history if none has changed', async () => {
    await update(
      aStatus('Pending', { cause: { ...cause, message: 'no node' }, restarts: 1 }),
      aStatus('Pending', { cause }),
    );
    expect(flow.commands).toEqual([]);
  });
});
