import { describe, expect, it } from '@jest/globals';
import { MOST_FAILURES, type PodFailure } from '../../contracts/digest.ts';
import type { JobRestartPolicy } from '../../contracts/training-job.ts';
import { type FailedPod, summarizeFailures } from '../../watcher/pods/failed-pods.ts';
import { aDigest, aFailure, aPlan, type DigestBuilder, type PlanBuilder } from './builders.ts';
import { aRunWithEvidence } from './machine-run.ts';

/** More pods fail at once than a digest describes. */

const SIZES = [MOST_FAILURES, MOST_FAILURES + 1, 150, 1_000] as const;

const jobOf = (workers: number, restartPolicy: JobRestartPolicy = 'ExitCode') =>
  aPlan().master().workers(workers, restartPolicy);

const begun = (plan: PlanBuilder, workers: number) =>
  aRunWithEvidence(plan)
    .does('createAttempt', 10)
    .receives(aDigest(10).master({ ready: 1 }).workers({ ready: workers }));

type How = (index: number) => Partial<PodFailure>;

/** As the watcher tells it. */
function allFailed(
  resourceVersion: number,
  workers: number,
  how: How = () => ({ exitCode: 134 }),
): DigestBuilder {
  const failed = Array.from({ length: workers }, (_, index): FailedPod => {
    const failure = aFailure({ index, uid: `u${resourceVersion}-${index}`, ...how(index) });
    return { failure, finishedAt: String(index).padStart(4, '0') };
  });
  const { failures, moreFailures = [] } = summarizeFailures(failed);
  const digest = aDigest(resourceVersion).master({ ready: 1 }).workers({ failed: workers });
  for (const failure of failures) digest.failure(failure);
  for (const { indices, ...like } of moreFailures) digest.moreFailures(indices, like);
  return digest;
}

describe.each(SIZES)('%d failures at once', (workers) => {
  const rest = `${MOST_FAILURES}-${workers - 1}`;
  const also = workers > MOST_FAILURES ? { worker: workers > MOST_FAILURES + 1 ? rest : '100' } : undefined;

  it('are charged once, and replaced together', () => {
    const run = begun(jobOf(workers), workers).receives(allFailed(11, workers)).captures();
    const [effect] = run.effects;
    expect(effect).toMatchObject({ type: 'restorePods', attempt: 1 });
    const { replace, replaceAlso, incarnations } = effect as Extract<typeof effect, { type: 'restorePods' }>;
    expect(replace).toHaveLength(MOST_FAILURES);
    expect(replaceAlso).toEqual(also);
    expect(incarnations).toEqual(also && { worker: 1 });
    expect(run.status.restarts).toBe(workers);
    run.does('restorePods', 20).receives(aDigest(21).master({ ready: 1 }).workers({ ready: workers }));
    expect(run.status).toMatchObject({ phase: 'Running', restarts: workers });
    expect(run.states.filter((state) => state === 'Restarting.Replacing')).toHaveLength(1);
  });

  it('may be as many as backoffLimit allows', () => {
    const limited = (limit: number) =>
      begun(jobOf(workers).backoffLimit(limit), workers).receives(allFailed(11, workers)).captures();
    expect(limited(workers).state).toBe('Restarting.Replacing');
    const { phase, cause } = limited(workers - 1).status;
    expect({ phase, reason: cause?.reason }).toEqual({ phase: 'Failed', reason: 'BackoffLimitExceeded' });
    expect(cause?.message).toContain(`${workers} restarts needed, ${workers - 1} allowed`);
  });

  it('end a job if one of them is permanent, in any order', () => {
    const exitCode = (index: number) => (index === workers - 1 ? 3 : 134);
    const digest = allFailed(11, workers, (index) => ({ exitCode: exitCode(index) }));
    const { phase, cause } = begun(jobOf(workers), workers).receives(digest).status;
    expect({ phase, reason: cause?.reason, exitCode: cause?.exitCode, pod: cause?.pod }).toEqual({
      ...{ phase: 'Failed', reason: 'PermanentExitCode' },
      ...{ exitCode: 3, pod: `resnet-worker-${workers - 1}` },
    });
  });

  it('end a job whose pods may not restart', () => {
    const run = begun(jobOf(workers, 'Never'), workers).receives(allFailed(11, workers));
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed' } });
  });

  it('are charged to the class of each', () => {
    const policy = {
      failures: {
        rules: [{ class: 'flaky', exitCodes: [[40, 50]] }],
        classes: { flaky: { budget: 2_000 }, infrastructure: { budget: 2_000 } },
      },
    } as const;
    const how: How = (index) => (index % 2 === 0 ? { exitCode: 41 } : { reason: 'Evicted' });
    const run = begun(jobOf(workers).policy(policy), workers);
    run.receives(allFailed(11, workers, how)).captures();
    const half = Math.ceil(workers / 2);
    expect(run.status.budgets).toEqual({
      flaky: { used: half, allowed: 2_000 },
      infrastructure: { used: workers - half, allowed: 2_000 },
    });
  });

  it('are charged by a pattern in the log of one of them', () => {
    const policy = {
      failures: { rules: [{ class: 'flaky', pattern: 'NCCL' }], classes: { flaky: { budget: 2_000 } } },
    };
    const described = Array.from({ length: Math.min(workers, MOST_FAILURES) }, (_, index) => index);
    const matches = Object.fromEntries(described.map((index) => [`resnet-worker-${index}`, [0]]));
    const run = begun(jobOf(workers).policy(policy), workers).receives(allFailed(11, workers));
    expect(run.captures(matches).status.budgets).toEqual({ flaky: { used: workers, allowed: 2_000 } });
  });
});

describe('when pods fail again', () => {
  it('only the failed pods are replaced, with a new incarnation', () => {
    const run = begun(jobOf(150), 150).receives(allFailed(11, 150)).captures().does('restorePods', 20);
    const again = allFailed(21, 120).workers({ failed: 120, ready: 30 });
    const { effects } = run.receives(again).captures().backsOff();
    expect(effects).toMatchObject([
      { type: 'restorePods', replaceAlso: { worker: '100-119' }, incarnations: { worker: 2 } },
    ]);
    expect(run.status.restarts).toBe(270);
  });
});
