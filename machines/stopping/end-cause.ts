import type { Cause } from '../../contracts/types.ts';
import { ACTIVE_DEADLINE, type JobContext, REFUSED } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { activeDeadlineOf } from '../model/policy.ts';
import { runPolicyRule } from '../model/run-policy-rule.ts';
import { refusedTooLong } from '../timeouts/refusals.ts';

/** Returns why a job ends: a request, a failed effect, an expired deadline, or the assessment of its pods. */
export function causeOfEnd(context: JobContext, event: JobEvent): Cause | undefined {
  switch (event.type) {
    case 'stop':
      return event.cause;
    case 'effectFailed':
      // A failed capture is not why the job failed.
      return event.effect === 'capture' ? causeOfAssessment(context) : event.cause;
    case 'deadline': {
      if (event.name === REFUSED) return refusedTooLong(context);
      if (event.name !== ACTIVE_DEADLINE) return causeOfAssessment(context);
      const rule = runPolicyRule(context.plan, 'activeDeadlineSeconds', activeDeadlineOf(context));
      return {
        reason: 'DeadlineExceeded',
        rule,
        message: `the job was active for longer than allowed; ${rule}`,
      };
    }
    case 'effectDone':
      return event.effect === 'rollBack' ? context.rollBack : causeOfAssessment(context);
    default:
      return causeOfAssessment(context);
  }
}

const causeOfAssessment = ({ assessment }: JobContext): Cause | undefined =>
  'cause' in assessment ? assessment.cause : undefined;
