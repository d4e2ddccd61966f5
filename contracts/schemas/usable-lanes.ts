import { asFields, type Fields, isFields, ownValue } from '../../language/fields.ts';
import { formatFault } from '../faults.ts';
import type { LanesConfig } from '../lanes.ts';
import type { Fault } from '../types.ts';
import { laneFields, parseLanes } from './lanes.ts';

/**
 * Reads `lanes.yaml`, parsed, as far as it can be used: a fault of a lane, or of its pool, stops that lane alone. Returns all
 * faults, by path, if there are others.
 */
export function parseUsableLanes(document: unknown): ReturnType<typeof parseLanes> {
  const all = parseLanes(document);
  if ('lanes' in all || !isFields(document) || !isFields(document.lanes)) return all;
  const { faults, ...usable } = usableParts(document.lanes, asFields(document.pools));
  const read = parseLanes({ ...document, ...usable });
  return 'faults' in read ? all : { lanes: { ...read.lanes, lanes: withFaults(read.lanes, faults) } };
}

type ByLane = Readonly<Record<string, readonly Fault[]>>;

function usableParts(lanes: Fields, given: Fields) {
  const ofPools = mapFields(given, (pool, name) => faultsIn({ pools: { [name]: pool }, lanes: {} }, 'pools'));
  const pools = mapFields(given, (pool, name) => (ofPools[name]?.length ? NOTHING_COUNTED : pool));
  const faults = mapFields(lanes, (lane, name) => [
    ...faultsIn({ pools, lanes: { [name]: lane } }, 'lanes'),
    ...(ownValue(ofPools, String(asFields(lane).pool)) ?? []),
  ]);
  const usable = mapFields(lanes, (lane, name) =>
    faults[name]?.length ? usablePart(name, asFields(lane), pools) : lane,
  );
  return { pools, lanes: usable, faults };
}

const mapFields = <T>(fields: Fields, map: (value: unknown, name: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value, name)]));

function faultsIn(document: Fields, of: 'pools' | 'lanes'): readonly Fault[] {
  const read = parseLanes(document);
  return 'faults' in read ? read.faults.filter(({ path }) => path.startsWith(of)) : [];
}

const NOTHING_COUNTED = { capacity: {} };

/** What runs in the lane goes on, and counts: so it keeps what is right, e.g. its pool and its weight. */
function usablePart(name: string, lane: Fields, pools: Fields): Fields {
  const right = Object.entries(lane).filter(([field, value]) => laneFields(field)?.safeParse(value).success);
  const { pool, nodes, capacity, ...settings } = Object.fromEntries(right);
  if (typeof pool === 'string' && Object.hasOwn(pools, pool)) return { ...settings, pool };
  if (Object.hasOwn(pools, name)) return { ...settings, pool: name };
  return { ...settings, ...(nodes ? { nodes } : capacity ? { capacity } : NOTHING_COUNTED) };
}

const withFaults = ({ lanes }: LanesConfig, faults: ByLane): LanesConfig['lanes'] =>
  Object.fromEntries(
    Object.entries(lanes).map(([name, lane]) => {
      const own = ownValue(faults, name) ?? [];
      return [name, own.length > 0 ? { ...lane, fault: own.map(formatFault).join('; ') } : lane];
    }),
  );
