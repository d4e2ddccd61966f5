import type { Digest } from '../../contracts/digest.ts';
import type { LeftPod } from '../../contracts/left-pod.ts';
import { type JobContext, LOOK } from '../model/job-context.ts';
import { withoutTimers, withTimer } from '../model/timers.ts';
import type { TerminatingPods } from '../model/waiting.ts';

/** A digest wakes the job sooner: this is for pods that the watcher cannot tell of, and for a watcher that is away. */
const PAUSE_MS = { least: 2_000, most: 1_800_000 };

/** How long pods may take, at a job's end, once their nodes should have said that they ended. */
const LEAVE_MS = 80_000;

interface Told {
  readonly left?: readonly LeftPod[];
  readonly revision: number;
}

/** What is known of pods that are left, and when to look again. */
export function withStuckPods(
  context: JobContext,
  { left = [], revision }: Told,
  at: number,
): Partial<JobContext> {
  const before = context.terminating;
  const since = before?.since ?? at;
  const terminating: TerminatingPods = {
    pods: left,
    since,
    dueAt: Math.max(before?.dueAt ?? since, ...left.map(({ until = since }) => until)),
    revision: Math.max(before?.revision ?? 0, revision),
    seen: newestOf(context)?.revision.pods ?? 0,
  };
  return { terminating, ...withTimer(context, LOOK, nextLookAt(context, terminating, at)) };
}

function nextLookAt(context: JobContext, terminating: TerminatingPods, at: number): number {
  const { pods, since, dueAt } = terminating;
  const pause = Math.min(Math.max(at - since, PAUSE_MS.least), PAUSE_MS.most);
  const ahead = pods.flatMap(({ until = 0 }) => (until > at ? until : []));
  const isUnseen = !areGone(newestOf(context), terminating);
  // Within their time a digest tells when they are gone, unless it has come already.
  const next = ahead.length > 0 && isUnseen ? Math.max(Math.min(...ahead), at + PAUSE_MS.least) : at + pause;
  const end = dueAt + LEAVE_MS;
  return context.outcome && end > at ? Math.min(next, end) : next;
}

export const withoutStuckPods = (context: JobContext): Partial<JobContext> => ({
  ...withoutTimers(context, LOOK),
  terminating: undefined,
  finalDigest: undefined,
});

/** A digest that came since then shows that those are gone who were waited for. */
export function areStuckPodsGone(context: JobContext): boolean {
  const { terminating, deadlines } = context;
  const digest = newestOf(context);
  if (!terminating || !digest || deadlines[LOOK] === undefined) return false;
  return digest.revision.pods > terminating.seen && areGone(digest, terminating);
}

/** It has seen that they were told to end, and does not name them any more. */
function areGone(digest: Digest | undefined, { pods, revision }: TerminatingPods): boolean {
  if (!digest || digest.revision.pods < revision || digest.earlier > 0) return false;
  const { failures, terminating = [], endangered = [] } = digest;
  const present = new Set([...failures, ...terminating, ...endangered].map(({ pod }) => pod));
  return pods.every(({ pod }) => !present.has(pod));
}

/** What is heard at the end of a job changes nothing that is said of it. */
const newestOf = ({ finalDigest, digest }: JobContext) => finalDigest ?? digest;

/** At the end of a job they are not waited for however long it takes. */
export const waitsAtTheEnd = ({ terminating }: JobContext, { left = [] }: Partial<Told>, at: number) =>
  left.length > 0 && at < (terminating?.dueAt ?? Number.POSITIVE_INFINITY) + LEAVE_MS;

/** Those that should have gone by now. */
export const overduePods = ({ terminating, at = 0 }: JobContext): readonly LeftPod[] =>
  (terminating?.pods ?? []).filter(({ until = at }) => until <= at);
