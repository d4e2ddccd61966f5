import type { Cause } from '../../contracts/types.ts';
import { earliest, timeOf } from '../../language/time.ts';
import type { Effect } from '../model/effects.ts';
import { cancelledTracks, type RunnableType, trackOf } from '../model/effects.ts';
import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';
import type { RefusedEffect } from '../model/waiting.ts';

type Refused = Extract<JobEvent, { readonly type: 'effectRefused' }>;

/** Evidence justifies a minute's wait, but must not block a restart. */
const EVIDENCE_MS = 60_000;

export function withRefusal(context: JobContext, event: Refused): Pick<JobContext, 'refusedEffects'> {
  const { effect, cause, at } = event;
  const known = context.refusedEffects?.[effect];
  const isLimited = effect === 'capture' || (event.isLimited && !context.outcome);
  const since = known?.isLimited === isLimited ? known.since : at;
  return { refusedEffects: { ...context.refusedEffects, [effect]: { cause, since, isLimited } } };
}

/**
 * Returns when a job has waited too long for refused effects; undefined if nothing limits the wait. Refused evidence
 * counts only while the job waits for it.
 */
export function refusalsEndAt(
  context: JobContext,
  { isCapturing }: { readonly isCapturing: boolean },
): number | undefined {
  const ends = Object.entries(context.refusedEffects ?? {})
    .filter(([effect]) => isCapturing || effect !== 'capture')
    .flatMap(([effect, refusal]) => endOfRefusal(context, effect, refusal) ?? []);
  return earliest(ends);
}

function endOfRefusal(
  context: JobContext,
  effect: string,
  { since, isLimited }: RefusedEffect,
): number | undefined {
  if (effect === 'capture') return since + EVIDENCE_MS;
  // A refusal does not change an outcome: the clean-up is retried without limit.
  return context.outcome || !isLimited ? undefined : since + failAfter(context);
}

const failAfter = (context: JobContext) => jobPolicy(context).refusals.failAfterMs;

/** Removes refusals that the event answers or newer effects replace. Returns the same context if there are none. */
export function withoutSettledRefusals(
  context: JobContext,
  event: JobEvent,
  effects: readonly Effect[],
): JobContext {
  const { refusedEffects } = context;
  if (!refusedEffects) return context;
  const isSettled = (type: string) =>
    (event.type !== 'effectRefused' && 'effect' in event && event.effect === type) ||
    effects.some((effect) => isCancelledBy(effect.type, type as RunnableType));
  const left = Object.entries(refusedEffects).filter(([type]) => !isSettled(type));
  if (left.length === Object.keys(refusedEffects).length) return context;
  return { ...context, refusedEffects: left.length > 0 ? Object.fromEntries(left) : undefined };
}

/** Whether the workflow cancels an effect for a newer one. */
const isCancelledBy = (newer: Effect['type'], older: RunnableType): boolean =>
  newer !== 'tryAgain' && cancelledTracks(newer).includes(trackOf(older));

/** Returns the refusals that the job waits for. */
export const refusalCauses = (context: JobContext): Cause[] =>
  Object.entries(context.refusedEffects ?? {}).map(([effect, refusal]) => {
    const { cause } = refusal;
    const until = endOfRefusal(context, effect, refusal);
    const limit = until === undefined ? '' : ` until ${timeOf(until)}`;
    return { ...cause, message: `${cause.message}; retrying${limit}` };
  });

/** Returns why a job ends that waited too long for a refused effect. */
export function refusedTooLong(context: JobContext): Cause {
  const limited = Object.values(context.refusedEffects ?? {}).filter(({ isLimited }) => isLimited);
  const [first] = limited.sort((a, b) => a.since - b.since);
  const rule = policyRule('refusals.failAfter', `${failAfter(context) / 1000}s`);
  const said = first ? `${first.cause.reason}: ${first.cause.message}` : 'no cause was recorded';
  return { reason: 'ClusterRefused', message: `refused for too long; ${said}; ${rule}`, rule };
}

/** Whether the job already reports this refusal. Otherwise each try would add a timeline entry. */
export const isKnownRefusal = ({ refusedEffects }: JobContext, event: JobEvent): boolean =>
  event.type === 'effectRefused' && refusedEffects?.[event.effect]?.cause.reason === event.cause.reason;
