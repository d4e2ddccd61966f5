import { DEFAULT_POLICY } from '../../contracts/policy.ts';
import type { Cause } from '../../contracts/status.ts';
import { type JobContext, REFUSED } from '../model/job-context.ts';
import type { Effect, JobEvent } from '../model/job-events.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';
import { timeOf } from '../model/time.ts';
import { withoutTimers, withTimer } from '../model/timers.ts';

type Refusals = NonNullable<JobContext['refusedEffects']>;
type Refused = Extract<JobEvent, { readonly type: 'effectRefused' }>;

/** Evidence is worth a minute's wait, not a restart that never comes. */
const EVIDENCE_MS = 60_000;

export function withRefusal(context: JobContext, event: Refused): Partial<JobContext> {
  const known = context.refusedEffects?.[event.effect];
  const limitMs = limitOf(context, event);
  const isSameKind = known !== undefined && (known.until === undefined) === (limitMs === undefined);
  const since = isSameKind ? known.since : event.at;
  const refusal = { cause: event.cause, since, until: limitMs === undefined ? undefined : since + limitMs };
  return timed(context, { ...context.refusedEffects, [event.effect]: refusal });
}

/** Undefined: it is waited for as long as it takes. */
function limitOf(context: JobContext, { effect, isLimited }: Refused): number | undefined {
  // Nothing that cannot be done changes an outcome; an end waits until it has been cleaned up.
  if (effect === 'capture') return EVIDENCE_MS;
  if (context.outcome || !isLimited) return undefined;
  return failAfter(context);
}

const failAfter = (context: JobContext) =>
  (jobPolicy(context).refusals ?? DEFAULT_POLICY.refusals).failAfterMs;

/** One timer for all: it rings for the first whose time is over. */
function timed(context: JobContext, refusals: Refusals): Pick<JobContext, 'refusedEffects' | 'deadlines'> {
  const ends = Object.values(refusals).flatMap(({ until }) => until ?? []);
  const present = Object.keys(refusals).length > 0 ? refusals : undefined;
  const { deadlines } =
    ends.length > 0 ? withTimer(context, REFUSED, Math.min(...ends)) : withoutTimers(context, REFUSED);
  return { refusedEffects: present, deadlines };
}

/** The context without what an event answers, or what other effects took the place of; mostly the same one. */
export function withoutSettledRefusals(
  context: JobContext,
  event: JobEvent,
  effects: readonly Effect[],
): JobContext {
  const { refusedEffects } = context;
  if (!refusedEffects) return context;
  const isSettled = (type: string) =>
    (event.type !== 'effectRefused' && 'effect' in event && event.effect === type) ||
    effects.some((effect) => takesPlaceOf(effect.type, type));
  const left = Object.entries(refusedEffects).filter(([type]) => !isSettled(type));
  if (left.length === Object.keys(refusedEffects).length) return context;
  return { ...context, ...timed(context, Object.fromEntries(left)) };
}

/** As the workflow performs them: lists and rules beside all the rest. */
function takesPlaceOf(newer: Effect['type'], older: string): boolean {
  if (newer === 'tryAgain') return false;
  if (BESIDE.has(newer)) return newer === older;
  return !BESIDE.has(older);
}

const BESIDE: ReadonlySet<string> = new Set<Effect['type']>(['publishHostList', 'publishRules']);

/** What a job waits for, of all that is refused; undefined: nothing is. */
export function refusalCause({ refusedEffects, outcome }: JobContext): Cause | undefined {
  if (outcome) return undefined;
  const [first] = Object.values(refusedEffects ?? {});
  if (!first) return undefined;
  const { cause, until } = first;
  const limit = until === undefined ? '' : ` until ${timeOf(until)}`;
  return { ...cause, message: `${cause.message}; waiting, and trying again${limit}` };
}

/** Why a job ends that has waited for too long. */
export function refusedTooLong(context: JobContext): Cause {
  const limited = Object.values(context.refusedEffects ?? {}).filter(({ until }) => until !== undefined);
  const [first] = limited.sort((a, b) => a.since - b.since);
  const rule = policyRule('refusals.failAfter', `${failAfter(context) / 1000}s`);
  const said = first ? `${first.cause.reason}: ${first.cause.message}` : 'no cause was recorded';
  return { reason: 'ClusterRefused', message: `refused for too long; ${said}; ${rule}`, rule };
}

/** The job says so already: each try would be an entry of its own otherwise. */
export const isKnownRefusal = ({ refusedEffects }: JobContext, event: JobEvent): boolean =>
  event.type === 'effectRefused' && refusedEffects?.[event.effect]?.cause.reason === event.cause.reason;
