import type { Cause } from '../../contracts/status.ts';
import { type JobContext, LOOK } from '../model/job-context.ts';
import { newAttempt } from './new-attempt.ts';

/** Without pods: nothing is known of any, and no time runs. */
export const withSuspension = ({ deadlines }: JobContext, suspension: Cause): Partial<JobContext> => ({
  suspension,
  digest: undefined,
  // The pods that are waited for may be those of an earlier suspension.
  deadlines: deadlines[LOOK] === undefined ? {} : { [LOOK]: deadlines[LOOK] },
  backOff: undefined,
});

export const withoutSuspension = (context: JobContext): Partial<JobContext> => ({
  ...newAttempt(context),
  suspension: undefined,
});
