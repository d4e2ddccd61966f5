import { isStartUpWait } from '../../contracts/waits.ts';
import type { JobContext, JobTrouble } from '../model/job-context.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';

/** Returns when pods have had their time to start; undefined without a limit. */
export function startUpEndsAt(context: JobContext): number | undefined {
  const limit = jobPolicy(context).failures.startUpAfterMs;
  const { startingSince } = context;
  return limit === undefined || startingSince === undefined ? undefined : startingSince + limit;
}

/** Returns why pods have not started in time; undefined if their reason to wait is not about start-up. */
export function startUpTrouble(context: JobContext): JobTrouble | undefined {
  const limit = jobPolicy(context).failures.startUpAfterMs;
  const waiting = context.digest?.waiting?.find(({ reason }) => isStartUpWait(reason));
  if (limit === undefined || !waiting) return undefined;
  const { reason, message, pod, pods } = waiting;
  const said = `${pods} wait with ${reason} (${pod}${message ? `: ${message}` : ''})`;
  const rule = policyRule('failures.classes.startUp.after', `${limit / 1000}s`);
  return {
    class: 'startUp',
    reason: 'StartUpFailed',
    message: `${said}; ${rule}`,
    rule,
    pod,
    podReason: reason,
    least: 'gang',
  };
}
