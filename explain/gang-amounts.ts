import { multiplyAmounts } from '../contracts/pod-requests.ts';
import { amountText, type Quantity, ZERO } from '../contracts/quantity.ts';
import type { Moment } from './moment.ts';
import { freeOf, sumIn, sumOf } from './room.ts';
import type { NodeView, PodShape } from './situation.ts';

/** Pods of a shape that must find room. */
export interface CountedShape {
  readonly shape: PodShape;
  readonly count: number;
}

/** What pods need of a resource together, and what nodes have of it. */
export interface GangAmounts {
  readonly resource: string;
  readonly needs: Quantity;
  readonly has: Quantity;
}

export function gangAmounts(
  resource: string,
  counted: readonly CountedShape[],
  { nodes, moment }: { readonly nodes: readonly NodeView[]; readonly moment: Moment },
): GangAmounts {
  const free = nodes.map((node) => freeOf(node, moment));
  return { resource, needs: neededOf(resource, counted), has: sumIn(free, resource) };
}

/** Returns what pods need of a resource together. */
export const neededOf = (resource: string, counted: readonly CountedShape[]): Quantity =>
  sumOf(counted.map(({ shape, count }) => multiplyAmounts(shape.requests, count))).get(resource) ?? ZERO;

/** Returns the resource of which the nodes have the smallest part of what the pods need; undefined if they have enough of each. */
export function shortestInSum(
  counted: readonly CountedShape[],
  on: { readonly nodes: readonly NodeView[]; readonly moment: Moment },
): GangAmounts | undefined {
  const resources = new Set(
    counted.flatMap(({ shape, count }) => (count > 0 ? [...shape.requests.keys()] : [])),
  );
  const partOf = ({ needs, has }: GangAmounts) => Number(has.nanos) / Number(needs.nanos);
  return [...resources]
    .map((resource) => gangAmounts(resource, counted, on))
    .filter(({ needs, has }) => needs.nanos > has.nanos)
    .toSorted((a, b) => partOf(a) - partOf(b))[0];
}

/** As the numbers of a reason. */
export const gangNumbers = ({ resource, needs, has }: GangAmounts) => ({
  ...{ resource, needs: amountText(needs), has: amountText(has) },
});
