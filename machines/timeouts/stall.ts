import type { Plan } from '../../contracts/training-job.ts';
import type { JobContext, JobTrouble } from '../model/job-context.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';
import { timeOf } from '../model/time.ts';

/**
 * Returns when a running job stalls; undefined if the policy sets no limit. A report of progress does not move the time,
 * because a new timer for each report would fill the history. When the timer fires, the last report counts.
 */
export function stallsAt(context: JobContext): number | undefined {
  const limit = jobPolicy(context).progress?.stalledAfterMs;
  const { silentSince, followedSince = 0 } = context;
  if (limit === undefined || silentSince === undefined) return undefined;
  return Math.max(silentSince, followedSince) + limit;
}

/** Whether the program has reported progress within the limit. */
export const hasReportedProgress = (context: JobContext, now: number): boolean =>
  context.progress !== undefined && context.progress.at + limitOf(context) > now;

/** Whether the watcher has followed the program for the whole limit without a report. */
export const isSilent = (context: JobContext): boolean =>
  context.digest?.progressFault === undefined &&
  (context.digest?.silentMs ?? limitOf(context)) >= limitOf(context);

/** Returns since when the watcher has followed the program without a report, which is not the whole limit yet. */
export function followedWithoutReport({ digest }: JobContext, now: number): number {
  const listened = digest?.progressFault === undefined ? (digest?.silentMs ?? 0) : 0;
  return now - listened;
}

/** Records when other rules for progress take effect: by them, the watcher has not followed the program before. */
export function withFollowedSince(
  context: JobContext,
  wanted: Plan,
  at: number,
): Pick<JobContext, 'followedSince'> {
  const isFollowedAlready = sourcesOf(context) === sourcesOf({ plan: wanted });
  return { followedSince: isFollowedAlready ? context.followedSince : at };
}

/** What the watcher looks for. */
function sourcesOf(job: Pick<JobContext, 'plan'>): string {
  const { stalledAfterMs: _, ...sources } = jobPolicy(job).progress ?? {};
  return JSON.stringify(sources);
}

const limitOf = (context: JobContext) => jobPolicy(context).progress?.stalledAfterMs ?? 0;

/** Warns while progress cannot be read: the job is not restarted for its silence meanwhile. */
export function progressWarnings(context: JobContext): readonly string[] {
  const { progressFault } = context.digest ?? {};
  if (progressFault === undefined || context.outcome || !jobPolicy(context).progress) return [];
  return [`progress cannot be read: ${progressFault}; the job does not count as stalled meanwhile`];
}

/** Clears the stall of a job that has made progress since. */
export const withoutStallAfterProgress = (before: JobContext, after: JobContext): JobContext =>
  after.trouble?.reason === 'Stalled' && after.progress !== before.progress
    ? { ...after, trouble: undefined }
    : after;

export function stallTrouble(context: JobContext): JobTrouble {
  const { progress } = context;
  const limit = limitOf(context);
  const rule = policyRule('progress.stalledAfter', `${limit / 1000}s`);
  const last = progress
    ? `since ${timeOf(progress.at)}, when it was ${progress.value}`
    : 'since it started running';
  return {
    class: 'stalled',
    reason: 'Stalled',
    message: [`no progress ${last}`, explainLog(context), rule].filter(Boolean).join('; '),
    rule,
    ...context.digest?.silentPod,
    least: 'gang',
  };
}

/** Says what was read in vain: the pattern may be wrong, or the program writes no line ends. */
function explainLog({ digest, progress }: JobContext): string | undefined {
  const lines = digest?.linesRead;
  if (lines === undefined || progress) return undefined;
  return lines === 0
    ? 'its log has no line yet: what a program writes without a line end arrives only after 16 KiB'
    : `${lines === 1 ? '1 line of its log was' : `${lines} lines of its log were`} read, and none matched progress.log`;
}
