import type { DevicePrice, Prices } from '../../contracts/schemas/prices.ts';
import type { DeviceUse } from './job-uses.ts';

/** What devices cost. Two amounts where only bounds are known: which devices they were decides, and that is not known. */
export interface UseCost {
  readonly least: ExactAmount;
  readonly most: ExactAmount;
  /** Devices times milliseconds that no price covers: they are in no amount. */
  readonly unpricedMs: number;
}

/** Millionths of the currency for an hour, times milliseconds: exact, so that sums do not depend on their order. */
export type ExactAmount = bigint;

/** Adds up what uses cost. */
export function costOf(uses: readonly DeviceUse[], { prices }: Prices): UseCost {
  let [least, most, unpricedMs] = [0n, 0n, 0];
  for (const use of uses) {
    const found = pricesOf(use, prices);
    if (found.length === 0) unpricedMs += use.ms;
    const amounts = found
      .map(({ microsPerHour }) => microsPerHour * BigInt(use.ms))
      .sort((a, b) => (a < b ? -1 : 1));
    least += amounts[0] ?? 0n;
    most += amounts.at(-1) ?? 0n;
  }
  return { least, most, unpricedMs };
}

/** That of the product, else that of all others; of an unknown product, all that it may be. */
function pricesOf(
  { day, resource, product }: DeviceUse,
  prices: readonly DevicePrice[],
): readonly DevicePrice[] {
  const present = prices.filter(
    (one) => one.resource === resource && one.from <= day && (one.until === undefined || day < one.until),
  );
  if (product === undefined) return present;
  const own = present.filter((one) => one.product === product);
  return own.length > 0 ? own : present.filter((one) => one.product === undefined);
}

/** Returns an amount as a decimal, rounded half up, once. */
export function decimalAmount(amount: ExactAmount, decimals: number): string {
  const unit = MS_PER_HOUR * 1_000_000n;
  const scaled = (2n * amount * 10n ** BigInt(decimals) + unit) / (2n * unit);
  const digits = String(scaled).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const MS_PER_HOUR = 3_600_000n;
