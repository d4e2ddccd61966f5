import type { EvidenceSummary } from '../../contracts/evidence.ts';
import type { JobContext } from '../model/job-context.ts';
import type { Effect, FailedPodIdentity, JobEvent } from '../model/job-events.ts';
import { findLost } from '../nodes/lost-nodes.ts';

/** Returns failed pods without evidence. */
export const uncaptured = (context: JobContext): readonly FailedPodIdentity[] =>
  podsToExplain(context)
    .filter(({ uid }) => context.captured?.[uid] === undefined)
    .map(({ pod, uid }) => ({ pod, uid }));

const podsToExplain = (context: JobContext): readonly FailedPodIdentity[] => [
  ...(context.digest?.failures ?? []),
  ...findLost(context),
  ...restartedToTheEnd(context),
];

/** Returns the pod whose in-place restarts ended the job: it needs evidence although it has not failed. */
function restartedToTheEnd({ digest, outcome }: JobContext): readonly FailedPodIdentity[] {
  const { crash } = digest ?? {};
  const isCause = outcome?.phase === 'Failed' && outcome.cause?.pod === crash?.pod;
  return crash && isCause ? [crash] : [];
}

/** Whether evidence must be taken before the next step. */
export const needsCapture = (context: JobContext) =>
  uncaptured(context).length > 0 || (context.trouble !== undefined && !context.trouble.captured);

/** If the job is in trouble and no pod failed, the activity chooses the pods. */
export function captureEffect(context: JobContext): Effect {
  const pods = uncaptured(context);
  return { type: 'capture', attempt: context.attempt, ...(pods.length > 0 ? { pods } : {}) };
}

/** Records whose evidence is being collected. Pods that fail meanwhile are not included. */
export const withCaptureStarted = (context: JobContext): Pick<JobContext, 'capturing'> => ({
  capturing: uncaptured(context).map(({ uid }) => uid),
});

/** Records that evidence was taken, and which patterns matched. Requested pods without evidence count as captured. */
export function withCaptured(
  context: JobContext,
  evidence: readonly EvidenceSummary[],
): Pick<JobContext, 'captured' | 'capturing' | 'trouble'> {
  const found = new Map(evidence.map(({ uid, matches = [] }) => [uid, matches]));
  const asked = context.capturing ?? [];
  const present = new Set(podsToExplain(context).map(({ uid }) => uid));
  const known = Object.entries(context.captured ?? {}).filter(([uid]) => present.has(uid));
  return {
    captured: {
      ...Object.fromEntries(known),
      ...Object.fromEntries(asked.map((uid) => [uid, found.get(uid) ?? []])),
    },
    capturing: undefined,
    trouble: context.trouble && { ...context.trouble, captured: true },
  };
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
