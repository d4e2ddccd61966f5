import type { Check } from '../world.ts';
import { amount, byUid, RESOURCES, running, sum } from './arithmetic.ts';

/** Who stops has more than it deserves, or a lower priority, and every one that stops is needed. */
export const onlyTheNeededStop: Check = ({ state, decision, afterwards }) => {
  const broken: string[] = [];
  const views = new Map(decision.lanes.map((view) => [view.lane, view]));
  for (const [to, yields] of Map.groupBy(decision.yields, (one) => one.to)) {
    const winner = byUid(state, to);
    const victims = yields.map(({ uid }) => byUid(state, uid));
    const { reclaim, preempt } = state.lanes.lanes[winner.lane]!;
    for (const { uid, reason } of yields) {
      const victim = byUid(state, uid);
      const isOwn = victim.lane === winner.lane;
      if (reason === 'Preempted' && !(isOwn && preempt === 'lower' && victim.priority < winner.priority))
        broken.push(`R: ${uid} must not be preempted by ${to}`);
      if (reason === 'Reclaimed' && (isOwn || reclaim !== 'borrowed'))
        broken.push(`R: ${uid} must not be reclaimed`);
      const { deserved } = views.get(victim.lane)!;
      const ofLane = running(afterwards).filter(({ lane }) => lane === victim.lane);
      const isAbove = RESOURCES.some((resource) => sum(ofLane, resource) > amount(deserved, resource));
      if (reason === 'Reclaimed' && !isAbove)
        broken.push(`R: lane ${victim.lane} has no more than it deserves`);
      const waited = victim.granted!.at - Math.max(victim.since, victim.requeuedAt ?? 0);
      if (reason === 'Reclaimed' && waited >= state.lanes.starveAfterMs)
        broken.push(`R: ${uid} has starved before, and is stopped`);
    }
    if (yields.some(({ reason }) => reason === 'Reclaimed')) {
      // What starts by backfill takes what is left then.
      const filled = new Set(decision.grants.filter(({ backfilled }) => backfilled).map(({ uid }) => uid));
      // The winner may be among those that start at once.
      const ofLane = running(afterwards).filter(
        ({ lane, uid }) => lane === winner.lane && uid !== to && !filled.has(uid),
      );
      const { deserved } = views.get(winner.lane)!;
      const takesMore = RESOURCES.some(
        (resource) =>
          amount(winner.demand, resource) > 0 &&
          sum([...ofLane, winner], resource) > amount(deserved, resource),
      );
      if (takesMore) broken.push(`R: ${to} takes more than its lane deserves`);
    }
    for (const { uid } of victims)
      if (decision.yields.filter((one) => one.uid === uid).length > 1) broken.push(`R: ${uid} stops for two`);
  }
  return broken;
};

/** Work that was stopped is not stopped for ever. */
const MOST_STOPS = 12;
export const nobodyPingPongs: Check = ({ world }) =>
  world.jobs.flatMap(({ uid, stops }) =>
    stops > MOST_STOPS ? [`R: ${uid} was stopped ${stops} times`] : [],
  );
