import type { Cause } from '../contracts/status.ts';
import type { JobContext } from './job-context.ts';

/** Without pods: nothing is known of any, and no time runs. */
export const suspended = (suspension: Cause): Partial<JobContext> => ({
  suspension,
  digest: undefined,
  deadlines: {},
  backOff: undefined,
});

/** All pods start afresh, as a new attempt: those that had succeeded too, as the others could not go on without them. */
export function resumed({ attempt, restarts }: JobContext): Partial<JobContext> {
  const { replaced, earlier, present } = restarts;
  return {
    suspension: undefined,
    attempt: attempt + 1,
    digest: undefined,
    launched: undefined,
    leftGang: undefined,
    roster: undefined,
    done: {},
    restarts: { replaced, earlier: earlier + present, present: 0 },
  };
}
