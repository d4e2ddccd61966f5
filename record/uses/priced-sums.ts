import type { Prices } from '../../contracts/schemas/prices.ts';
import type { DeviceUse } from './job-uses.ts';
import { costOf, decimalAmount } from './use-cost.ts';
import { type ResourceSums, sumsByResource } from './use-sums.ts';

/** Decimals of amounts as data; text shows two of them. */
const DECIMALS = 6;

/**
 * What some uses cost, as data.
 *
 * @public
 */
export interface CostData {
  readonly currency: string;
  /** Decimals, e.g. `12.345000`; they differ where only bounds are known. */
  readonly least: string;
  readonly most: string;
  /** Devices times milliseconds without a price, which are in no amount. */
  readonly unpricedMs: number;
}

/**
 * What the devices of one resource were used for, and what each use cost if there are prices.
 *
 * @public
 */
export interface PricedSums extends Omit<ResourceSums, 'uses'> {
  readonly uses: readonly (ResourceSums['uses'][number] & { readonly cost?: CostData })[];
  readonly cost?: CostData;
}

export const costDataOf = (uses: readonly DeviceUse[], prices: Prices, decimals = DECIMALS): CostData => {
  const { least, most, unpricedMs } = costOf(uses, prices);
  const text = (amount: bigint) => decimalAmount(amount, decimals);
  return { currency: prices.currency, least: text(least), most: text(most), unpricedMs };
};

/** Each amount is rounded once, from an exact one: so those of parts may differ from that of the whole in the last decimal. */
export function pricedSumsOf(uses: readonly DeviceUse[], prices?: Prices): readonly PricedSums[] {
  const cost = (some: readonly DeviceUse[]) => (prices ? { cost: costDataOf(some, prices) } : {});
  return sumsByResource(uses).map((sums) => {
    const own = uses.filter(({ resource }) => resource === sums.resource);
    return {
      ...sums,
      uses: sums.uses.map((one) => ({
        ...one,
        ...cost(own.filter(({ use, cause }) => use === one.use && cause === one.cause)),
      })),
      ...cost(own),
    };
  });
}

/** Returns in what amounts are; undefined if none of the sums has a price. */
export const currencyOf = (sums: readonly { readonly cost?: CostData | undefined }[]): string | undefined =>
  sums.find(({ cost }) => cost)?.cost?.currency;
