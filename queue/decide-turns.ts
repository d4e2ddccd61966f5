import type { GangDigest, GateLift } from '../contracts/digest.ts';
import { bindWithinMs } from '../contracts/gated-gang.ts';
import type { WaitReason } from '../explain/answer.ts';
import { explainSituation } from '../explain/explain.ts';
import { shareOf } from '../explain/pack.ts';
import { sumOf } from '../explain/room.ts';
import { podsText } from '../explain/rule.ts';
import { shapesOf, uncheckedTerms } from '../explain/shape.ts';
import type { NodeView, Situation } from '../explain/situation.ts';
import { compareGangs, type Gang, isBeingPlaced, isHeld, nameOfGang, waitsForNodes } from './gang.ts';
import { type Pool, reserveFor, rivalsOf } from './pool.ts';

/** How long a gang has to begin with the lift of its gates. */
export const TURN_MS = 15_000;
/** How much later no worker begins with it any more, by whatever clock. */
const MARGIN_MS = 10_000;
/** No turn that an earlier leader has given can be used after this time. */
export const TURN_IS_OVER_MS = TURN_MS + MARGIN_MS;
/** How many gangs are checked in one decision, in their order. */
const MOST_CHECKED = 50;

/** The turn of one gang to be lifted. */
interface Turn extends GateLift {
  readonly uid: string;
  /** When it was given, in epoch milliseconds. */
  readonly givenAt: number;
}

/** What is told to the job of a gang. */
export interface GangVerdict extends GangDigest {
  readonly attempt: number;
}

export interface TurnDecision {
  /** The turn that is given, or that is not over yet. */
  readonly turn?: Turn;
  /** Since when gangs are being placed, by uid, in epoch milliseconds. */
  readonly placingSince: ReadonlyMap<string, number>;
  /** By uid, for all gangs of which not all members have nodes. */
  readonly verdicts: ReadonlyMap<string, GangVerdict>;
}

interface Before {
  /** Of the last decision. */
  readonly turn?: Turn;
  readonly placingSince?: ReadonlyMap<string, number>;
  /** False while a turn may be under way that is not known: that of an earlier leader. */
  readonly mayGive: boolean;
}

/**
 * Decides which gang is lifted next: one at a time, the first in their order for which there is room as a whole. A gang
 * that does not fit is passed over; where none fits, the first that is to be lifted all the same has its turn. The same pool
 * always gives the same decision.
 */
export function decideTurns(pool: Pool, before: Before): TurnDecision {
  const gangs = pool.gangs.toSorted(compareGangs);
  const placing = gangs.filter(isBeingPlaced);
  const placingSince = new Map(placing.map(({ uid }) => [uid, before.placingSince?.get(uid) ?? pool.at]));
  const isStuck = (gang: Gang) => pool.at > placingSince.get(gang.uid)! + stuckAfterMs(gang);
  const current = currentTurn(pool, gangs, before.turn);
  const isFree = placing.every(isStuck) && !current && before.mayGive;
  const checks = checkAll(withRivals(pool, placing.filter(isStuck)), gangs.filter(isHeld));
  const turn = (isFree ? nextTurn(checks, pool) : undefined) ?? current;
  const busy = placing[0] ?? gangs.find(({ uid }) => uid === turn?.uid);
  const verdicts = new Map<string, GangVerdict>([
    ...placing.map((gang): [string, GangVerdict] => [
      gang.uid,
      placingVerdict(gang, pool, placingSince.get(gang.uid)!),
    ]),
    ...gangs.filter(waitsForNodes).map((gang): [string, GangVerdict] => [gang.uid, unplacedVerdict(gang)]),
    ...checks.map((check): [string, GangVerdict] => [
      check.gang.uid,
      waitingVerdict(check, { turn, busy, at: pool.at, mayGive: before.mayGive }),
    ]),
  ]);
  return { ...(turn ? { turn } : {}), placingSince, verdicts };
}

/** Its job does not roll it back in time, and holds up the others: its pods then count as rivals. */
const stuckAfterMs = ({ size }: Gang): number => 2 * bindWithinMs(size.total) + 60_000;

const withRivals = (pool: Pool, stuck: readonly Gang[]): Pool => ({
  ...pool,
  rivals: [...pool.rivals, ...stuck.flatMap(({ lifted, held }) => rivalsOf([...lifted, ...held]))],
});

/** Returns the turn that was given last, while its gang can still use it. */
function currentTurn({ at }: Pool, gangs: readonly Gang[], turn: Turn | undefined): Turn | undefined {
  const gang = turn && gangs.find(({ uid, attempt }) => uid === turn.uid && attempt === turn.attempt);
  if (!gang) return undefined;
  return isHeld(gang) && at <= turn.until + MARGIN_MS ? turn : undefined;
}

function nextTurn(checks: readonly Check[], pool: Pool): Turn | undefined {
  const fitting = checks.find(({ fits }) => fits);
  if (fitting) return giveTurn(fitting.gang, pool);
  const onQuota = checks.find(({ gang, isReady }) => isReady && gang.liftsOnQuota);
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

interface Check {
  readonly gang: Gang;
  /** All of it is there and may be lifted. */
  readonly isReady: boolean;
  readonly fits: boolean;
  readonly ahead: readonly Gang[];
  /** Why it does not fit. */
  readonly why?: Pick<WaitReason, 'code' | 'sentence' | 'heldBy'> | Told;
}

interface Told {
  readonly code: string;
  readonly sentence: string;
}

function checkAll(pool: Pool, waiting: readonly Gang[]): readonly Check[] {
  const reserved = new Map<number, readonly NodeView[]>();
  const nodesFor = (priority: number) => {
    const known =
      reserved.get(priority) ??
      reserveFor(
        pool.nodes,
        pool.rivals.filter((rival) => rival.priority >= priority),
      );
    reserved.set(priority, known);
    return known;
  };
  return waiting.map((gang, index) => {
    const ahead = waiting.slice(0, index);
    const missing = notReady(gang);
    const why = missing ?? (index < MOST_CHECKED ? noRoom(gang, pool, nodesFor(gang.priority)) : UNCHECKED);
    const isReady = missing === undefined && !(why && OF_CLAIMS.has(why.code));
    return why ? { gang, ahead, isReady, fits: false, why } : { gang, ahead, isReady, fits: true };
  });
}

const UNCHECKED: Told = { code: 'WaitingForTurn', sentence: 'too many gangs are ahead to be checked yet' };

/** What keeps a gang from its turn whatever room there is. */
function notReady({ held, size, leaving, gates }: Gang): Told | undefined {
  if (gates.length > 0)
    return { code: 'SchedulingGated', sentence: `its pods have gates of others: ${gates.join(', ')}` };
  if (leaving > 0)
    return { code: 'PodsTerminating', sentence: `${podsText(leaving)} of it are being deleted` };
  if (held.length < size.total)
    return {
      code: 'CreatingObjects',
      sentence: `${held.length} of its ${podsText(size.total)} exist`,
    };
  return undefined;
}

/** Returns why a gang does not fit now; undefined if it does. */
function noRoom(gang: Gang, pool: Pool, nodes: readonly NodeView[]): Check['why'] {
  const situation = situationOf(gang, pool, nodes);
  const { reasons, fits } = explainSituation(situation);
  if (fits === 'yes' && reasons.length === 0) return undefined;
  const ofClaim = reasons.find(({ code }) => OF_CLAIMS.has(code));
  return ofClaim ?? reasons[0] ?? { code: 'NotComputed', sentence: 'whether it fits cannot be computed' };
}

/** Neither room nor new nodes help a gang whose claims are not there. */
const OF_CLAIMS: ReadonlySet<string> = new Set(['DependencyMissing', 'VolumePending']);

function situationOf(gang: Gang, pool: Pool, nodes: readonly NodeView[]): Situation {
  const { places, missing = [], pending: volumes = [] } = pool.claims.get(gang.uid) ?? {};
  return {
    at: pool.at,
    demand: {
      namespace: gang.namespace,
      shapes: shapesOf(gang.held, places).map((shape) => ({ ...shape, notComputed: uncheckedTerms(shape) })),
      minMember: Math.max(1, gang.size.min),
      ...{ waiting: [], leaving: [], objects: {} },
    },
    cluster: {
      ...{ nodes, isUsageKnown: true, holders: pool.holders },
      ...{ missing, volumes, quotas: [], refused: [], schedulers: {}, autoscaler: [] },
    },
    unread: [],
  };
}

interface Standing {
  readonly turn: Turn | undefined;
  /** The gang that has its turn, or is being placed. */
  readonly busy: Gang | undefined;
  readonly at: number;
  readonly mayGive: boolean;
}

function waitingVerdict({ gang, ahead, why }: Check, standing: Standing): GangVerdict {
  const { turn, busy, at, mayGive } = standing;
  const { attempt } = gang;
  const told = { attempt, scheduled: 'False' as const };
  if (turn?.uid === gang.uid && at <= turn.until) {
    const { until, roles, onQuota } = turn;
    const message = onQuota
      ? 'there is no room for the gang: its gates are to be lifted all the same, so that nodes are added for it'
      : 'there is room for the whole gang: its gates are to be lifted';
    const lift = { attempt, until, roles: [...roles], ...(onQuota ? { onQuota } : {}) };
    return { ...told, reason: 'Turn', message, lift };
  }
  const place =
    ahead.length > 0 ? `; ${gangsText(ahead.length)} ahead of it` : '; it is the first in the order';
  if (why) {
    // Nodes are added for a gang that is lifted all the same.
    const isLasting = LASTING.has(why.code) && !(why.code === 'NeverFits' && gang.liftsOnQuota);
    return { ...told, reason: isLasting ? why.code : ROOM, message: `${why.sentence}${place}` };
  }
  const waits = busy
    ? `${nameOfGang(busy)} is being placed`
    : mayGive
      ? 'its turn has passed unused'
      : 'this watcher has just taken over';
  return { ...told, reason: ROOM, message: `there is room for it; ${waits}${place}` };
}

/**
 * What does not change whenever some pod of the cluster comes or goes. Each change of a reason is a signal to the job; the words
 * beside it are told once a minute.
 */
const LASTING: ReadonlySet<string> = new Set([
  ...['NeverFits', 'SchedulingGated', 'PodsTerminating', 'CreatingObjects'],
]);

const ROOM = 'WaitingForRoom';

const gangsText = (count: number) => (count === 1 ? '1 gang is' : `${count} gangs are`);

/** Its scheduler and autoscalers see it. */
const unplacedVerdict = ({ attempt, lifted }: Gang): GangVerdict => ({
  attempt,
  scheduled: 'False',
  reason: 'WaitingForNodes',
  message: `its gates are lifted, although there was no room: ${podsText(lifted.length)} wait for nodes that are added`,
});

/**
 * Its members wait for the scheduler. Where gates are left, they are to be lifted: some are gone already, whether a worker was
 * killed or somebody has lifted them by hand.
 */
function placingVerdict(gang: Gang, pool: Pool, since: number): GangVerdict {
  const { attempt, size, bound, held, wasLiftedOnQuota } = gang;
  const lift = {
    ...{ attempt, until: since + stuckAfterMs(gang), roles: rolesOf(gang, pool) },
    ...(wasLiftedOnQuota ? { onQuota: true } : {}),
  };
  const told = { attempt, scheduled: 'False' as const, ...(held.length > 0 ? { lift } : {}) };
  const placed = `${bound} of ${podsText(size.total)} have a node since the gates were lifted`;
  const takers = takersSince(since, pool);
  if (takers.length === 0) return { ...told, reason: 'BeingPlaced', message: placed };
  const message = `${placed}; meanwhile others got theirs: ${takers.join(', ')}`;
  return { ...told, reason: 'CapacityTaken', message };
}

const MOST_TAKERS = 5;
/** Times of Kubernetes have whole seconds, and a lift is seen a moment after it began. */
const SEEN_AFTER_MS = 5_000;

/** Returns whose pods got their nodes. */
function takersSince(since: number, { newcomers }: Pool): string[] {
  const all = Map.groupBy(
    newcomers.filter(({ at }) => at >= since - SEEN_AFTER_MS),
    ({ namespace }) => namespace,
  );
  return [...all]
    .map(([namespace, pods]) => `${podsText(pods.length)} of namespace ${namespace}`)
    .slice(0, MOST_TAKERS);
}
