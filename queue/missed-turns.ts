import { doubledPause } from '../language/back-off.ts';
import type { Check } from './check-gangs.ts';
import { type Gang, isHeld } from './gang.ts';

/** How often in a row a gang has not used its turn, and when it was over last, in epoch milliseconds. */
export interface Missed {
  readonly times: number;
  readonly at: number;
}

/** How long others that fit have their turn first; it doubles with each turn that is not used. */
const PAUSE = { firstMs: 30_000, mostMs: 600_000 } as const;

interface Turns {
  readonly before: {
    readonly turn?: { readonly uid: string; readonly attempt: number };
    readonly missed?: ReadonlyMap<string, Missed>;
  };
  /** What is left of the turn before. */
  readonly current: object | undefined;
  readonly gangs: readonly Gang[];
  readonly at: number;
}

/** Adds the gang whose turn is over, although all its gates are there. Gangs that are gone, or were lifted, are forgotten. */
export function missedTurns({ before, current, gangs, at }: Turns): ReadonlyMap<string, Missed> {
  const { turn } = before;
  const held = new Map(gangs.filter(isHeld).map((gang) => [gang.uid, gang]));
  const kept = [...(before.missed ?? [])].filter(([uid]) => held.has(uid));
  if (!turn || current || held.get(turn.uid)?.attempt !== turn.attempt) return new Map(kept);
  const times = (before.missed?.get(turn.uid)?.times ?? 0) + 1;
  return new Map([...kept, [turn.uid, { times, at }]]);
}

/** Returns how many turns were over since another decision. */
export const newlyMissed = (
  before: ReadonlyMap<string, Missed> | undefined,
  after: ReadonlyMap<string, Missed> | undefined,
): number => [...(after ?? [])].filter(([uid, { times }]) => times > (before?.get(uid)?.times ?? 0)).length;

/** Returns what chooses the first that has not just missed its turn; where all have, the one that missed it first. */
export function passesOver(missed: ReadonlyMap<string, Missed>, now: number) {
  const pausesUntil = ({ gang }: Check) => {
    const { times, at } = missed.get(gang.uid) ?? { times: 0, at: Number.NEGATIVE_INFINITY };
    return at + doubledPause(PAUSE, times);
  };
  return (checks: readonly Check[]): Check | undefined =>
    checks.find((check) => pausesUntil(check) <= now) ??
    checks.toSorted((a, b) => pausesUntil(a) - pausesUntil(b))[0];
}
