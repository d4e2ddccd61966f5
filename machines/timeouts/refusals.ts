import { DEFAULT_POLICY } from '../../contracts/policy.ts';
import type { Cause } from '../../contracts/status.ts';
import { cancelledLanes, laneOf, type RunnableType } from '../model/effect-lanes.ts';
import { type JobContext, REFUSED } from '../model/job-context.ts';
import type { Effect, JobEvent } from '../model/job-events.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';
import { timeOf } from '../model/time.ts';
import { withoutTimers, withTimer } from '../model/timers.ts';

type Refusals = NonNullable<JobContext['refusedEffects']>;
type Refused = Extract<JobEvent, { readonly type: 'effectRefused' }>;

/** Evidence justifies a minute's wait, but must not block a restart. */
const EVIDENCE_MS = 60_000;

export function withRefusal(context: JobContext, event: Refused): Partial<JobContext> {
  const known = context.refusedEffects?.[event.effect];
  const limitMs = limitOf(context, event);
  const isSameKind = known !== undefined && (known.until === undefined) === (limitMs === undefined);
  const since = isSameKind ? known.since : event.at;
  const refusal = { cause: event.cause, since, until: limitMs === undefined ? undefined : since + limitMs };
  return timed(context, { ...context.refusedEffects, [event.effect]: refusal });
}

/** Returns the limit of the wait; undefined: no limit. */
function limitOf(context: JobContext, { effect, isLimited }: Refused): number | undefined {
  // A refusal does not change an outcome: the clean-up is retried without limit.
  if (effect === 'capture') return EVIDENCE_MS;
  if (context.outcome || !isLimited) return undefined;
  return failAfter(context);
}

const failAfter = (context: JobContext) =>
  (jobPolicy(context).refusals ?? DEFAULT_POLICY.refusals).failAfterMs;

/** One timer for all refusals, set to the earliest limit. */
function timed(context: JobContext, refusals: Refusals): Pick<JobContext, 'refusedEffects' | 'deadlines'> {
  const ends = Object.values(refusals).flatMap(({ until }) => until ?? []);
  const present = Object.keys(refusals).length > 0 ? refusals : undefined;
  const { deadlines } =
    ends.length > 0 ? withTimer(context, REFUSED, Math.min(...ends)) : withoutTimers(context, REFUSED);
  return { refusedEffects: present, deadlines };
}

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
  return { ...context, ...timed(context, Object.fromEntries(left)) };
}

/** Whether the workflow cancels an effect for a newer one. */
const isCancelledBy = (newer: Effect['type'], older: RunnableType): boolean =>
  newer !== 'tryAgain' && cancelledLanes(newer).includes(laneOf(older));

/** Returns the first refusal that the job waits for; undefined if there is none. */
export function refusalCause({ refusedEffects, outcome }: JobContext): Cause | undefined {
  if (outcome) return undefined;
  const [first] = Object.values(refusedEffects ?? {});
  if (!first) return undefined;
  const { cause, until } = first;
  const limit = until === undefined ? '' : ` until ${timeOf(until)}`;
  return { ...cause, message: `${cause.message}; waiting, and trying again${limit}` };
}

/** Returns why a job ends that waited too long for a refused effect. */
export function refusedTooLong(context: JobContext): Cause {
  const limited = Object.values(context.refusedEffects ?? {}).filter(({ until }) => until !== undefined);
  const [first] = limited.sort((a, b) => a.since - b.since);
  const rule = policyRule('refusals.failAfter', `${failAfter(context) / 1000}s`);
  const said = first ? `${first.cause.reason}: ${first.cause.message}` : 'no cause was recorded';
  return { reason: 'ClusterRefused', message: `refused for too long; ${said}; ${rule}`, rule };
}

/** Whether the job already reports this refusal. Otherwise each try would add a timeline entry. */
export const isKnownRefusal = ({ refusedEffects }: JobContext, event: JobEvent): boolean =>
  event.type === 'effectRefused' && refusedEffects?.[event.effect]?.cause.reason === event.cause.reason;
