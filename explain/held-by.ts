import { amountText, ZERO } from '../contracts/quantity.ts';
import type { WaitReason } from '../contracts/types.ts';
import type { ClusterView, Holder } from './situation.ts';

const MOST_HOLDERS = 5;

/** Names who has a resource, the largest first. */
export function heldBy(
  { holders }: Pick<ClusterView, 'holders'>,
  resource: string,
): Pick<WaitReason, 'heldBy'> {
  const amountOf = ({ used }: Holder) => used.get(resource) ?? ZERO;
  const holding = holders
    .filter((holder) => amountOf(holder).nanos > 0n)
    .toSorted((a, b) => Number(amountOf(b).nanos - amountOf(a).nanos) || a.who.localeCompare(b.who, 'en'));
  if (holding.length === 0) return {};
  return {
    heldBy: holding
      .slice(0, MOST_HOLDERS)
      .map((holder) => ({ who: holder.who, amount: amountText(amountOf(holder)) })),
  };
}
