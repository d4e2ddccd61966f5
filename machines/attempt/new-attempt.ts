import { withAmendedPlan } from '../gang/scaling.ts';
import type { JobContext } from '../model/job-context.ts';

/**
 * All pods start afresh: those that had succeeded too, as the others could not go on without them. What was known of the
 * pods of the attempt before is forgotten; what was spent on it is not.
 */
export function newAttempt(context: JobContext): Partial<JobContext> {
  const { attempt, restarts } = context;
  const { replaced, earlier, present } = restarts;
  return {
    ...withAmendedPlan(context),
    attempt: attempt + 1,
    digest: undefined,
    launched: undefined,
    isOutsideGang: undefined,
    isGangBroken: undefined,
    publishedHostList: undefined,
    incarnations: undefined,
    lost: undefined,
    captured: undefined,
    capturing: undefined,
    progress: undefined,
    trouble: undefined,
    restarting: undefined,
    released: undefined,
    skipsBackOff: undefined,
    terminating: undefined,
    succeededIndices: {},
    restarts: { replaced, earlier: earlier + present, present: 0 },
  };
}
