import { type Amounts, addAmounts, NOTHING, subtractAmounts } from '../contracts/pod-requests.ts';
import { addQuantities, largerQuantity, type Quantity, ZERO } from '../contracts/quantity.ts';
import { amountIn } from './host-ports.ts';
import type { Moment } from './moment.ts';
import type { NodeView, PodShape } from './situation.ts';

export function freeOf(node: NodeView, moment: Moment): Amounts {
  const { allocatable, used, leaving, nominated, lasting } = node;
  if (moment === 'empty') return subtractAmounts(allocatable, lasting);
  if (moment === 'freed') return subtractAmounts(allocatable, subtractAmounts(used, leaving));
  return subtractAmounts(allocatable, addAmounts(used, nominated));
}

/** Returns how many pods of a shape fit into free amounts. */
export function roomIn(free: Amounts, { requests }: PodShape): number {
  const most = [...requests].map(([resource, need]) => timesIn(amountIn(free, resource), need));
  return Math.max(0, Math.min(...most, Number.MAX_SAFE_INTEGER));
}

function timesIn(free: Quantity, need: Quantity): number {
  if (need.nanos <= 0n) return Number.MAX_SAFE_INTEGER;
  return free.nanos <= 0n ? 0 : Number(free.nanos / need.nanos);
}

/** Returns the resource of which free amounts lack most for one pod more; undefined if it fits. */
export function shortageIn(free: Amounts, { requests }: Pick<PodShape, 'requests'>): string | undefined {
  let short: { readonly resource: string; readonly share: number } | undefined;
  for (const [resource, need] of requests) {
    const has = amountIn(free, resource).nanos;
    if (need.nanos <= 0n || has >= need.nanos) continue;
    const share = Number(has) / Number(need.nanos);
    if (!short || share < short.share) short = { resource, share };
  }
  return short?.resource;
}

export const sumOf = (all: readonly Amounts[]): Amounts => all.reduce(addAmounts, NOTHING);

/** What there is of a resource in the free amounts of several nodes. */
export const sumIn = (all: readonly Amounts[], resource: string): Quantity =>
  all.map((free) => largerQuantity(ZERO, amountIn(free, resource))).reduce(addQuantities, ZERO);
