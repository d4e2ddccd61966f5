import { describe, expect, it } from '@jest/globals';
import type { ShownStatus } from '../../bridge/anchored-job.ts';
import type { ResourceFacts } from '../../bridge/resource-facts.ts';
import { failedStatus, statusOfResource, waitingStatus } from '../../bridge/resource-status.ts';
import { saysEnded } from '../../contracts/job-resources.ts';
import type { Phase } from '../../contracts/types.ts';
import { FAILURE_POLICY } from '../../frameworks/kinds/train-job/restarts.ts';
import { aResource } from './fixtures.ts';

const AT = '2026-01-01T00:00:00Z';
const EARLIER = '2025-12-31T00:00:00Z';
const running = {
  ...{ type: 'Running', status: 'True', reason: 'PyTorchJobRunning', message: 'runs' },
  ...{ lastTransitionTime: EARLIER, lastUpdateTime: EARLIER },
} as const;

describe('the status of a resource', () => {
  it('is created as soon as it is seen', () => {
    const status = statusOfResource(aResource(), waitingStatus('CreatingObjects', 'soon'), { at: AT });
    expect(status).toEqual({
      conditions: [
        {
          ...{ type: 'Created', status: 'True', reason: 'PyTorchJobCreated' },
          message: 'PyTorchJob train is created.',
          ...{ lastTransitionTime: AT, lastUpdateTime: AT },
        },
      ],
      ...{ phase: 'Pending', reason: 'CreatingObjects', message: 'soon', observedGeneration: 1 },
    });
  });

  it('takes into account what was read of it, and perhaps more than its job follows', () => {
    const observed = (generation: number, appliedGeneration: number) =>
      statusOfResource(aResource({ generation }), { phase: 'Running' }, { appliedGeneration, at: AT })
        .observedGeneration;
    expect([observed(3, 1), observed(1, 2)]).toEqual([3, 2]);
  });

  it('does not run as long as the API server refuses something, whatever shows conditions alone', () => {
    const refused = { reason: 'QuotaExceeded', message: 'exceeded quota; retrying' } as const;
    const told = statusOfResource(aResource(), { phase: 'Pending', cause: refused }, { at: AT });
    expect(told.conditions).toEqual([
      expect.objectContaining({ type: 'Running', status: 'False', ...refused }),
      expect.objectContaining({ type: 'Created', status: 'True' }),
    ]);
    expect(told).toMatchObject(refused);
    const ended = statusOfResource(aResource(), failedStatus('Forbidden', 'may not'), { at: AT });
    expect(ended.conditions!.map(({ type }) => type)).toEqual(['Created', 'Failed']);
  });

  it('keeps the times of conditions that it has', () => {
    const first = statusOfResource(aResource(), waitingStatus('CreatingObjects', 'soon'), { at: EARLIER });
    const again = statusOfResource(aResource({ status: first }), waitingStatus('CreatingObjects', 'soon'), {
      at: AT,
    });
    expect(again).toEqual(first);
  });

  it('has failed, to Kubeflow, if the job was stopped', () => {
    const job = { phase: 'Stopped', conditions: [{ ...running, status: 'False' }] } as const;
    const status = statusOfResource(aResource(), job, { runId: 'r1', appliedGeneration: 2, at: AT });
    expect(status.conditions).toEqual([
      { ...running, status: 'False' },
      {
        ...{ type: 'Failed', status: 'True', reason: 'PyTorchJobStopped' },
        message: 'PyTorchJob train is stopped.',
        ...{ lastTransitionTime: AT, lastUpdateTime: AT },
      },
    ]);
    expect(status).toMatchObject({ phase: 'Stopped', runId: 'r1', appliedGeneration: 2 });
    expect(saysEnded(status)).toBe(true);
  });

  it('says why nothing was created', () => {
    const status = statusOfResource(aResource(), failedStatus('InvalidManifest', 'a: wrong'), { at: AT });
    expect(status.conditions!.at(-1)).toMatchObject({
      ...{ type: 'Failed', reason: 'PyTorchJobFailedValidation', message: 'a: wrong' },
    });
  });

  it('has the counts where the original operator writes them', () => {
    const job = { phase: 'Running', mode: 'PS', replicaStatuses: { worker: { running: 2 } } } as const;
    const kubeflow = statusOfResource(aResource(), job, { at: AT });
    expect(kubeflow).toMatchObject({ replicaStatuses: { worker: { running: 2 } } });
    const of = aResource({ apiVersion: 'batch.paddlepaddle.org/v1', kind: 'PaddleJob' });
    const paddle = statusOfResource(of, job, { at: AT });
    expect(paddle).toMatchObject({ mode: 'PS', worker: { running: 2 } });
    expect(paddle.replicaStatuses).toBeUndefined();
  });
});

describe('the status of a TrainJob', () => {
  const trainJob = (more: Partial<ResourceFacts> = {}) =>
    aResource({ apiVersion: 'trainer.kubeflow.org/v1alpha1', kind: 'TrainJob', ...more });
  const shown = (job: ShownStatus, more: Partial<ResourceFacts> = {}) => {
    const { conditions = [], jobsStatus } = statusOfResource(trainJob(more), job, { at: AT });
    return {
      conditions: conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`),
      jobs: (jobsStatus as Record<string, unknown>[] | undefined)?.map(({ name, ...counts }) => [
        name,
        ...Object.keys(counts).filter((count) => counts[count] === 1),
      ]),
    };
  };
  const wanted = { dataset: 1, node: 2 };

  it('has no condition while it runs, and each replicated job', () => {
    const replicaStatuses = { dataset: { succeeded: 1 }, node: { running: 2 } };
    expect(shown({ phase: 'Running', wanted, replicaStatuses })).toEqual({
      conditions: [],
      jobs: [
        ['node', 'ready', 'active'],
        ['dataset', 'succeeded'],
      ],
    });
    expect(
      shown({ phase: 'Starting', wanted, replicaStatuses: { node: { running: 1, starting: 1 } } }).jobs,
    ).toEqual([['node', 'active'], ['dataset']]);
  });

  it('counts pods as active that nobody has counted yet, so that Kueue keeps their quota', () => {
    expect(shown({ phase: 'Pending', wanted }).jobs).toEqual([
      ['node', 'active'],
      ['dataset', 'active'],
    ]);
    const draining = { phase: 'Suspended', state: 'Suspended.Draining', startTime: EARLIER, wanted } as const;
    expect(shown(draining, { isSuspended: true }).jobs).toEqual([
      ['node', 'active'],
      ['dataset', 'active'],
    ]);
    expect(shown({ phase: 'Suspended', state: 'Suspended.Resting', wanted }, { isSuspended: true })).toEqual({
      conditions: ['Suspended=True Suspended'],
      jobs: [
        ['node', 'suspended'],
        ['dataset', 'suspended'],
      ],
    });
  });

  it('says for good that it was resumed', () => {
    const suspended = statusOfResource(trainJob(), { phase: 'Suspended' }, { at: EARLIER });
    expect(shown({ phase: 'Running', wanted }, { status: suspended }).conditions).toEqual([
      'Suspended=False Resumed',
    ]);
  });

  it.each<[string, ShownStatus['cause'], ShownStatus['phase']]>([
    ['Complete=True AllJobsCompleted', undefined, 'Completed'],
    ['Failed=True TrainJobStopped', { reason: 'StopRequested', message: 'by ada' }, 'Stopped'],
    ['Failed=True DeadlineExceeded', { reason: 'DeadlineExceeded', message: 'late' }, 'Failed'],
    ['Failed=True TrainJobFailedValidation', { reason: 'InvalidManifest', message: 'wrong' }, 'Failed'],
    ...[
      ['FailedJobs', ': none'],
      ['ReachedMaxRestarts', '.maxRestarts: 1'],
      ['FailJobSetFailurePolicyAction', '.rules[0]: FailJobSet'],
    ].map(([reason, rule]): [string, ShownStatus['cause'], ShownStatus['phase']] => [
      `Failed=True ${reason}`,
      { reason: 'PodFailed', message: 'a pod', rule: `backoffLimit: 6; ${FAILURE_POLICY}${rule}` },
      'Failed',
    ]),
  ])('is %s', (condition, cause, phase) => {
    const status = statusOfResource(trainJob(), { phase, cause } as ShownStatus, { at: AT });
    expect(shown({ phase, cause } as ShownStatus).conditions).toEqual([condition]);
    expect(saysEnded(status)).toBe(true);
  });

  it.each([
    ['40%', { progressPercentage: 40 }],
    ['2/5', { progressPercentage: 40 }],
    ['1200', { metrics: [{ name: 'progress', value: '1200' }] }],
    ['1/0', { metrics: [{ name: 'progress', value: '1/0' }] }],
  ])('shows the progress %s', (progress, reported) => {
    const job: ShownStatus = { phase: 'Running', progress };
    const { trainerStatus } = statusOfResource(trainJob(), job, { at: EARLIER });
    expect(trainerStatus).toEqual({ ...reported, lastUpdatedTime: EARLIER });
    const again = statusOfResource(trainJob({ status: { trainerStatus } }), job, { at: AT });
    expect(again.trainerStatus).toEqual(trainerStatus);
  });
});

describe('the status of a Job of Volcano', () => {
  const of = aResource({
    ...{ apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job' },
    ofSpec: { minAvailable: 3 },
  });
  const entry = (phase: Phase, state: string, second: number) => ({
    ...{ phase, state, attempt: 1, cause: '', at: `2026-01-01T00:00:0${second}Z` },
  });
  const timeline = [entry('Pending', 'Pending.Creating', 0), entry('Running', 'Running', 2)];
  const replicaStatuses = { main: { running: 1, succeeded: 1 }, helper: { starting: 1 } };
  const shownOf = (job: ShownStatus) => statusOfResource(of, job, { at: AT });
  const phasesOf = ({ conditions = [] }: object & { conditions?: readonly { status: string }[] }) =>
    conditions.map(({ status }) => status);

  it('is that of Volcano, with what is signalbox’s beside it', () => {
    expect(shownOf({ phase: 'Running', timeline, replicaStatuses, attempt: 2, restarts: 1 })).toMatchObject({
      state: { phase: 'Running', lastTransitionTime: '2026-01-01T00:00:02Z' },
      conditions: [{ status: 'Pending' }, { status: 'Running' }],
      ...{ minAvailable: 3, pending: 1, running: 1, succeeded: 1, version: 1, retryCount: 1 },
      taskStatusCount: {
        main: { phase: { Running: 1, Succeeded: 1 } },
        helper: { phase: { Pending: 1 } },
      },
      ...{ phase: 'Running', attempt: 2 },
    });
  });

  it.each<[string, ShownStatus, readonly string[], boolean]>([
    ['before there is a job', waitingStatus('CreatingObjects', 'soon'), ['Pending'], false],
    ['of faults', failedStatus('InvalidManifest', 'a: wrong'), ['Failed'], true],
    [
      'while it is suspended',
      { phase: 'Suspended', state: 'Suspended.Draining', timeline },
      ['Pending', 'Running', 'Aborting'],
      false,
    ],
    [
      'when it was completed by one of its tasks',
      {
        ...{
          phase: 'Completed',
          wanted: { main: 1, helper: 1 },
          replicaStatuses: { main: { succeeded: 1 } },
        },
        timeline: [...timeline, entry('Completed', 'Finishing.CleaningUp', 5)],
      },
      ['Pending', 'Running', 'Completing', 'Completed'],
      true,
    ],
    [
      'when it was stopped',
      { phase: 'Stopped', timeline: [...timeline, entry('Stopped', 'Finishing.CleaningUp', 5)] },
      ['Pending', 'Running', 'Terminating', 'Terminated'],
      true,
    ],
  ])('has a condition for each phase %s, and says its reason', (_, job, phases, isOver) => {
    const status = shownOf(job);
    expect(phasesOf(status as never)).toEqual(phases);
    expect(status.state?.phase).toBe(phases.at(-1));
    expect(status.state?.reason).toBe(job.cause?.reason);
    expect(saysEnded(status)).toBe(isOver);
  });

  it('shows no end that only a timeline says', () => {
    const forged = [...timeline, entry('Completed', 'Completed', 4)];
    expect(phasesOf(shownOf({ phase: 'Running', timeline: forged }) as never)).toEqual([
      'Pending',
      'Running',
    ]);
  });

  it('says how long it ran, as Go writes it', () => {
    const ran = (startTime: string) =>
      shownOf({ phase: 'Completed', startTime, completionTime: AT }).runningDuration;
    expect(['2025-12-31T23:59:55Z', '2025-12-31T22:57:55Z'].map(ran)).toEqual(['5s', '1h2m5s']);
  });
});

describe('the active pods of a resource', () => {
  const at = AT;
  const wanted = { Master: 1, Worker: 2 };
  const all = { Master: { active: 1 }, Worker: { active: 2 } };
  const none = { Master: {}, Worker: {} };
  const countsWhile = (isSuspended: boolean, job: ShownStatus) =>
    statusOfResource(aResource({ isSuspended }), { wanted, replicaStatuses: none, ...job }, { at })
      .replicaStatuses;

  it.each(['Pending', 'Starting', 'Restarting'] as const)(
    'are all that may exist while it is %s',
    (phase) => {
      expect(countsWhile(false, { phase })).toEqual(all);
      expect(countsWhile(true, { phase })).toEqual(all);
    },
  );

  it('are there until those of a suspended job are gone', () => {
    const startTime = EARLIER;
    expect(countsWhile(true, { phase: 'Suspended', state: 'Suspended.Draining', startTime })).toEqual(all);
    expect(countsWhile(true, { phase: 'Suspended', state: 'Suspended.Resting', startTime })).toEqual(none);
  });

  it('are none before a job is resumed that was created suspended, and may be there from then on', () => {
    for (const state of ['Suspended.Draining', 'Suspended.Resting']) {
      expect(countsWhile(true, { phase: 'Suspended', state })).toEqual(none);
      expect(countsWhile(false, { phase: 'Suspended', state })).toEqual(all);
    }
  });

  it('are those that were counted, if they are more, and not those that have succeeded', () => {
    const replicaStatuses = { Master: { succeeded: 1 }, Worker: { active: 4, failed: 1 } };
    const job = { phase: 'Pending', replicaStatuses } as const;
    expect(countsWhile(false, job)).toEqual(replicaStatuses);
  });

  it.each(['Running', 'Completed', 'Failed', 'Stopped'] as const)(
    'are those of a job that is %s',
    (phase) => {
      expect(countsWhile(false, { phase, replicaStatuses: { Worker: { active: 1 } } })).toEqual({
        Worker: { active: 1 },
      });
    },
  );
});

it('a status has the warnings of its job, the first twenty, and none if there are none', () => {
  const shown = (warnings: readonly string[]) =>
    statusOfResource(aResource(), { phase: 'Running', warnings }, { at: AT }).warnings;
  const many = Array.from({ length: 30 }, (_, index) => `warning ${index}`);
  expect(shown(many)).toEqual(many.slice(0, 20));
  expect(shown([])).toBeUndefined();
});
