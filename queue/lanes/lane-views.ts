import { amountsOf } from './amounts-text.ts';
import type { Candidate, LaneLine } from './candidate.ts';
import { isYielding } from './lane-entry.ts';
import { aheadOf } from './lane-standings.ts';
import type { LaneView } from './lanes-decision.ts';
import type { PoolDecision } from './pool-decision.ts';
import { dominantShare } from './vector.ts';

/** Returns the lanes of a pool as they are after a decision. */
export const viewsOf = (decision: PoolDecision, at: number): LaneView[] =>
  decision.lines.lanes.map((lane) => viewOf(lane, decision, at));

function viewOf(
  lane: LaneLine,
  { lines, outcomes, victims, reservations }: PoolDecision,
  at: number,
): LaneView {
  const { resources, total } = lines;
  const { settings, used, share, deserved } = lane;
  const granted = [...outcomes].filter(([one, { is }]) => one.lane === lane && is === 'granted').length;
  const holders = lines.running.filter((one) => one.lane === lane);
  const stopping = new Set(victims.map(({ victim }) => victim));
  const waiting =
    waitingOf(lane, outcomes) + [...lines.excluded.keys()].filter((one) => one.lane === lane).length;
  const head =
    lane.head ?? [...outcomes].find(([one, { is }]) => one.lane === lane && is === 'promised')?.[0];
  const start = reservations.find(({ holder }) => holder === head)?.start;
  const running = holders.length + granted;
  return {
    ...{ lane: lane.name, pool: lines.name, weight: settings.weight, priority: settings.priority },
    ...stateOf(lane, running),
    ...(settings.limit ? { limit: settings.limit } : {}),
    share: amountsOf(share, resources),
    deserved: amountsOf(deserved, resources),
    used: amountsOf(used, resources),
    borrowed: amountsOf(
      used.map((amount, r) => amount - share[r]!),
      resources,
    ),
    dominantShare: dominantShare(used, total),
    ...{ running, waiting },
    yielding: holders.filter((one) => isYielding(one.entry) || stopping.has(one)).length,
    ...(head ? { head: aheadOf(head, resources) } : {}),
    ...(start === undefined || start <= at ? {} : { nextStart: start }),
  };
}

function waitingOf(lane: LaneLine, outcomes: PoolDecision['outcomes']): number {
  let count = 0;
  for (const [one, { is }] of outcomes) if (isOf(one, lane) && is !== 'granted') count++;
  return count;
}

const isOf = (one: Candidate, lane: LaneLine) => one.lane === lane;

function stateOf(
  { settings: { fault, paused, drain } }: LaneLine,
  running: number,
): Pick<LaneView, 'state' | 'why'> {
  if (fault !== undefined) return { state: 'faulty', why: fault };
  if (paused !== undefined) return { state: 'paused', why: paused };
  if (drain !== undefined) return { state: running > 0 ? 'drains' : 'drained', why: drain };
  return { state: 'open' };
}
