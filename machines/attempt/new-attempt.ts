import { withAmendedPlan } from '../gang/scaling.ts';
import type { AttemptState, JobContext } from '../model/job-context.ts';

/** What is known when an attempt begins. The type demands every field, so that none is carried over by mistake. */
const FRESH_ATTEMPT = {
  digest: undefined,
  digestAt: undefined,
  succeededIndices: {},
  trouble: undefined,
  restarting: undefined,
  lost: undefined,
  departure: undefined,
  isUnanswered: undefined,
  captured: undefined,
  capturing: undefined,
  chargedInPlace: undefined,
  followedByPods: undefined,
  progress: undefined,
  released: undefined,
  skipsBackOff: undefined,
  backsOffUntil: undefined,
  recovery: undefined,
  startingSince: undefined,
  silentSince: undefined,
  hangJudgedAt: undefined,
  followedSince: undefined,
  deletingSince: undefined,
  held: undefined,
  incarnations: undefined,
  terminating: undefined,
  launched: undefined,
  launchedRoles: undefined,
  launching: undefined,
  isOutsideGang: undefined,
  isGangBroken: undefined,
  groupSize: undefined,
  lift: undefined,
  passedTurn: undefined,
  passedGrant: undefined,
  waitsSince: undefined,
  rollBack: undefined,
  eviction: undefined,
  publishedHostList: undefined,
} satisfies AttemptState & Record<keyof AttemptState, unknown>;

/**
 * All pods restart, including those that had succeeded, because the others need them. Used budgets stay used.
 */
export function newAttempt(context: JobContext): Partial<JobContext> {
  const { attempt, restarts, leftBehind = 0 } = context;
  const { replaced, earlier, present } = restarts;
  return {
    ...withAmendedPlan(context),
    ...FRESH_ATTEMPT,
    attempt: attempt + 1,
    ...(context.isUnanswered ? { leftBehind: leftBehind + 1 } : {}),
    restarts: { replaced, earlier: earlier + present, present: 0 },
  };
}
