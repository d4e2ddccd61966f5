import { faultOfKeys, groupedUses, type UseGroup } from '../../../record/uses/grouped-uses.ts';
import { RefusedError } from '../../errors/errors.ts';
import type { CostOptions } from './cost-options.ts';
import { jobsOfPeriod, type RecordSources } from './jobs-of-period.ts';
import { knownPrices } from './known-prices.ts';

/** Adds up what many jobs held. Throws `RefusedError` for a key that is no label of any of them, and for invalid prices. */
export async function groupedCost(
  sources: RecordSources,
  { by, prices: given, ...period }: CostOptions,
): Promise<readonly UseGroup[]> {
  const prices = knownPrices(given);
  const jobs = (await jobsOfPeriod(sources, period)).filter(({ uses }) => uses.length > 0);
  const fault = faultOfKeys(jobs, by);
  if (fault !== undefined)
    throw new RefusedError(fault, {
      remedy: `Jobs have labels where their manifests do: metadata.labels. None of ${jobs.length} has this one.`,
    });
  return groupedUses(jobs, by, prices);
}
