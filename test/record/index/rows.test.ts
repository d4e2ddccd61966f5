import { describe, expect, test } from '@jest/globals';
import type { Cause, LedgerEntry } from '../../../contracts/types.ts';
import { waitsOf } from '../../../record/facts/waits.ts';
import { indexRowsOf } from '../../../record/index/index-rows.ts';
import type { IndexedJob } from '../../../record/index/indexed-job.ts';
import { jobUsesOf } from '../../../record/uses/job-uses.ts';

const START = Date.parse('2026-11-23T10:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();

type Described = Partial<LedgerEntry> & { readonly after: number };

/** A ledger of entries that each begin so many seconds after the start. */
const ledgerOf = (...entries: readonly Described[]): LedgerEntry[] =>
  entries.map(({ after, ...entry }, index) => ({
    ...{ seq: index + 1, at: at(after), attempt: 1, to: 'Running', phase: 'Running', revision: 1 },
    ...{ cause: { type: 'digest' }, message: 'Something happened.' },
    ...entry,
  }));

const JOB: IndexedJob = {
  ...{ namespace: 'ml', name: 'train', kind: 'PyTorchJob', workflowId: 'job/ml/train' },
  ...{ firstRunId: 'a', runId: 'b', temporalNamespace: 'default' },
  submitted: {
    at: at(0),
    who: { given: 'ana', identity: '9@laptop', authenticated: { type: 'jwt', name: 'ana@example.com' } },
    ...{ why: 'a trial', rerunOf: { workflowId: 'job/ml/before' } },
  },
  ...{ closed: at(100), archivedAt: at(105) },
  status: { phase: 'Failed', attempt: 2, cause: { reason: 'BackoffLimitExceeded' } },
};
const DECIDED: Cause = {
  ...{ reason: 'BackoffLimitExceeded', message: 'It failed.', rule: 'runPolicy.backoffLimit: 3' },
  ...{ pod: 'train-worker-1', node: 'gpu-7', exitCode: 137 },
};
const PLACE = { folder: 'jobs/namespace=ml/day=2026-11-23/train-a', leaf: 4 };
const rowOf = (job: IndexedJob, ledger: readonly LedgerEntry[] = []) =>
  indexRowsOf(job, ledger, { place: PLACE }).jobs[0]!;

describe('the row of a job', () => {
  test('has who submitted it and why, as given and as authenticated', () => {
    expect(rowOf(JOB)).toMatchObject({
      ...{ submitted_by: 'ana', authenticated_as: 'ana@example.com', identity: '9@laptop', why: 'a trial' },
      ...{ rerun_of: 'job/ml/before', workflow_id: 'job/ml/train', first_run_id: 'a', run_id: 'b' },
    });
  });

  test('has how it ended, by which rule and where', () => {
    const ledger = ledgerOf(
      { after: 80, attempt: 2, restarts: 3 },
      { after: 90, attempt: 2, phase: 'Failed', reason: DECIDED.reason, decided: DECIDED },
      { after: 95, attempt: 2, phase: 'Failed', reason: DECIDED.reason, message: 'clean-up finished' },
    );
    expect(rowOf(JOB, ledger)).toMatchObject({
      ...{ phase: 'Failed', reason: 'BackoffLimitExceeded', class: 'program', node: 'gpu-7' },
      ...{
        pod: 'train-worker-1',
        message: 'It failed.',
        exit_code: 137,
        rule: 'runPolicy.backoffLimit: 3',
        attempts: 2,
        restarts: 3,
      },
    });
  });

  test('has its labels, and what its devices were used for, as report and cost have it', () => {
    const counts = { Worker: { wanted: 1, ready: 1, placedMs: 0 } };
    const ledger = ledgerOf(
      { after: 0, devices: { Worker: { 'nvidia.com/gpu': 8 } }, counts },
      {
        after: 10,
        progress: { value: '0', at: at(10) },
        counts: { Worker: { ...counts.Worker, placedMs: 10_000 } },
      },
      {
        ...{ after: 50, to: 'Completed', phase: 'Completed', progress: { value: '40', at: at(50) } },
        counts: { Worker: { wanted: 1, placedMs: 50_000 } },
      },
    );
    const manifest = { metadata: { labels: { team: 'vision', wrong: 3 } } };
    const row = rowOf({ ...JOB, manifest }, ledger);
    expect(row).toMatchObject({
      ...{
        labels: '{"team":"vision"}',
        gpu_seconds: 400,
        productive_gpu_seconds: 320,
        unknown_gpu_seconds: 0,
      },
    });
    expect(JSON.parse(row.device_uses!)).toEqual(jobUsesOf(ledger, { until: START + 100_000 }).uses);
    expect(rowOf(JOB)).toMatchObject({ labels: null, gpu_seconds: 0, device_uses: null });
  });

  test('has its times, and how long it waited and ran', () => {
    const ledger = ledgerOf(
      { after: 0, phase: 'Pending', reason: 'WaitingForGang' },
      { after: 30 },
      { after: 50, phase: 'Restarting', reason: 'RestartingGang' },
      { after: 55 },
      { after: 90, phase: 'Failed', reason: 'BackoffLimitExceeded' },
    );
    expect(rowOf(JOB, ledger)).toMatchObject({
      ...{ submitted: new Date(at(0)), started: new Date(at(30)), ended: new Date(at(90)) },
      ...{ archived: new Date(at(105)), wait_seconds: 30, run_seconds: 55, total_seconds: 90 },
      ...{ longest_wait_seconds: 30, longest_wait_for: 'WaitingForGang', entries: 5 },
      ...{ folder: PLACE.folder, leaf: 4, damage: null },
    });
  });

  test('of a job that never ran counts its wait until its end', () => {
    const ledger = ledgerOf({ after: 0, phase: 'Pending' });
    expect(rowOf(JOB, ledger)).toMatchObject({ started: null, wait_seconds: 100, run_seconds: 0 });
  });

  test('of a workflow that closed without an entry has how it closed', () => {
    const status = { ...JOB.status, cause: { reason: 'EngineFault' } } as const;
    expect(rowOf({ ...JOB, status }, ledgerOf({ after: 30, attempt: 2 }))).toMatchObject({
      ...{ phase: 'Failed', reason: 'EngineFault', class: 'engine', attempts: 2, ended: new Date(at(100)) },
    });
  });

  test('of a waiting job has its cause and since when, however many requests came meanwhile', () => {
    const status = { phase: 'Restarting', attempt: 1 } as const;
    const because = { phase: 'Restarting', reason: 'RestartingGang' } as const;
    const ledger = ledgerOf(
      { after: 30, restarts: 1 },
      { after: 50, ...because, rule: 'ladder[0]', pods: [{ pod: 'w-1', node: 'gpu-1' }], restarts: 2 },
      { after: 55, ...because, message: 'the update stop is refused' },
    );
    const live = { ...JOB, status, closed: undefined, archivedAt: undefined };
    const [row] = indexRowsOf(live, ledger, { now: at(60) }).jobs;
    expect(row).toMatchObject({
      ...{ reason: 'RestartingGang', message: 'Something happened.', rule: 'ladder[0]' },
      ...{ pod: 'w-1', node: 'gpu-1', restarts: 2, wait_seconds: 30 },
    });
  });

  test('of a live job without a readable ledger has the data of the list', () => {
    const status = { phase: 'Running', attempt: 3 } as const;
    const [row] = indexRowsOf({ ...JOB, status, closed: undefined }, [], { now: at(60) }).jobs;
    expect(row).toMatchObject({ phase: 'Running', attempts: 3, restarts: 0, reason: null, entries: 0 });
  });

  test('of a live job has its phase, and lasts until now', () => {
    const status = { phase: 'Running', attempt: 1 } as const;
    const live = { ...JOB, status, closed: undefined, archivedAt: undefined };
    const [row] = indexRowsOf(live, ledgerOf({ after: 30 }), { now: at(500) }).jobs;
    expect(row).toMatchObject({
      phase: 'Running',
      ended: null,
      archived: null,
      leaf: null,
      run_seconds: 470,
    });
  });
});

describe('a row of a ledger entry', () => {
  const entryRow = (entry: Partial<LedgerEntry>, next: Partial<LedgerEntry> = {}) =>
    indexRowsOf(JOB, ledgerOf({ after: 0, ...entry }, { after: 5, ...next }), { place: PLACE }).entries[0]!;

  test('has who asked for what, and whether it was refused', () => {
    const who = { given: 'bob', identity: '7@desk', authenticated: { type: 'jwt', name: 'bob@example.com' } };
    const asked = { role: 'Worker', replicas: 4 };
    const cause = { type: 'request', request: 'scale', through: 'update', who, asked } as const;
    expect(
      entryRow({ cause: { ...cause, why: 'more data', refused: 'The job is suspended.' } }),
    ).toMatchObject({
      ...{ cause: 'request', request: 'scale', asked_by: 'bob', authenticated_as: 'bob@example.com' },
      ...{ identity: '7@desk', asked: '{"replicas":4,"role":"Worker"}', why: 'more data' },
      refused: 'The job is suspended.',
    });
  });

  test.each([
    [
      { type: 'submitted', who: { given: 'ana' } },
      { request: 'submit', asked_by: 'ana' },
    ],
    [
      { type: 'closed', how: 'terminated', who: { identity: 'x' } },
      { request: 'terminate', identity: 'x' },
    ],
    [{ type: 'closed', how: 'timed out', who: {} }, { request: null }],
    [
      { type: 'timer', timer: 'stall' },
      { request: null, timer: 'stall' },
    ],
    [
      { type: 'effect', effect: 'cleanUp', ended: 'failed' },
      { effect: 'cleanUp', effect_ended: 'failed' },
    ],
  ] as const)('has the cause %j as %j', (cause, expected) => {
    expect(entryRow({ cause })).toMatchObject(expected);
  });

  test('names its first pod, and all nodes', () => {
    const pods = [{ pod: 'w-0' }, { pod: 'w-1', node: 'gpu-1', exitCode: 1 }, { pod: 'w-2', node: 'gpu-2' }];
    expect(entryRow({ pods, nodes: ['gpu-2', 'gpu-3'] })).toMatchObject({
      ...{ pod: 'w-0', exit_code: null, node: 'gpu-1', nodes: 'gpu-1,gpu-2,gpu-3' },
    });
  });

  test('lasts until the next entry, and the last one until the workflow closed', () => {
    const { entries } = indexRowsOf(JOB, ledgerOf({ after: 0 }, { after: 5 }), { place: PLACE });
    expect(entries.map((entry) => entry.duration_seconds)).toEqual([5, 95]);
  });

  test('never lasts a negative time when a clock went back', () => {
    const { entries } = indexRowsOf(JOB, ledgerOf({ after: 50 }, { after: 5 }), { place: PLACE });
    expect(entries.map((entry) => entry.duration_seconds)).toEqual([0, 95]);
  });
});

describe('a wait', () => {
  test('continues while its cause is the same, whatever is requested in between', () => {
    const ledger = ledgerOf(
      { after: 0, reason: 'WaitingForGang', message: '0/4 nodes have room' },
      { after: 10, reason: 'WaitingForGang', message: '3/4 nodes have room' },
      { after: 25, reason: 'ContainersNotReady' },
      { after: 40 },
      { after: 90, reason: 'WaitingForGang' },
    );
    const waits = waitsOf(ledger, START + 100_000);
    expect(waits.map(({ seq, reason, from, to }) => [seq, reason, (to - from) / 1000])).toEqual([
      [1, 'WaitingForGang', 25],
      [3, 'ContainersNotReady', 15],
      [5, 'WaitingForGang', 10],
    ]);
    expect(waits[0]?.message).toBe('3/4 nodes have room');
  });

  test('does not include a failure, or a reason of a later version', () => {
    const later = 'FromTheFuture' as LedgerEntry['reason'];
    expect(waitsOf(ledgerOf({ after: 0, reason: 'PodFailed' }, { after: 1, reason: later }), START)).toEqual(
      [],
    );
  });
});

describe('a restart', () => {
  const restarts = (...entries: readonly Described[]) =>
    indexRowsOf(JOB, ledgerOf(...entries), {}).entries.map(({ new_restarts, rule }) => [new_restarts, rule]);

  test('has the entry with which the job began to restart, whenever it is counted and decided', () => {
    const found = restarts(
      { after: 0 },
      { after: 1, phase: 'Restarting' },
      { after: 2, phase: 'Restarting', restarts: 2, rule: 'restartPolicy: OnFailure' },
      { after: 3, restarts: 3 },
      { after: 4, restarts: 4 },
    );
    expect(found).toEqual([
      [null, null],
      [3, 'restartPolicy: OnFailure'],
      [null, 'restartPolicy: OnFailure'],
      [null, null],
      [1, null],
    ]);
  });

  test('has no rule of the failure if it failed in the end', () => {
    const failed = { after: 2, phase: 'Failed', rule: 'backoffLimit: 4' } as const;
    expect(restarts({ after: 1, phase: 'Restarting' }, failed)[0]).toEqual([1, null]);
  });

  test('of containers in place is counted where it was observed', () => {
    const found = restarts({ after: 0 }, { after: 1, restarts: 1 }, { after: 2, restarts: 3 }, { after: 3 });
    expect(found.map(([count]) => count)).toEqual([null, 1, 2, null]);
  });

  test('is included, even if the ledger does not count it', () => {
    expect(restarts({ after: 0 }, { after: 1, phase: 'Restarting' })[1]).toEqual([1, null]);
  });
});
