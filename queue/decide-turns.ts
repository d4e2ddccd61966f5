import type { GateLift } from '../contracts/digest.ts';
import { bindWithinMs } from '../contracts/gated-gang.ts';
import { shareOf } from '../explain/pack.ts';
import { sumOf } from '../explain/room.ts';
import { shapesOf } from '../explain/shape.ts';
import { type Check, type CheckedForms, checkGangs } from './check-gangs.ts';
import { compareGangs, type Gang, isBeingPlaced, isHeld, membersOf, waitsForNodes } from './gang.ts';
import { type GangVerdict, placingVerdict, unplacedVerdict, waitingVerdict } from './gang-verdicts.ts';
import { type Missed, missedTurns, passesOver } from './missed-turns.ts';
import { type Pool, rivalsOf } from './pool.ts';

/** How long a gang has to begin with the lift of its gates. */
export const TURN_MS = 15_000;
/** How much later no worker begins with it any more, by whatever clock. */
const MARGIN_MS = 10_000;
/** No turn that an earlier leader has given can be used after this time. */
export const TURN_IS_OVER_MS = TURN_MS + MARGIN_MS;

/** The turn of one gang to be lifted. */
interface Turn extends GateLift {
  readonly uid: string;
  /** When it was given, in epoch milliseconds. */
  readonly givenAt: number;
}

/** What one decision tells the next. */
export interface TurnMemory {
  /** The turn that is given, or that is not over yet. */
  readonly turn?: Turn;
  /** Since when gangs are being placed, by uid, in epoch milliseconds. */
  readonly placingSince?: ReadonlyMap<string, number>;
  /** Attempts of gangs that had their turn, by uid. */
  readonly hadTurn?: ReadonlyMap<string, number>;
  /** Gangs that have not used their turn, by uid. */
  readonly missed?: ReadonlyMap<string, Missed>;
  readonly checked?: CheckedForms;
}

export interface TurnDecision extends TurnMemory {
  readonly placingSince: ReadonlyMap<string, number>;
  /** By uid, for all gangs of which not all members have nodes. */
  readonly verdicts: ReadonlyMap<string, GangVerdict>;
}

interface Before extends TurnMemory {
  /** False while a turn may be under way that is not known: that of an earlier leader. */
  readonly mayGive: boolean;
}

/**
 * Decides which gang is lifted next: one at a time, the first in their order for which there is room as a whole. A gang
 * that does not fit is passed over, and so is for a while one that has not used its turn; where none fits, the first that is to be
 * lifted all the same has its turn. The same pool always gives the same decision.
 */
export function decideTurns(pool: Pool, before: Before): TurnDecision {
  const gangs = pool.gangs.toSorted(compareGangs);
  const placing = gangs.filter(isBeingPlaced);
  const placingSince = new Map(placing.map(({ uid }) => [uid, before.placingSince?.get(uid) ?? pool.at]));
  const hadTurn = withTurns(gangs, before);
  const isStuck = (gang: Gang) => pool.at > placingSince.get(gang.uid)! + stuckAfterMs(gang);
  const isExclusive = (gang: Gang) => hadTurn.has(gang.uid) && !isStuck(gang);
  const current = currentTurn(pool, gangs, before.turn);
  const missed = missedTurns({ before, current, gangs, at: pool.at });
  const isFree = !placing.some(isExclusive) && !current && before.mayGive;
  const { checks, checked } = checkGangs(
    withRivals(
      pool,
      placing.filter((gang) => !isExclusive(gang)),
      isStuck,
    ),
    gangs.filter(isHeld),
    before.checked,
  );
  const turn = (isFree ? nextTurn(checks, pool, missed) : undefined) ?? current;
  const busy = placing.find(isExclusive) ?? gangs.find(({ uid }) => uid === turn?.uid);
  const verdicts = new Map<string, GangVerdict>([
    ...placing.map((gang): [string, GangVerdict] => {
      const since = placingSince.get(gang.uid)!;
      const until = since + stuckAfterMs(gang);
      return [gang.uid, placingVerdict(gang, pool, { since, until, roles: rolesOf(gang, pool) })];
    }),
    ...gangs.filter(waitsForNodes).map((gang): [string, GangVerdict] => [gang.uid, unplacedVerdict(gang)]),
    ...checks.map((check): [string, GangVerdict] => [
      check.gang.uid,
      waitingVerdict(check, { turn, busy, at: pool.at, mayGive: before.mayGive }),
    ]),
  ]);
  return { ...(turn ? { turn } : {}), placingSince, hadTurn, missed, checked, verdicts };
}

/**
 * Who has lifted gates without a turn gets none by that, and holds up nobody: such pods are rivals like any. A leader that has
 * just taken over does not know which turns an earlier one has given.
 */
function withTurns(gangs: readonly Gang[], { turn, hadTurn, mayGive }: Before): ReadonlyMap<string, number> {
  const isNew = hadTurn === undefined || !mayGive;
  const had = gangs.filter(
    ({ uid, attempt, held, lifted, bound }) =>
      hadTurn?.get(uid) === attempt ||
      (turn?.uid === uid && turn.attempt === attempt) ||
      (isNew && lifted.length + bound > 0 && held.length + lifted.length > 0),
  );
  return new Map(had.map(({ uid, attempt }) => [uid, attempt]));
}

/**
 * Its job does not roll it back in time, and holds up the others: its pods then count as rivals. What its label says of its size
 * does not count: any user may edit that.
 */
const stuckAfterMs = (gang: Gang): number =>
  2 * bindWithinMs(Math.min(gang.size.total, membersOf(gang))) + 60_000;

/** Once they are stuck, only what a scheduler may still place. */
const withRivals = (pool: Pool, others: readonly Gang[], isStuck: (gang: Gang) => boolean): Pool => ({
  ...pool,
  rivals: [
    ...pool.rivals,
    ...others.flatMap((gang) =>
      rivalsOf(gang.namespace, isStuck(gang) ? gang.sought : [...gang.lifted, ...gang.held]),
    ),
  ],
});

/** Returns the turn that was given last, while its gang can still use it. */
function currentTurn({ at }: Pool, gangs: readonly Gang[], turn: Turn | undefined): Turn | undefined {
  const gang = turn && gangs.find(({ uid, attempt }) => uid === turn.uid && attempt === turn.attempt);
  if (!gang) return undefined;
  return isHeld(gang) && at <= turn.until + MARGIN_MS ? turn : undefined;
}

function nextTurn(
  checks: readonly Check[],
  pool: Pool,
  missed: ReadonlyMap<string, Missed>,
): Turn | undefined {
  const isNext = passesOver(missed, pool.at);
  const fitting = isNext(checks.filter(({ fits }) => fits));
  if (fitting) return giveTurn(fitting.gang, pool);
  const onQuota = isNext(checks.filter(({ gang, isReady }) => isReady && gang.liftsOnQuota));
  return onQuota && { ...giveTurn(onQuota.gang, pool), onQuota: true };
}

function giveTurn(gang: Gang, pool: Pool): Turn {
  const { uid, attempt } = gang;
  return { uid, attempt, roles: rolesOf(gang, pool), givenAt: pool.at, until: pool.at + TURN_MS };
}

/** Returns the roles whose gates are to be lifted, the most demanding first. */
function rolesOf({ held }: Gang, { nodes }: Pool): string[] {
  const total = sumOf(nodes.map(({ allocatable }) => allocatable));
  const shapes = shapesOf(held);
  const ordered = shapes.toSorted((a, b) => shareOf(b.requests, total) - shareOf(a.requests, total));
  return [...new Set(ordered.flatMap((shape) => shape.roles))];
}
