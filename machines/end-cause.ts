import type { Cause } from '../contracts/status.ts';
import type { JobContext } from './job-context.ts';
import type { JobEvent } from './job-events.ts';
import { verdictOf } from './verdict.ts';

/** Why a job ends: what was asked for, what could not be done, a time that is over, or what its pods show. */
export function causeOfEnd(context: JobContext, event: JobEvent): Cause | undefined {
  switch (event.type) {
    case 'stop':
    case 'effectFailed':
      return event.cause;
    case 'deadline': {
      const rule = `spec.runPolicy.activeDeadlineSeconds: ${context.plan.runPolicy.activeDeadlineSeconds}`;
      return {
        reason: 'DeadlineExceeded',
        rule,
        message: `the job was active for longer than allowed; ${rule}`,
      };
    }
    default: {
      const verdict = verdictOf(context);
      return 'cause' in verdict ? verdict.cause : undefined;
    }
  }
}
