import type { Cause } from '../../contracts/status.ts';
import { type JobContext, LOOK } from '../model/job-context.ts';
import { newAttempt } from './new-attempt.ts';

/** Suspends the job: without pods there is no digest, and no timer runs. */
export const withSuspension = ({ deadlines }: JobContext, suspension: Cause): Partial<JobContext> => ({
  suspension,
  digest: undefined,
  // Keep this timer: the job may still wait for pods of an earlier suspension.
  deadlines: deadlines[LOOK] === undefined ? {} : { [LOOK]: deadlines[LOOK] },
  backOff: undefined,
});

export const withoutSuspension = (context: JobContext): Partial<JobContext> => ({
  ...newAttempt(context),
  suspension: undefined,
});
