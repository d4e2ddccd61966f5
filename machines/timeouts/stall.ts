import type { Plan } from '../../contracts/training-job.ts';
import { timeOf } from '../../language/time.ts';
import type { JobContext, JobTrouble, KnownProgress } from '../model/job-context.ts';
import { jobPolicy, ownPlan, policyRule } from '../model/policy.ts';

/**
 * Returns when a running job stalls; undefined if the policy sets no limit. A report of progress does not move the time,
 * because a new timer for each report would fill the history. When the timer fires, the last report counts.
 */
export function stallsAt(context: JobContext): number | undefined {
  if (restartsHung(context)) return context.hangJudgedAt;
  const limit = jobPolicy(context).progress?.stalledAfterMs;
  const { silentSince, followedSince = 0 } = context;
  if (limit === undefined || silentSince === undefined) return undefined;
  return Math.max(silentSince, followedSince) + limit;
}

/** Whether the program has reported progress within the limit. */
export const hasReportedProgress = (context: JobContext, now: number): boolean =>
  context.progress !== undefined && reportedAt(context.progress) + limitOf(context) > now;

/** Returns when the program made its last report, as far as that is known. */
export const reportedAt = ({ reportedAt: told, at }: KnownProgress): number => told ?? at;

/** Whether a job restarts that makes no steps: only one whose policy names nothing that reports progress. */
function restartsHung(context: JobContext): boolean {
  const { log, annotation, onHang } = jobPolicy(context).progress ?? {};
  return (log ?? annotation) === undefined && (onHang ?? ownPlan(context).onHang) === 'restart';
}

/** Records when it is judged that the job makes no steps: at once, by an answer of the watcher. */
export const withHang = ({ digest, hangJudgedAt, at }: JobContext): Pick<JobContext, 'hangJudgedAt'> => ({
  hangJudgedAt: digest?.noSteps === undefined ? undefined : (hangJudgedAt ?? at),
});

/** Whether the watcher has followed the program for the whole limit without a report, or still tells of a hang. */
export function isSilent(context: JobContext): boolean {
  const { progressFault, noSteps, silentMs = limitOf(context) } = context.digest ?? {};
  if (progressFault !== undefined) return false;
  return restartsHung(context) ? noSteps !== undefined : silentMs >= limitOf(context);
}

/** A hang that could not be confirmed is judged again. */
const AGAIN_MS = 60_000;

/** Records that the limit has passed and the silence is not proven. */
export const withUnprovenSilence = (
  context: JobContext,
  now: number,
): Pick<JobContext, 'silentSince' | 'hangJudgedAt'> => ({
  silentSince: followedWithoutReport(context, now),
  hangJudgedAt: context.digest?.noSteps === undefined ? undefined : now + AGAIN_MS,
});

/** Returns since when the watcher has followed the program without a report, which is not the whole limit yet. */
function followedWithoutReport({ digest }: JobContext, now: number): number {
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
  const { stalledAfterMs: _, onHang: _hang, ...sources } = jobPolicy(job).progress ?? {};
  return JSON.stringify(sources);
}

const limitOf = (context: JobContext) => jobPolicy(context).progress?.stalledAfterMs ?? 0;

/** Warns while progress cannot be read: the job is not restarted for its silence meanwhile. */
export function progressWarnings(context: JobContext): readonly string[] {
  const { progressFault } = context.digest ?? {};
  if (progressFault === undefined || context.outcome) return [];
  if (!jobPolicy(context).progress && !restartsHung(context)) return [];
  return [`progress cannot be read: ${progressFault}; the job does not count as stalled meanwhile`];
}

/** Tells that the program makes no steps. */
export const stepWarnings = ({ digest, outcome }: JobContext): readonly string[] =>
  digest?.noSteps === undefined || outcome ? [] : [digest.noSteps];

/** Clears the stall of a job that has made progress since. */
export const withoutStallAfterProgress = (before: JobContext, after: JobContext): JobContext =>
  after.trouble?.reason === 'Stalled' && after.progress !== before.progress
    ? { ...after, trouble: undefined }
    : after;

export function stallTrouble(context: JobContext): JobTrouble {
  const { silentPod, noSteps } = context.digest ?? {};
  const isHang = restartsHung(context);
  const rule = isHang ? ruleOfHang(context) : ruleOfLimit(context);
  const said = isHang ? [noSteps, silentPod && `by the log of ${silentPod.pod}`] : silence(context);
  return {
    class: 'stalled',
    reason: 'Stalled',
    message: [...said, rule].filter(Boolean).join('; '),
    rule,
    ...silentPod,
    least: 'gang',
  };
}

function ruleOfHang(context: JobContext): string {
  const isOfPolicy = jobPolicy(context).progress?.onHang !== undefined;
  return isOfPolicy ? policyRule('progress.onHang', 'restart') : 'SIGNALBOX_ON_HANG: restart';
}

const ruleOfLimit = (context: JobContext): string =>
  policyRule('progress.stalledAfter', `${limitOf(context) / 1000}s`);

function silence(context: JobContext): readonly (string | undefined)[] {
  const { progress } = context;
  const last = progress
    ? `since ${timeOf(reportedAt(progress))}, when it was ${progress.value}`
    : 'since it started running';
  return [`no progress ${last}`, explainLog(context)];
}

/** Says what was read in vain: the pattern may be wrong, or the program writes no line ends. */
function explainLog({ digest, progress }: JobContext): string | undefined {
  const lines = digest?.linesRead;
  if (lines === undefined || progress) return undefined;
  return lines === 0
    ? 'its log has no line yet: what a program writes without a line end arrives only after 16 KiB'
    : `${lines === 1 ? '1 line of its log was' : `${lines} lines of its log were`} read, and none matched progress.log`;
}
