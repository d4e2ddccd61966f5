import type { JobContext, Trouble } from './job-context.ts';
import { policyOf, policyRule } from './policy.ts';
import { timeOf } from './time.ts';

/** When a running job that says nothing more has stalled; undefined for one that need not say anything. */
export function stallsAt(context: JobContext, runningSince: number): number | undefined {
  const limit = policyOf(context).progress?.stalledAfterMs;
  return limit === undefined ? undefined : Math.max(runningSince, context.progress?.at ?? 0) + limit;
}

export function stallTrouble(context: JobContext): Trouble {
  const { progress } = context;
  const limit = policyOf(context).progress?.stalledAfterMs ?? 0;
  const rule = policyRule('progress.stalledAfter', `${limit / 1000}s`);
  const last = progress ? `since ${timeOf(progress.at)}, when it was ${progress.value}` : 'since it runs';
  return {
    class: 'stalled',
    reason: 'Stalled',
    message: `no progress ${last}; ${rule}`,
    rule,
    least: 'gang',
  };
}
