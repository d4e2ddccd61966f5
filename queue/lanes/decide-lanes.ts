import { mayUseLane } from '../../contracts/lanes.ts';
import { decidePool } from './decide-pool.ts';
import { type LaneEntry, lostMs, nameOfEntry } from './lane-entry.ts';
import { lossText, standingsOf } from './lane-standings.ts';
import { viewsOf } from './lane-views.ts';
import type { Grant, LaneStanding, LanesDecision, LanesState, Yield } from './lanes-decision.ts';
import type { PoolDecision } from './pool-decision.ts';
import { poolLinesOf } from './pool-lines.ts';
import type { Barred } from './pool-state.ts';

/**
 * Decides which jobs of lanes start, and which give back what they have. It follows from the state alone: the same state
 * always gives the same decision, in whatever order its entries are. Nothing more follows from the state after it.
 */
export function decideLanes(state: LanesState): LanesDecision {
  const { grants, yields, last } = settled(state, passOver(state));
  const { pools, strangers } = last;
  const { at, lanes } = state;
  const views = new Map(pools.flatMap((pool) => viewsOf(pool, at)).map((view) => [view.lane, view]));
  return {
    ...{ grants, yields },
    standings: new Map([...strangers, ...pools.flatMap((pool) => standingsOf(pool, at))]),
    lanes: Object.keys(lanes.lanes).flatMap((lane) => views.get(lane) ?? []),
  };
}

type Changes = Pick<LanesDecision, 'grants' | 'yields'>;

interface Pass extends Changes, Pick<Divided, 'strangers'> {
  readonly pools: readonly PoolDecision[];
}

/**
 * Adds what follows at once from a pass. Each start changes what lanes have in relation to each other, and so whose turn it is.
 * Who would have to stop at once for another does not start. `last`: what is told to those that wait.
 */
function settled(state: LanesState, pass: Pass, barred: Barred = NOBODY): Changes & { readonly last: Pass } {
  const { grants, yields } = pass;
  if (grants.length === 0 && yields.length === 0) return { ...{ grants, yields }, last: pass };
  const after = stateAfter(state, pass);
  const next = passOver(after);
  const starting = new Set(grants.map(({ uid }) => uid));
  const inVain = next.yields.filter(({ uid }) => starting.has(uid));
  if (inVain.length > 0) {
    const more = new Map([...barred, ...inVain.map(({ uid, to }) => [uid, to] as const)]);
    return settled(state, passOver(state, more), more);
  }
  const then = settled(after, next);
  return {
    grants: [...grants, ...then.grants],
    yields: [...yields, ...then.yields],
    last: then.last,
  };
}

function stateAfter(state: LanesState, { grants, yields }: Changes): LanesState {
  const granted = new Set(grants.map(({ uid }) => uid));
  const told = new Map(yields.map(({ uid, to }) => [uid, to]));
  const entries = state.entries.map((entry): LaneEntry => {
    const yieldsTo = told.get(entry.uid);
    if (yieldsTo !== undefined) return { ...entry, yieldsTo };
    if (!granted.has(entry.uid)) return entry;
    const { yieldsTo: _, ...more } = entry;
    return { ...more, granted: { at: state.at } };
  });
  return { ...state, entries };
}

function passOver(state: LanesState, barred: Barred = NOBODY): Pass {
  const { lanes: config, at, capacity, whole } = state;
  const { running, waiting, strangers } = divided(state);
  const pools = Object.keys(config.pools).map((name) =>
    decidePool(
      poolLinesOf(name, {
        at,
        config,
        capacity: capacity.get(name),
        whole: whole?.get(name),
        running: running.get(name) ?? [],
        waiting,
      }),
      { at, config, barred },
    ),
  );
  return {
    grants: pools.flatMap(grantsOf),
    yields: pools.flatMap((pool) => yieldsOf(pool, at)),
    ...{ pools, strangers },
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

const NOBODY: Barred = new Map();

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
