import { amountText, ZERO } from '../contracts/quantity.ts';
import type { WaitReason } from '../contracts/types.ts';
import { sumOf } from './room.ts';
import { podsText } from './rule.ts';
import type { ClusterView, Holder } from './situation.ts';
import type { NeighbourPod } from './topology-terms.ts';

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

/** Names whose pods keep those of a job away, or fix where they may be: those with most pods first. */
export function heldByPods(there: readonly Pick<NeighbourPod, 'who' | 'pods'>[]): Pick<WaitReason, 'heldBy'> {
  const holding = [...Map.groupBy(there, ({ who }) => who)]
    .map(([who, all]) => ({ who, pods: all.reduce((sum, { pods }) => sum + pods, 0) }))
    .toSorted((a, b) => b.pods - a.pods || a.who.localeCompare(b.who, 'en'));
  if (holding.length === 0) return {};
  return {
    heldBy: holding.slice(0, MOST_HOLDERS).map(({ who, pods }) => ({ who, amount: podsText(pods) })),
  };
}

/** Pods of one may be counted apart. */
const summed = (holders: readonly Holder[]): readonly Holder[] =>
  [...Map.groupBy(holders, ({ who }) => who)].map(([who, all]) => ({
    who,
    used: sumOf(all.map(({ used }) => used)),
  }));
