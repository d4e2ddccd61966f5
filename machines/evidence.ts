import type { EvidenceSummary } from '../contracts/evidence.ts';
import type { JobContext } from './job-context.ts';
import type { Effect, PodIdentity } from './job-events.ts';
import { findLost } from './lost-nodes.ts';

/** Jobs admitted before there was evidence go on without it, so that their histories replay. */
const FIRST_GENERATION_WITH_EVIDENCE = 2;

/** Failed pods of which no evidence was taken yet. */
export function uncaptured(context: JobContext): readonly PodIdentity[] {
  if ((context.generation ?? 1) < FIRST_GENERATION_WITH_EVIDENCE) return [];
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

/** What is remembered of it: that it was taken, and which patterns were found. What was asked for in vain counts as taken. */
export function remembered(
  context: JobContext,
  evidence: readonly EvidenceSummary[],
): Pick<JobContext, 'captured' | 'trouble'> {
  const found = new Map(evidence.map(({ uid, matches = [] }) => [uid, matches]));
  const asked = uncaptured(context).map(({ uid }) => uid);
  const present = new Set([...(context.digest?.failures ?? []), ...findLost(context)].map(({ uid }) => uid));
  const known = Object.entries(context.captured ?? {}).filter(([uid]) => present.has(uid));
  return {
    captured: {
      ...Object.fromEntries(known),
      ...Object.fromEntries(asked.map((uid) => [uid, found.get(uid) ?? []])),
    },
    trouble: context.trouble && { ...context.trouble, captured: true },
  };
}
