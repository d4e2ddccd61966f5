import { expect, it } from '@jest/globals';
import { ScheduleNotFoundError } from '@temporalio/client';
import { answerer, failureOf } from './some-servers.ts';

const manifest = {
  ...{
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: { name: 'train', labels: { team: 'nlp' } },
  },
  spec: {
    pytorchReplicaSpecs: {
      Master: { template: { spec: { containers: [{ name: 'pytorch', image: 'train:1' }] } } },
    },
  },
};

/** Temporal knows one schedule. */
const known = (scheduleId: string) => ({
  options: { namespace: 'default' },
  withAbortSignal: (_signal: unknown, call: () => unknown) => call(),
  withDeadline: (_deadline: unknown, call: () => unknown) => call(),
  schedule: {
    getHandle: (id: string) => ({
      describe: async () => {
        if (id !== scheduleId) throw new ScheduleNotFoundError('none', id);
        return {
          ...{ scheduleId, spec: { calendars: [], intervals: [] }, memo: { kind: 'PyTorchJob' } },
          ...{
            state: { paused: false },
            policies: { overlap: 'SKIP', catchupWindow: 1, pauseOnFailure: false },
          },
          action: { args: [manifest] },
          info: {
            ...{ nextActionTimes: [], recentActions: [], runningActions: [], createdAt: new Date(0) },
            ...{ numActionsTaken: 0, numActionsSkippedOverlap: 0, numActionsMissedCatchupWindow: 0 },
          },
        };
      },
    }),
  },
});

const ask = answerer({ temporal: known('ml/train') });

it('a schedule is planned with all that a client sends to Temporal', async () => {
  const given = {
    manifest,
    namespace: 'ml',
    submittedBy: 'ana',
    cron: ['0 2 * * *'],
    every: 60_000,
    jitter: 5,
  };
  const more = { overlap: 'queue-one', catchUp: 1_000, startAt: '2026-11-22T00:00:00Z', note: 'nightly' };
  const { result } = await ask('planSchedule', { ...given, ...more });
  expect(JSON.parse(JSON.stringify(result))).toMatchObject({
    scheduleId: 'ml/train',
    action: {
      workflowId: 'job/ml/train',
      manifest: { metadata: { name: 'train', namespace: 'ml', labels: { team: 'nlp' } } },
      memo: { submittedBy: 'ana' },
      searchAttributes: {
        JobKind: 'PyTorchJob',
        JobNamespace: 'ml',
        JobPhase: 'Pending',
        JobSubmittedBy: 'ana',
      },
    },
    spec: {
      cronExpressions: ['0 2 * * * # 0 2 * * *'],
      intervals: [{ every: 60_000 }],
      ...{ jitter: 5, startAt: '2026-11-22T00:00:00.000Z' },
    },
    policies: { overlap: 'BUFFER_ONE', catchupWindow: 1_000, pauseOnFailure: false },
    state: { paused: false, note: 'nightly' },
    memo: { kind: 'PyTorchJob', submittedBy: 'ana' },
  });
});

it.each([
  ['planSchedule', { manifest, submittedBy: 'ana' }, 'InvalidSchedule'],
  [
    'planSchedule',
    { manifest: { ...manifest, spec: {} }, submittedBy: 'ana', every: 60_000 },
    'InvalidManifest',
  ],
  ['schedule', { name: 'nobody', namespace: 'ml' }, 'ScheduleNotFound'],
  ['schedule', {}, 'Refused'],
  ['planScheduleChange', { name: 'train', change: 'backfill', submittedBy: 'ana' }, 'Refused'],
])('%s of %j is refused', async (method, given, type) => {
  expect(await failureOf(ask(method, given))).toMatchObject({ type, nonRetryable: true });
});

it.each([
  [{ change: 'pause', why: 'repair' }, { note: 'paused by ana: repair' }],
  [{ change: 'unpause' }, { note: 'unpaused by ana' }],
  [{ change: 'trigger' }, { overlap: 'ALLOW_ALL' }],
  [{ change: 'delete' }, {}],
  [
    { change: 'backfill', from: '2026-11-22T00:00:01Z', to: '2026-11-23T00:00:00Z' },
    { start: '2026-11-22T00:00:00.000Z', end: '2026-11-23T00:00:00.000Z', overlap: 'BUFFER_ALL' },
  ],
])('a change is planned: %j', async (change, planned) => {
  const { result } = await ask('planScheduleChange', {
    name: 'train',
    namespace: 'ml',
    submittedBy: 'ana',
    ...change,
  });
  expect(result).toEqual({ scheduleId: 'ml/train', ...planned });
});
