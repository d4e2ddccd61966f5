import type { JobContext, JobTrouble } from '../model/job-context.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';
import { timeOf } from '../model/time.ts';

/** Returns when a running job without new progress stalls; undefined if the policy sets no limit. */
export function stallsAt(context: JobContext, runningSince: number): number | undefined {
  const limit = jobPolicy(context).progress?.stalledAfterMs;
  return limit === undefined ? undefined : Math.max(runningSince, context.progress?.at ?? 0) + limit;
}

/** Whether the watcher has followed the program for the whole limit without a report. */
export function isSilent({ digest, ...context }: JobContext): boolean {
  const limit = jobPolicy(context).progress?.stalledAfterMs ?? 0;
  return digest?.unheard === undefined && (digest?.silentMs ?? limit) >= limit;
}

/** Returns when the watcher will have followed the program for the whole limit. */
export function silentUntil({ digest, ...context }: JobContext, now: number): number {
  const limit = jobPolicy(context).progress?.stalledAfterMs ?? 0;
  const listened = digest?.unheard === undefined ? (digest?.silentMs ?? 0) : 0;
  return now + Math.max(0, limit - listened);
}

/** Warns while progress cannot be read: the job is not restarted for its silence meanwhile. */
export function progressWarnings(context: JobContext): readonly string[] {
  const { unheard } = context.digest ?? {};
  if (unheard === undefined || context.outcome || !jobPolicy(context).progress) return [];
  return [`progress cannot be heard: ${unheard}; the job is not taken for stalled meanwhile`];
}

/** Clears the stall of a job that has made progress since. */
export const withoutStallAfterProgress = (before: JobContext, after: JobContext): JobContext =>
  after.trouble?.reason === 'Stalled' && after.progress !== before.progress
    ? { ...after, trouble: undefined }
    : after;

export function stallTrouble(context: JobContext): JobTrouble {
  const { progress } = context;
  const limit = jobPolicy(context).progress?.stalledAfterMs ?? 0;
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
