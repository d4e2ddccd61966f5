import type { EvidenceSummary } from '../../contracts/types.ts';
import type { Effect, FailedPodIdentity } from '../model/effects.ts';
import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { findLost } from '../nodes/lost-nodes.ts';
import {
  endsInKey,
  evidenceKeyOf,
  isClassifiedByPattern,
  type JobFailure,
  uidInKey,
} from './failure-class.ts';
import { findProgramCrashes } from './in-place.ts';

/** Returns failed pods without evidence. */
export const uncaptured = (context: JobContext): readonly FailedPodIdentity[] =>
  failuresWithout(context).map(({ pod, uid }) => ({ pod, uid }));

const failuresWithout = (context: JobContext): readonly ToExplain[] =>
  podsToExplain(context).filter((one) => context.captured?.[evidenceKeyOf(one)] === undefined);

type ToExplain = Pick<JobFailure, 'pod' | 'uid' | 'ends'>;

const podsToExplain = (context: JobContext): readonly ToExplain[] => [
  ...(context.digest?.failures ?? []),
  ...findLost(context),
  ...restartedToTheEnd(context),
  ...findProgramCrashes(context).filter((crash) => isClassifiedByPattern(context, crash)),
];

/** Returns the pod whose in-place restarts ended the job: it needs evidence although it has not failed. */
function restartedToTheEnd({ digest, outcome }: JobContext): readonly ToExplain[] {
  if (outcome?.phase !== 'Failed') return [];
  const crashed = [...(digest?.crash ? [digest.crash] : []), ...(digest?.programCrashes ?? [])];
  const cause = crashed.find(({ pod }) => pod === outcome.cause?.pod);
  return cause ? [{ pod: cause.pod, uid: cause.uid }] : [];
}

/** Whether evidence must be taken before the next step. */
export const needsCapture = (context: JobContext) =>
  uncaptured(context).length > 0 || (context.trouble !== undefined && !context.trouble.captured);

/**
 * Whether some evidence is taken, and what is missing is of pods that failed meanwhile, as the rest of a gang does: it is also
 * taken before they are deleted, and decides nothing unless a pattern does.
 */
export function hasEvidenceToBegin(context: JobContext): boolean {
  const failed = new Set(context.digest?.failures.map(({ uid }) => uid));
  const missing = failuresWithout(context);
  const hasSome = missing.length < podsToExplain(context).length;
  const isExplained = context.trouble === undefined || context.trouble.captured === true;
  return hasSome && isExplained && missing.every(({ uid }) => failed.has(uid));
}

/** If the job is in trouble and no pod failed, the activity chooses the pods. */
export function captureEffect(context: JobContext): Effect {
  const pods = uncaptured(context);
  const { reason, pod } = context.trouble ?? {};
  const shows = reason === 'Stalled' && pod !== undefined ? { shows: pod } : {};
  return { type: 'capture', attempt: context.attempt, ...(pods.length > 0 ? { pods } : shows) };
}

/** Records whose evidence is being collected. Pods that fail meanwhile are not included. */
export const withCaptureStarted = (context: JobContext): Pick<JobContext, 'capturing'> => ({
  capturing: failuresWithout(context).map(evidenceKeyOf),
});

/** Records that evidence was taken, and which patterns matched. Requested pods without evidence count as captured. */
export function withCaptured(
  context: JobContext,
  evidence: readonly EvidenceSummary[],
): Pick<JobContext, 'captured' | 'capturing' | 'trouble'> {
  const found = new Map(evidence.map((one) => [one.uid, one]));
  const asked = context.capturing ?? [];
  const taken = asked.map((key) => {
    const one = found.get(uidInKey(key));
    return [one ? examinedKey(key, context, one) : key, one?.matches ?? []] as const;
  });
  return {
    captured: { ...presentEvidence(context), ...Object.fromEntries(taken) },
    capturing: undefined,
    trouble: context.trouble && { ...context.trouble, captured: true },
  };
}

/** A program may have ended again before its evidence was taken, which then is of its latest end. */
function examinedKey(
  asked: string,
  { digest }: JobContext,
  { uid, container, ends }: EvidenceSummary,
): string {
  const latest = evidenceKeyOf({ uid, ends });
  const isOfProgram = digest?.programCrashes?.some((one) => one.uid === uid && one.container === container);
  return isOfProgram && endsInKey(latest) > endsInKey(asked) ? latest : asked;
}

/** Forgets what no digest can ask for any more. */
function presentEvidence(context: JobContext): NonNullable<JobContext['captured']> {
  const present = new Set(podsToExplain(context).map(evidenceKeyOf));
  const later = new Map(
    context.digest?.programCrashes?.map((one) => [one.uid, endsInKey(evidenceKeyOf(one))]),
  );
  const isPresent = (key: string) =>
    present.has(key) || endsInKey(key) > (later.get(uidInKey(key)) ?? Number.POSITIVE_INFINITY);
  return Object.fromEntries(Object.entries(context.captured ?? {}).filter(([key]) => isPresent(key)));
}

/**
 * Adds the reason to evidence without one: no container explains a pod on a lost node, or one that never started, but
 * the context from before the event does.
 */
export function withReasonsFromContext(event: JobEvent, context: JobContext): JobEvent {
  if (event.type !== 'effectDone' || !event.evidence) return event;
  const lost = new Map(findLost(context).map((one) => [one.uid, one]));
  const evidence = event.evidence.map((one) => {
    const known = lost.get(one.uid) ?? context.trouble;
    if (one.reason !== undefined || one.exitCode !== undefined || !known) return one;
    return { ...one, reason: known.reason, message: one.message ?? known.message };
  });
  return { ...event, evidence };
}
