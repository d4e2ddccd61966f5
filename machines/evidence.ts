import type { EvidenceSummary } from '../contracts/evidence.ts';
import type { JobContext } from './job-context.ts';
import type { Effect, PodIdentity } from './job-events.ts';
import { findLost } from './lost-nodes.ts';

/** Jobs admitted before there was evidence go on without it, so that their histories replay; none of them had a policy. */
const FIRST_GENERATION_WITH_EVIDENCE = 2;

/** Failed pods of which no evidence was taken yet. */
export function uncaptured(context: JobContext): readonly PodIdentity[] {
  const { generation = 1, plan } = context;
  if (generation < FIRST_GENERATION_WITH_EVIDENCE && !plan.policy) return [];
  return [...(context.digest?.failures ?? []), ...findLost(context)]
    .filter(({ uid }) => context.captured?.[uid] === undefined)
    .map(({ pod, uid }) => ({ pod, uid }));
}

/** Whether something is to be captured before what comes next. */
export const needsCapture = (context: JobContext) =>
  uncaptured(context).length > 0 || (context.trouble !== undefined && !context.trouble.captured);

/** A job in trouble without a failed pod is looked at where it says most. */
export function capture(context: JobContext): Effect {
  const pods = uncaptured(context);
  return { type: 'capture', attempt: context.attempt, ...(pods.length > 0 ? { pods } : {}) };
}

/** Whose evidence is being taken: what fails meanwhile is not among them. */
export const capturing = (context: JobContext): Pick<JobContext, 'capturing'> => ({
  capturing: uncaptured(context).map(({ uid }) => uid),
});

/** What is remembered of it: that it was taken, and which patterns were found. What was asked for in vain counts as taken. */
export function remembered(
  context: JobContext,
  evidence: readonly EvidenceSummary[],
): Pick<JobContext, 'captured' | 'capturing' | 'trouble'> {
  const found = new Map(evidence.map(({ uid, matches = [] }) => [uid, matches]));
  const asked = context.capturing ?? [];
  const present = new Set([...(context.digest?.failures ?? []), ...findLost(context)].map(({ uid }) => uid));
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
