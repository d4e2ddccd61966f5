import type { GangDigest, GateLift } from '../contracts/digest.ts';
import { podsText } from '../explain/rule.ts';
import type { Check } from './check-gangs.ts';
import { type Gang, nameOfGang } from './gang.ts';
import type { Pool } from './pool.ts';

/** What is told to the job of a gang. */
export interface GangVerdict extends GangDigest {
  readonly attempt: number;
}

interface Standing {
  readonly turn: (GateLift & { readonly uid: string }) | undefined;
  /** The gang that has its turn, or is being placed. */
  readonly busy: Gang | undefined;
  readonly at: number;
  readonly mayGive: boolean;
}

export function waitingVerdict({ gang, ahead, why }: Check, standing: Standing): GangVerdict {
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
export const unplacedVerdict = ({ attempt, lifted }: Gang): GangVerdict => ({
  attempt,
  scheduled: 'False',
  reason: 'WaitingForNodes',
  message: `its gates are lifted, although there was no room: ${podsText(lifted.length)} wait for nodes that are added`,
});

interface Placing {
  /** In epoch milliseconds. */
  readonly since: number;
  readonly until: number;
  readonly roles: readonly string[];
}

/**
 * Its members wait for the scheduler. Where gates are left, they are to be lifted: some are gone already, whether a worker was
 * killed or a user has lifted them by hand.
 */
export function placingVerdict(gang: Gang, pool: Pool, { since, until, roles }: Placing): GangVerdict {
  const { attempt, size, bound, held, wasLiftedOnQuota } = gang;
  const lift = { attempt, until, roles: [...roles], ...(wasLiftedOnQuota ? { onQuota: true } : {}) };
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
