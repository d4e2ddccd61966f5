import type { Digest } from '../../contracts/digest.ts';
import type { StuckPod } from '../../contracts/stuck-pod.ts';
import { LEFT_PODS_MS } from '../../contracts/timing.ts';
import type { JobContext } from '../model/job-context.ts';
import { jobPolicy } from '../model/policy.ts';
import type { TerminatingPods } from '../model/waiting.ts';

/** Usually a digest wakes the job earlier. This is for pods that the watcher cannot report, and for when it is down. */
const PAUSE_MS = { least: 2_000, most: 1_800_000 };

interface RemovalResult {
  readonly stuckPods?: readonly StuckPod[];
  readonly resourceVersion: number;
}

/** Records the pods that are left, and when to look again. */
export function withStuckPods(
  context: JobContext,
  { stuckPods = [], resourceVersion }: RemovalResult,
  at: number,
): Partial<JobContext> {
  const before = context.terminating;
  const since = before?.since ?? at;
  const terminating = {
    pods: stuckPods,
    since,
    dueAt: Math.max(before?.dueAt ?? since, ...stuckPods.map(({ until = since }) => until)),
    resourceVersion: Math.max(before?.resourceVersion ?? 0, resourceVersion),
    seen: newestOf(context)?.resourceVersions.pods ?? 0,
  };
  return { terminating: { ...terminating, nextLookAt: nextLookAt(context, terminating, at) } };
}

/** Returns when to look again for pods that are left, or to delete again what could not be deleted. */
export const looksAgainAt = ({ terminating, refusedCleanUp }: JobContext): number | undefined =>
  terminating?.nextLookAt ?? refusedCleanUp?.nextTryAt;

/** Called when the job looks or tries again. */
export const withLookBegun = ({ terminating, refusedCleanUp }: JobContext): Partial<JobContext> => ({
  terminating: terminating && { ...terminating, nextLookAt: undefined },
  refusedCleanUp: refusedCleanUp && { ...refusedCleanUp, nextTryAt: undefined },
});

/** Returns when pods that are left may be deleted by force; undefined if the policy does not allow it. */
export function forceDeleteAt(context: JobContext): number | undefined {
  const after = jobPolicy(context).nodes.forceDeleteAfterMs;
  const { deletingSince, outcome } = context;
  return outcome || after === undefined || deletingSince === undefined ? undefined : deletingSince + after;
}

function nextLookAt(context: JobContext, terminating: TerminatingPods, at: number): number {
  const { pods, since, dueAt } = terminating;
  const isUnwatched = newestOf(context)?.anchorDeleted === true;
  const pause = pauseAfter(at - since, { isUnwatched });
  const ahead = pods.flatMap(({ until = 0 }) => (until > at ? until : []));
  const isUnseen = !isUnwatched && !areGone(newestOf(context), terminating);
  // Within their grace period a digest reports that they are gone, unless it has already arrived.
  const next = ahead.length > 0 && isUnseen ? Math.max(Math.min(...ahead), at + PAUSE_MS.least) : at + pause;
  const end = dueAt + LEFT_PODS_MS;
  return context.outcome && end > at ? Math.min(next, end) : next;
}

/** The watcher does not follow pods whose anchor is gone. A later job of the name may wait for their end. */
const pauseAfter = (waitedMs: number, { isUnwatched }: { readonly isUnwatched: boolean }) =>
  Math.min(Math.max(isUnwatched ? waitedMs / 4 : waitedMs, PAUSE_MS.least), PAUSE_MS.most);

export const withoutStuckPods = (context: JobContext): Partial<JobContext> => ({
  ...withLookBegun(context),
  terminating: undefined,
  finalDigest: undefined,
});

/** Whether a later digest shows that the awaited pods are gone. */
export function areStuckPodsGone(context: JobContext): boolean {
  const { terminating } = context;
  const digest = newestOf(context);
  if (!digest || terminating?.nextLookAt === undefined) return false;
  return digest.resourceVersions.pods > terminating.seen && areGone(digest, terminating);
}

/** Whether the digest has seen the deletions and does not list the pods any more. */
function areGone(digest: Digest | undefined, { pods, resourceVersion }: TerminatingPods): boolean {
  if (!digest || digest.resourceVersions.pods < resourceVersion || digest.earlier > 0) return false;
  const { failures, terminating = [], endangered = [] } = digest;
  const present = new Set([...failures, ...terminating, ...endangered].map(({ pod }) => pod));
  return pods.every(({ pod }) => !present.has(pod));
}

/** Digests during clean-up are kept apart: they do not change the reported status. */
const newestOf = ({ finalDigest, digest }: JobContext) => finalDigest ?? digest;

/**
 * Whether clean-up waits for the remaining pods: only for a limited time, and not for those whose containers have ended,
 * which use nothing.
 */
export const waitsAtTheEnd = (
  { terminating }: JobContext,
  { stuckPods = [] }: Partial<RemovalResult>,
  at: number,
) =>
  stuckPods.some(({ heldBy }) => heldBy === undefined) &&
  at < (terminating?.dueAt ?? Number.POSITIVE_INFINITY) + LEFT_PODS_MS;

/** Returns the pods that should be gone by now. */
export const overduePods = ({ terminating, at }: JobContext): readonly StuckPod[] =>
  (terminating?.pods ?? []).filter(({ until = at }) => until <= at);
