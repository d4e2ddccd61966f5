import { formatFault } from '../../../contracts/faults.ts';
import type { LanesConfig } from '../../../contracts/lanes.ts';
import { parseAmounts } from '../../../contracts/pod-requests.ts';
import { parseLanes } from '../../../contracts/schemas/lanes.ts';
import type { Fields } from '../../../language/fields.ts';
import { decideLanes } from '../../../queue/lanes/decide-lanes.ts';
import type { LaneEntry } from '../../../queue/lanes/lane-entry.ts';
import type { LanesDecision, LanesState } from '../../../queue/lanes/lanes-decision.ts';

export const GPU = 'nvidia.com/gpu';
export const NOW = Date.parse('2026-11-23T12:00:00Z');
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

const gpus = (count: number) => parseAmounts({ [GPU]: count });

/** Reads a configuration; one lane `main` with 8 GPUs unless the document says otherwise. */
export function config(document: Fields = {}): LanesConfig {
  const read = parseLanes({ lanes: { main: { capacity: { [GPU]: 8 } } }, ...document });
  if ('faults' in read) throw new Error(read.faults.map(formatFault).join('\n'));
  return read.lanes;
}

/** Lanes of one pool. */
export const sharing = (total: number, lanes: Readonly<Record<string, object>>, more: Fields = {}) =>
  config({
    pools: { gpus: { capacity: { [GPU]: total } } },
    lanes: Object.fromEntries(Object.entries(lanes).map(([name, lane]) => [name, { pool: 'gpus', ...lane }])),
    ...more,
  });

let made = 0;

/** A job that waits; each one is a minute younger than the one before. */
export const waits = (name: string, count: number, more: Partial<LaneEntry> = {}): LaneEntry => ({
  uid: name,
  namespace: 'ml',
  job: name,
  lane: 'main',
  labels: {},
  priority: 0,
  since: NOW - HOUR + made++,
  demand: gpus(count),
  ...more,
});

/** A job that runs since some minutes. */
export const runs = (
  name: string,
  count: number,
  minutes: number,
  more: Partial<LaneEntry> = {},
): LaneEntry => ({
  ...waits(name, count, more),
  granted: { at: NOW - minutes * MINUTE, startedAt: NOW - minutes * MINUTE, ...more.granted },
});

export const decide = (lanes: LanesConfig, ...entries: readonly LaneEntry[]): LanesDecision =>
  decideLanes(stateOf(lanes, entries));

const stateOf = (lanes: LanesConfig, entries: readonly LaneEntry[]): LanesState => ({
  at: NOW,
  lanes,
  capacity: capacityOf(lanes),
  entries,
});

const capacityOf = ({ pools }: LanesConfig) =>
  new Map(
    Object.entries(pools).flatMap(([name, pool]) => ('capacity' in pool ? [[name, pool.capacity]] : [])),
  );

export const granted = ({ grants }: LanesDecision): string[] => grants.map(({ uid }) => uid);
