import type { PodFailure } from '../../contracts/digest.ts';
import type { Rung } from '../../contracts/types.ts';
import { aDigest, aPlan, type PlanBuilder } from './builders.ts';
import { aRunWithEvidence } from './machine-run.ts';

/** A master and two workers, as most runs here have them. */
export const threePods = () => aPlan().master().workers(2);

export const withLadder = (...ladder: readonly Rung[]) => threePods().policy({ restart: { ladder } });

/** Its gang starts again as a whole. */
export const gangJob = () => withLadder({ scope: 'gang' });

/** Of attempt 1 unless said otherwise; a resource version of so many. */
export const allReady = (resourceVersion: number, attempt = 1) =>
  aDigest(resourceVersion).attempt(attempt).master({ ready: 1 }).workers({ ready: 2 });

export const allPlaced = (resourceVersion: number, attempt = 1) =>
  aDigest(resourceVersion).attempt(attempt).master({ scheduled: 1 }).workers({ scheduled: 2 });

/** Worker 0, with exit code 1, unless said otherwise. */
export const oneFailed = (resourceVersion: number, failure: Partial<PodFailure> = {}, attempt = 1) =>
  aDigest(resourceVersion)
    .attempt(attempt)
    .master({ ready: 1 })
    .workers({ ready: 1, failed: 1 })
    .failure({ exitCode: 1, uid: `uid-${attempt}-${resourceVersion}`, ...failure });

/** What pods that have not failed get where neither they nor the policy ask for more. */
export const GRACE_FOR_SURVIVORS = { seconds: 2, unlessAsked: true };

/** Seen at resource version 10. */
export const running = (plan: PlanBuilder = threePods()) =>
  aRunWithEvidence(plan).does('createAttempt', 10).receives(allReady(10));

export type RunningMachine = ReturnType<typeof running>;

/** One has failed, and its evidence is taken. */
export const draining = (plan: PlanBuilder = gangJob()) => running(plan).receives(oneFailed(11)).captures();

/** The whole gang starts again as the next attempt, and runs; from a job that has just begun to drain. */
export const startsAgain = (run: RunningMachine, resourceVersion: number) =>
  run
    .does('drain')
    .does('createAttempt', resourceVersion)
    .receives(allReady(resourceVersion, run.context.attempt));
