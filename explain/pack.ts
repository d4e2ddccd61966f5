import { type Amounts, multiplyAmounts, subtractAmounts } from '../contracts/pod-requests.ts';
import type { Fits } from './answer.ts';
import { roomIn, sumIn, sumOf } from './room.ts';
import type { PodShape } from './situation.ts';
import type { TopologyTerm } from './topology-terms.ts';

/** Pods of a shape that look for a place, and where they may look. */
export interface Wanted {
  readonly shape: PodShape;
  readonly pods: number;
  /** Names of the nodes that may take such pods at this moment. */
  readonly nodes: ReadonlySet<string>;
  /** Those over which such pods are spread, also while they cannot take any. */
  readonly seen: ReadonlySet<string>;
}

export interface Packed {
  /** How many pods found a place; a lower bound unless `isExact`. */
  readonly placed: number;
  readonly isExact: boolean;
  /** Whether all find a place. */
  readonly fits: Fits;
  /** What allows no more, if it is not what nodes have; in a sentence's words. */
  readonly limitedBy?: string;
  /** The terms that say so. */
  readonly limitedTerms?: readonly TopologyTerm[];
}

/**
 * Places pods on nodes. It is exact for one shape. For several it is first fit, the most demanding first: a place for each is
 * a proof, and none is one only if a shape alone, or the sum, is too much.
 */
export function pack(wanted: readonly Wanted[], free: ReadonlyMap<string, Amounts>): Packed {
  const looking = wanted.filter(({ pods }) => pods > 0);
  const pods = looking.reduce((sum, one) => sum + one.pods, 0);
  const isExact = looking.length <= 1;
  const placed = Math.max(0, ...ORDERS.map((order) => firstFit(looking, free, order)));
  if (placed >= pods) return { placed: pods, isExact: true, fits: 'yes' };
  const isTooMuch = isExact || looking.some((one) => !fitsAlone(one, free)) || isSumTooMuch(looking, free);
  return { placed, isExact, fits: isTooMuch ? 'no' : 'unknown' };
}

/**
 * Whether all find a place whichever nodes a scheduler chooses first: each shape has room enough even if each pod of the others
 * takes as much of that as it can. It may be so without this.
 */
export function fitAlways(wanted: readonly Wanted[], free: ReadonlyMap<string, Amounts>): boolean {
  const looking = wanted.filter(({ pods }) => pods > 0);
  return looking.every((one) => {
    const others = looking.filter((other) => other !== one);
    const taken = others.reduce((sum, { shape, pods }) => sum + pods * mostTaken(one.shape, shape), 0);
    return fitsAlone({ ...one, pods: one.pods + taken }, free);
  });
}

/** Returns for how many pods of a shape one of another shape takes the room on its node, at most. */
const mostTaken = ({ requests }: PodShape, by: PodShape): number =>
  Math.max(
    0,
    ...[...requests].flatMap(([resource, { nanos }]) => {
      const used = by.requests.get(resource)?.nanos ?? 0n;
      return nanos > 0n ? Number((used + nanos - 1n) / nanos) : [];
    }),
  );

/** Fullest nodes first leaves the empty ones to large pods; emptiest first is another try. */
const ORDERS = [1, -1] as const;

function firstFit(
  wanted: readonly Wanted[],
  free: ReadonlyMap<string, Amounts>,
  order: (typeof ORDERS)[number],
): number {
  const total = sumOf([...free.values()]);
  const left = new Map(free);
  const nodes = [...free.keys()].sort(
    (a, b) => order * (shareOf(free.get(a)!, total) - shareOf(free.get(b)!, total)),
  );
  let placed = 0;
  for (const { shape, pods, nodes: allowed } of byDemand(wanted, total)) {
    let waiting = pods;
    for (const node of nodes) {
      if (waiting === 0) break;
      if (!allowed.has(node)) continue;
      const taken = Math.min(waiting, roomIn(left.get(node)!, shape));
      if (taken === 0) continue;
      left.set(node, subtractAmounts(left.get(node)!, multiplyAmounts(shape.requests, taken)));
      waiting -= taken;
    }
    placed += pods - waiting;
  }
  return placed;
}

const byDemand = (wanted: readonly Wanted[], total: Amounts) =>
  wanted.toSorted(
    (a, b) =>
      a.nodes.size - b.nodes.size || shareOf(b.shape.requests, total) - shareOf(a.shape.requests, total),
  );

/** The largest share of a total that amounts have of any resource. */
export const shareOf = (amounts: Amounts, total: Amounts): number =>
  Math.max(
    0,
    ...[...amounts].map(([resource, { nanos }]) => Number(nanos) / Number(total.get(resource)?.nanos || 1n)),
  );

function fitsAlone({ shape, pods, nodes }: Wanted, free: ReadonlyMap<string, Amounts>): boolean {
  let room = 0;
  for (const node of nodes) room += roomIn(free.get(node)!, shape);
  return room >= pods;
}

function isSumTooMuch(wanted: readonly Wanted[], free: ReadonlyMap<string, Amounts>): boolean {
  const nodes = new Set(wanted.flatMap((one) => [...one.nodes]));
  const has = [...nodes].map((node) => free.get(node)!);
  const needs = sumOf(wanted.map(({ shape, pods }) => multiplyAmounts(shape.requests, pods)));
  return [...needs].some(([resource, { nanos }]) => nanos > sumIn(has, resource).nanos);
}
