import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan, type DigestBuilder, type PlanBuilder } from '../builders.ts';
import { aRun } from '../machine-run.ts';
import { allReady, threePods } from '../three-pods.ts';

describe('the timeline', () => {
  it('has an entry for every state, with its time and why it was entered', () => {
    const run = aRun(threePods()).does('createAttempt').receives(allReady(1));
    expect(run.status.timeline).toEqual([
      {
        at: '2026-01-01T00:00:00Z',
        phase: 'Pending',
        state: 'Pending.Creating',
        attempt: 1,
        cause: 'the manifest was accepted',
      },
      {
        at: '2026-01-01T00:00:01Z',
        phase: 'Pending',
        state: 'Pending.Scheduling',
        attempt: 1,
        cause: 'objects of attempt 1 exist; waiting for 3 pods',
      },
      {
        at: '2026-01-01T00:00:02Z',
        phase: 'Running',
        state: 'Running',
        attempt: 1,
        cause: 'all 3 pods are ready',
      },
    ]);
  });

  it('does not grow while the state stays', () => {
    const run = aRun(threePods()).does('createAttempt').receives(allReady(1));
    const { timeline } = run.status;
    expect(run.receives(allReady(2)).receives(allReady(3)).status.timeline).toBe(timeline);
  });

  it('keeps the last hundred entries', () => {
    const run = aRun(threePods()).does('createAttempt');
    for (let resourceVersion = 1; resourceVersion <= 120; resourceVersion++) {
      const unready = aDigest(resourceVersion).master({ scheduled: 1 }).workers({ ready: 2 });
      run.receives(resourceVersion % 2 ? allReady(resourceVersion) : unready);
    }
    expect(run.status.timeline).toHaveLength(100);
    expect(run.status.timeline.at(-1)?.state).toBe('Starting.Waiting');
  });
});

describe('the present state', () => {
  it('still says since when and why it was entered after more messages than the timeline keeps', () => {
    const run = aRun(
      aPlan()
        .master()
        .workers(2)
        .policy({ restart: { ladder: [{ scope: 'gang' }] } }),
    );
    run.does('createAttempt').receives(allReady(1));
    run.receives(aDigest(2).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure());
    const { since, cause, state } = run.status;
    expect(state).toBe('Restarting.Draining');
    for (let number = 0; number < 120; number++) run.retryNow(`asked ${number} times`);
    expect(run.status).toMatchObject({ state, since, cause });
  });
});

describe('the times of a job', () => {
  it('have a start when its objects exist', () => {
    const run = aRun(threePods());
    expect(run.status.startTime).toBeUndefined();
    expect(run.does('createAttempt').receives(allReady(1)).status.startTime).toBe('2026-01-01T00:00:01Z');
  });

  it('have an end when the outcome is decided, not when it is cleaned up', () => {
    const run = aRun(threePods()).does('createAttempt').receives(allReady(1));
    run.receives(aDigest(2).master({ succeeded: 1 }));
    expect(run.status.completionTime).toBe('2026-01-01T00:00:03Z');
    expect(run.does('cleanUp').status.completionTime).toBe('2026-01-01T00:00:03Z');
  });

  it.each(['Never', 'ExitCode'] as const)('have an end when it fails by %s', (policy) => {
    const run = aRun(aPlan().workers(1, policy)).does('createAttempt');
    run.receives(aDigest(1).workers({ failed: 1 }).failure({ exitCode: 1 }));
    expect(run.status.completionTime).toBe('2026-01-01T00:00:02Z');
  });
});

describe('Kubeflow’s conditions', () => {
  const lastCondition = (run: ReturnType<typeof aRun>) => {
    const { type, status, reason, message } = run.status.conditions.at(-1)!;
    return `${type}=${status} ${reason}: ${message}`;
  };

  it('of a replaced pod name the role that failed', () => {
    const run = aRun(threePods()).does('createAttempt').receives(allReady(1));
    run.receives(aDigest(2).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure());
    expect(lastCondition(run)).toBe(
      'Restarting=True PyTorchJobRestarting: job resnet is restarting because Worker replica(s) failed.',
    );
  });

  const counted = { message: 'PyTorchJob resnet is restarting because %n %r replica(s) failed.' };
  const restarts: readonly [says: string, plan: PlanBuilder, digest: DigestBuilder, message: string][] = [
    [
      'what the kind says',
      aPlan().master().workers(2).restarting(counted),
      aDigest(2).workers({ ready: 1, failed: 1 }).master({ failed: 1 }).failure(),
      'PyTorchJob resnet is restarting because 1 Worker replica(s) failed.',
    ],
    [
      'how many are gone',
      aPlan().master().workers(3).restarting(counted),
      aDigest(2).workers({ ready: 1 }).master({ ready: 1 }),
      'PyTorchJob resnet is restarting because 2 Worker replica(s) failed.',
    ],
    [
      'what the kind says while a pod that decides is there',
      aPlan()
        .master()
        .workers(2)
        .restarting({ ...counted, whileActive: true }),
      aDigest(2).workers({ ready: 1, failed: 1 }).master({ ready: 1 }).failure(),
      'PyTorchJob resnet is restarting because 1 Worker replica(s) failed.',
    ],
    [
      'what all say while none is',
      aPlan()
        .workers(1)
        .restarting({ ...counted, whileActive: true }),
      aDigest(2).workers({ failed: 1 }).failure(),
      'job resnet is restarting because Worker replica(s) failed.',
    ],
  ];
  it.each(restarts)('of a replaced pod have %s', (_, plan, digest, message) => {
    const run = aRun(plan).does('createAttempt').receives(digest);
    expect(lastCondition(run)).toBe(`Restarting=True PyTorchJobRestarting: ${message}`);
  });

  it('of a missing pod name its role', () => {
    const run = aRun(threePods()).does('createAttempt').receives(allReady(1));
    run.receives(aDigest(2).master({ ready: 1 }).workers({ ready: 1 }));
    expect(lastCondition(run)).toContain('because Worker replica(s) failed.');
  });

  it('of a stopped job say that it does not run', () => {
    const run = aRun(threePods()).does('createAttempt').receives(allReady(1)).stop();
    expect(run.conditions).toEqual(['Created=True', 'Running=False']);
    expect(lastCondition(run)).toBe('Running=False PyTorchJobStopped: PyTorchJob resnet is stopped.');
  });

  const failures: readonly [says: string, fail: () => ReturnType<typeof aRun>, message: string][] = [
    [
      'a final failure of pods',
      () => failing(aPlan().workers(3, 'Never'), 2),
      'PyTorchJob resnet is failed because 2 Worker replica(s) failed.',
    ],
    [
      'a permanent exit code',
      () => failing(aPlan().workers(3, 'ExitCode'), 2),
      'job "resnet" is failing because "Worker" replica(s) failed.',
    ],
    [
      'the backoff limit',
      () => failing(aPlan().workers(3).backoffLimit(1), 2),
      'Job resnet has failed because it has reached the specified backoff limit',
    ],
    [
      'the deadline',
      () => aRun(aPlan().workers(1).deadline(60)).does('createAttempt').reachesDeadline(),
      'Job resnet has failed because it was active longer than specified deadline',
    ],
    [
      'a refusal, in the words of the API server',
      () => aRun(aPlan().workers(1)).failsTo('createAttempt', { reason: 'ClusterRefused', message: 'quota' }),
      'quota',
    ],
  ];
  it.each(failures)('of a failed job name %s as training-operator does', (_, fail, message) => {
    expect(lastCondition(fail())).toBe(`Failed=True PyTorchJobFailed: ${message}`);
  });
});

const failing = (plan: ReturnType<typeof aPlan>, failed: number) =>
  aRun(plan)
    .does('createAttempt')
    .receives(
      aDigest(1)
        .workers({ ready: 3 - failed, failed })
        .failure({ exitCode: 1 })
        .failure({ index: 1, exitCode: 1 }),
    );
