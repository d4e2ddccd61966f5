import type { Cause } from '../contracts/status.ts';
import { newAttempt } from './attempts.ts';
import type { JobContext } from './job-context.ts';

/** Without pods: nothing is known of any, and no time runs. */
export const suspended = (suspension: Cause): Partial<JobContext> => ({
  suspension,
  digest: undefined,
  deadlines: {},
  backOff: undefined,
});

export const resumed = (context: JobContext): Partial<JobContext> => ({
  ...newAttempt(context),
  suspension: undefined,
});
