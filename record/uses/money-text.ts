import type { CostData } from './priced-sums.ts';

/** Two decimals; bounds where more is not known, and words where hours have no price. */
export function moneyText(cost: CostData | undefined): string {
  if (!cost) return '';
  const { least, most, unpricedMs } = cost;
  if (unpricedMs > 0 && Number(most) === 0) return 'no price';
  return `${least === most ? cents(least) : `${cents(least)} to ${cents(most)}`}${unpricedMs > 0 ? ' and more' : ''}`;
}

/** Rounds half up by the digits: a number of binary digits is off by a cent now and then. */
function cents(amount: string): string {
  const [whole = '0', decimals = ''] = amount.split('.');
  const [kept, next = '0'] = [decimals.slice(0, 2).padEnd(2, '0'), decimals[2]];
  const sum = String(BigInt(whole + kept) + (next >= '5' ? 1n : 0n)).padStart(3, '0');
  return `${sum.slice(0, -2)}.${sum.slice(-2)}`;
}
