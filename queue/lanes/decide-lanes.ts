import { mayUseLane } from '../../contracts/lanes.ts';
import { decidePool, type PoolDecision } from './decide-pool.ts';
import { type LaneEntry, lostMs, nameOfEntry } from './lane-entry.ts';
import { lossText, standingsOf } from './lane-standings.ts';
import { viewsOf } from './lane-views.ts';
import type { Grant, LaneStanding, LanesDecision, LanesState, Yield } from './lanes-decision.ts';
import { poolLinesOf } from './pool-lines.ts';

/**
 * Decides which jobs of lanes start, and which give back what they have. It follows from the state alone: the same state
 * always gives the same decision, in whatever order its entries are.
 */
export function decideLanes(state: LanesState): LanesDecision {
  const { lanes: config, at, capacity } = state;
  const { running, waiting, strangers } = divided(state);
  const pools = Object.keys(config.pools).map((name) =>
    decidePool(
      poolLinesOf(name, {
        at,
        config,
        capacity: capacity.get(name),
        running: running.get(name) ?? [],
        waiting,
      }),
      at,
      config,
    ),
  );
  const views = new Map(pools.flatMap((pool) => viewsOf(pool, at)).map((view) => [view.lane, view]));
  return {
    grants: pools.flatMap(grantsOf),
    yields: pools.flatMap((pool) => yieldsOf(pool, at)),
    standings: new Map([...strangers, ...pools.flatMap((pool) => standingsOf(pool, at))]),
    lanes: Object.keys(config.lanes).flatMap((lane) => views.get(lane) ?? []),
  };
}

interface Divided {
  /** By pool. */
  readonly running: ReadonlyMap<string, readonly LaneEntry[]>;
  /** By lane. */
  readonly waiting: ReadonlyMap<string, readonly LaneEntry[]>;
  /** Of jobs that are in no lane, or may not be. */
  readonly strangers: readonly [string, LaneStanding][];
}

/** Entries in the order of their uids, so that the order in which they were read decides nothing. */
function divided({ entries, lanes: { lanes } }: LanesState): Divided {
  const running = new Map<string, LaneEntry[]>();
  const waiting = new Map<string, LaneEntry[]>();
  const strangers: [string, LaneStanding][] = [];
  for (const entry of entries.toSorted((a, b) => (a.uid < b.uid ? -1 : 1))) {
    const lane = Object.hasOwn(lanes, entry.lane) ? lanes[entry.lane] : undefined;
    const pool = entry.granted?.pool ?? lane?.pool;
    if (entry.granted) {
      if (pool !== undefined) addUnder(running, pool, entry);
    } else if (lane && mayUseLane(lane, entry.namespace)) addUnder(waiting, entry.lane, entry);
    else strangers.push([entry.uid, strangerIn(entry, lane !== undefined)]);
  }
  return { running, waiting, strangers };
}

function addUnder(groups: Map<string, LaneEntry[]>, key: string, entry: LaneEntry): void {
  const known = groups.get(key);
  if (known) known.push(entry);
  else groups.set(key, [entry]);
}

function strangerIn({ lane, namespace }: LaneEntry, exists: boolean): LaneStanding {
  const sentence = exists ? `namespace ${namespace} may not use lane ${lane}` : `there is no lane ${lane}`;
  return { code: 'QueueClosed', sentence, lane, of: 0, ahead: [] };
}

const grantsOf = ({ outcomes }: PoolDecision): Grant[] =>
  [...outcomes].flatMap(([{ entry }, outcome]) => {
    if (outcome.is !== 'granted') return [];
    const { is: _, ...how } = outcome;
    return [{ uid: entry.uid, ...how }];
  });

const yieldsOf = ({ victims, lines }: PoolDecision, at: number): Yield[] =>
  victims.map(({ victim, winner, reason }) => ({
    ...{ uid: victim.entry.uid, to: winner.entry.uid, reason, lostMs: lostMs(victim.entry, at) },
    sentence: `${nameOfEntry(victim.entry)} gives back what it has for ${nameOfEntry(winner.entry)}: ${lossText({ victim, winner, reason }, lines)}`,
  }));
