import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { DEFAULT_TASK_QUEUE } from '../../contracts/messages.ts';
import { RPC, type RpcAnswer } from '../../contracts/rpc.ts';
import type { EvidenceRecord, LedgerEntry } from '../../contracts/types.ts';
import { eventually } from '../eventually.ts';
import { allOf } from '../record/archive/all-of.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { SUCCEEDS, simulatedJob } from './manifests.ts';
import { untilPhase } from './stage.ts';

/** What a client in another language asks of the engine: with Temporal's own client, and nothing else. */

const FAILS = { 'signalbox.dev/simulate': 'failed', 'signalbox.dev/simulate-exit-code': '3' };
/** Signals with so much text that their entries fill more than a page. */
const SIGNALS = 120;
const WORDS = 'x'.repeat(9_000);

let on: ArchiveStage;
let jobs: Readonly<Record<'failed' | 'terminated' | 'live', JobHandle>>;

beforeAll(async () => {
  on = await openArchiveStage();
  await on.engine().start(on.settings);
  const failing = { master: { annotations: FAILS, restartPolicy: 'Never' }, worker: false } as const;
  const [failed, terminated, live] = await Promise.all([
    submit('failed', failing),
    submit('terminated'),
    submit('live'),
  ]);
  jobs = { failed, terminated, live };
  await Promise.all([failed.wait(), untilPhase(terminated, 'Running'), untilPhase(live, 'Running')]);
  await on.temporal.workflow.getHandle(terminated.workflowId).terminate('by mistake');
});

afterAll(() => on?.close());

const submit = (name: string, options: object = {}): Promise<JobHandle> =>
  on.client.submit(manifestOf(name, options), { why: `to be ${name}` });

const manifestOf = (name: string, options: object = {}) =>
  simulatedJob({ name, namespace: on.stage.namespace, ...options });

const ask = (method: string, given: object, cursor?: string): Promise<RpcAnswer> =>
  on.temporal.workflow.execute(RPC, {
    args: [{ method, arguments: given, cursor }],
    taskQueue: DEFAULT_TASK_QUEUE,
    workflowId: `rpc/${method}/${randomUUID()}`,
    workflowExecutionTimeout: '60s',
  });

async function pagesOf<T>(method: string, given: object): Promise<T[][]> {
  const pages: T[][] = [];
  for (let cursor: string | undefined; ; ) {
    const answer = await ask(method, given, cursor);
    pages.push(answer.result as T[]);
    cursor = answer.cursor;
    if (cursor === undefined) return pages;
  }
}

const listOf = async <T>(method: string, given: object): Promise<T[]> =>
  (await pagesOf<T>(method, given)).flat();

const resultOf = async (method: string, given: object): Promise<unknown> => (await ask(method, given)).result;

const idOf = ({ workflowId }: JobHandle) => ({ job: { workflowId } });

const failure = (type: string, more: object = {}) => ({ cause: expect.objectContaining({ type, ...more }) });

describe('of a job that Temporal has', () => {
  it('the ledger is answered, with who asked', async () => {
    const entries = await listOf<LedgerEntry>('history', idOf(jobs.terminated));
    expect(entries).toEqual(await jobs.terminated.history());
    expect(entries[0]).toMatchObject({ cause: { type: 'submitted', who: { given: 'ana' } } });
    expect(entries.at(-1)).toMatchObject({
      cause: { type: 'closed', who: { identity: expect.any(String) } },
    });
    const [first] = entries;
    expect(await listOf('history', { ...idOf(jobs.terminated), start: 2, attempt: 1 })).not.toContainEqual(
      first,
    );
  });

  it('a ledger of a megabyte comes in pages', async () => {
    const handle = on.temporal.workflow.getHandle(jobs.live.workflowId);
    for (let sent = 0; sent < SIGNALS; sent++)
      await handle.signal('resume', { by: 'eve', why: WORDS, WORDS });
    const entries = await eventually('all signals are in the ledger', async () => {
      const found = await jobs.live.history();
      return found.length > SIGNALS && found;
    });
    const pages = await pagesOf<LedgerEntry>('history', idOf(jobs.live));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat()).toEqual(entries);
  });

  it('the outcome is answered when it has ended, also if its workflow was terminated', async () => {
    for (const job of [jobs.failed, jobs.terminated])
      expect(await resultOf('outcome', idOf(job))).toEqual(await job.wait());
    await expect(ask('outcome', idOf(jobs.live))).rejects.toMatchObject(
      failure('Refused', { message: expect.stringContaining('has not ended') }),
    );
  });

  it('the evidence of failed pods is answered', async () => {
    const records = await listOf<EvidenceRecord>('evidence', idOf(jobs.failed));
    expect(records).toEqual(await allOf(jobs.failed.evidence()));
    expect(records).toMatchObject([{ summary: { pod: 'failed-master-0', exitCode: 3 } }]);
    await expect(ask('evidence', idOf(jobs.live))).rejects.toMatchObject(failure('NoEvidence'));
  });

  it('a manifest to run it again is answered', async () => {
    const path = 'spec.runPolicy.backoffLimit';
    const plan = await resultOf('planRerun', { ...idOf(jobs.failed), set: [[path, 7]], name: 'again' });
    expect(plan).toEqual(await jobs.failed.planRerun({ set: { [path]: 7 }, name: 'again' }));
    expect(plan).toMatchObject({
      namespace: on.stage.namespace,
      manifest: { metadata: { name: 'again' }, spec: { runPolicy: { backoffLimit: 7 } } },
      parent: { workflowId: jobs.failed.workflowId, runId: jobs.failed.runId },
    });
    await expect(ask('planRerun', { ...idOf(jobs.failed), set: [['spec.foo', 1]] })).rejects.toMatchObject(
      failure('InvalidManifest', {
        details: [
          expect.objectContaining({
            faults: [expect.objectContaining({ path: 'spec.foo', expected: 'a known field' })],
          }),
        ],
      }),
    );
  });
});

describe('a job is found', () => {
  it('by its name, by its workflow id, and among several of a name', async () => {
    const { namespace } = on.stage;
    const done = { master: { annotations: SUCCEEDS }, worker: false };
    const first = await submit('twice', done);
    await first.wait();
    const second = await first.rerun();
    await second.wait();
    const { workflowId } = first;
    const named = { name: 'twice', namespace };
    const found = ({ runId }: JobHandle) => ({ workflowId, runId, firstRunId: runId });
    expect(await resultOf('find', named)).toEqual(found(second));
    expect(await resultOf('find', { workflowId })).toEqual(found(second));
    expect(await resultOf('find', { ...named, run: '-1' })).toEqual(found(first));
    expect(await resultOf('find', { ...named, run: first.runId! })).toEqual(found(first));
    await expect(
      ask('find', { ...named, run: commonStart(first.runId!, second.runId!) }),
    ).rejects.toMatchObject(
      failure('AmbiguousRun', {
        details: [
          expect.objectContaining({
            workflowId,
            known: [
              {
                runIds: expect.arrayContaining([second.runId]),
                phase: 'Completed',
                startTime: expect.any(String),
              },
              expect.anything(),
            ],
          }),
        ],
      }),
    );
  });

  it('not if there is none, and no other workflow is taken for one', async () => {
    const none = failure('JobNotFound', {
      details: [expect.objectContaining({ remedy: expect.any(String) })],
    });
    const { namespace } = on.stage;
    await expect(ask('find', { name: 'nowhere', namespace })).rejects.toMatchObject(none);
    const workflowId = `rpc/find/${randomUUID()}`;
    await on.temporal.workflow.execute(RPC, {
      ...{ workflowId, taskQueue: DEFAULT_TASK_QUEUE },
      args: [{ method: 'validate', arguments: { manifest: {}, namespace } }],
    });
    await expect(ask('history', { job: { workflowId } })).rejects.toMatchObject(none);
  });
});

/** Temporal's run ids begin with the time. */
function commonStart(one: string, other: string): string {
  const length = [...one].findIndex((character, index) => character !== other[index]);
  return one.slice(0, length);
}

describe('a manifest', () => {
  it('is planned: what starts its job, changes it, or nothing', async () => {
    const { namespace } = on.stage;
    const plan = (manifest: object) => resultOf('planApply', { manifest, namespace });
    expect(await plan(manifestOf('new'))).toMatchObject({ result: 'started', changes: [] });
    const job = await submit('applied', { runPolicy: { suspend: true } });
    await untilPhase(job, 'Suspended');
    const { workflowId, runId } = job;
    const present = { workflowId, runId, firstRunId: runId, isAdmitted: true };
    expect(await plan(manifestOf('applied', { runPolicy: { suspend: true } }))).toMatchObject({
      ...present,
      ...{ result: 'unchanged', changes: [] },
    });
    const wanted = manifestOf('applied', { worker: { replicas: 3 } });
    const planned = await plan(wanted);
    expect(planned).toMatchObject({
      ...{ ...present, result: 'changed', manifest: JSON.parse(JSON.stringify(wanted)) },
    });
    expect(await on.client.apply(wanted, { dryRun: true })).toMatchObject({
      changes: (planned as { changes: unknown }).changes,
    });
    await expect(
      ask('planApply', { manifest: manifestOf('applied', { worker: false }), namespace }),
    ).rejects.toMatchObject(failure('InvalidManifest'));
    await job.stop();
  });

  it('is validated', async () => {
    const manifest = { ...manifestOf('valid'), extra: 1 };
    expect(await resultOf('validate', { manifest, namespace: 'ml' })).toEqual({
      faults: [expect.objectContaining({ path: 'extra', got: '1' })],
      warnings: [],
    });
  });
});

describe('of an archived job', () => {
  it('all that is on record is answered', async () => {
    const { workflowId, runId } = jobs.failed;
    const job = { workflowId, firstRunId: runId! };
    const found = await eventually('it is archived', () => resultOf('archive.find', { workflowId }));
    expect(found).toMatchObject({
      ...{ ...job, runIds: [runId], why: 'to be failed', missing: [] },
      ...{ summary: { phase: 'Failed', submittedBy: 'ana' }, status: { phase: 'Failed' } },
      manifest: { metadata: { name: 'failed' } },
    });
    const listed = await listOf('archive.list', { name: 'failed', phase: 'Failed' });
    expect(listed).toMatchObject([{ ...job, summary: { name: 'failed' } }]);
    expect(await listOf('archive.history', job)).toEqual(await jobs.failed.history());
    expect(await listOf('archive.evidence', job)).toMatchObject([{ summary: { pod: 'failed-master-0' } }]);
    expect(await listOf('archive.pods', job)).toMatchObject([{ pod: 'failed-master-0' }]);
    expect(await resultOf('planRerun', { archived: job, name: 'again' })).toEqual(
      await jobs.failed.planRerun({ name: 'again' }),
    );
  });
});

it('an unknown method is refused with those that there are', async () => {
  await expect(ask('logs', {})).rejects.toMatchObject(
    failure('Refused', { message: expect.stringContaining('method: expected one of history, outcome') }),
  );
});

it('no list, no count and no archive takes what was asked for a job', async () => {
  const asked = await eventually('the questions are visible', async () => {
    const { count } = await on.temporal.workflow.count(`WorkflowType = '${RPC}'`);
    return count > 0 && count;
  });
  expect(asked).toBeGreaterThan(1);
  const listed = await allOf(on.client.list());
  expect(listed.filter(({ kind }) => kind !== 'PyTorchJob')).toEqual([]);
  const counts = Object.values(await on.client.count());
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(listed.length);
  const archived = await allOf(on.archive.list());
  expect(archived.filter(({ job }) => job.kind !== 'PyTorchJob')).toEqual([]);
});
