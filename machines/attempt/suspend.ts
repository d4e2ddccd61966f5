import type { Cause } from '../../contracts/types.ts';
import type { JobContext } from '../model/job-context.ts';
import { withUnanswered } from '../nodes/left-behind.ts';
import { newAttempt } from './new-attempt.ts';

/** Suspends the job: without pods there is no digest, and its time does not count. */
export const withSuspension = (context: JobContext, suspension: Cause, at: number): Partial<JobContext> => ({
  ...withUnanswered(context, { areTold: true }),
  suspension,
  digest: undefined,
  activeSince: undefined,
  holdsPlace: undefined,
  lostAt: undefined,
  taken: undefined,
  backOff: undefined,
  deletingSince: at,
});

/** What begins suspended has had no attempt yet: its programs tell by the number whether they start for the first time. */
export const withoutSuspension = (context: JobContext): Partial<JobContext> => ({
  ...newAttempt(context),
  ...(context.isUnstarted ? { attempt: context.attempt, isUnstarted: undefined } : {}),
  suspension: undefined,
});
