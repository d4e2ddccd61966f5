import { amountText, ZERO } from '../contracts/quantity.ts';
import type { WaitReason } from '../contracts/types.ts';
import { sumOf } from './room.ts';
import type { ClusterView, Holder } from './situation.ts';

const MOST_HOLDERS = 5;

/** Names who has a resource, the largest first. `nodes`: only of these. */
export function heldBy(
  { holders }: Pick<ClusterView, 'holders'>,
  resource: string,
  nodes?: ReadonlySet<string>,
): Pick<WaitReason, 'heldBy'> {
  const amountOf = ({ used }: Holder) => used.get(resource) ?? ZERO;
  const there = nodes ? holders.filter(({ node }) => node !== undefined && nodes.has(node)) : holders;
  const holding = summed(there)
    .filter((holder) => amountOf(holder).nanos > 0n)
    .toSorted((a, b) => Number(amountOf(b).nanos - amountOf(a).nanos) || a.who.localeCompare(b.who, 'en'));
  if (holding.length === 0) return {};
  return {
    heldBy: holding
      .slice(0, MOST_HOLDERS)
      .map((holder) => ({ who: holder.who, amount: amountText(amountOf(holder)) })),
  };
}

/** Pods of one may be counted apart. */
const summed = (holders: readonly Holder[]): readonly Holder[] =>
  [...Map.groupBy(holders, ({ who }) => who)].map(([who, all]) => ({
    who,
    used: sumOf(all.map(({ used }) => used)),
  }));
