import { periodReportOf } from '../../../record/report/period/period-facts.ts';
import type { PeriodReport } from '../../../record/report/period/period-report.ts';
import type { PeriodOptions } from '../cost/cost-options.ts';
import { daysIn, jobsOfPeriod, type RecordSources } from '../cost/jobs-of-period.ts';
import { knownPrices } from '../cost/known-prices.ts';

/** Returns what became of the jobs of some days, and of what they held. The report lists what could not be read. */
export async function periodReport(
  sources: RecordSources,
  { prices: given, onWarning, ...period }: PeriodOptions,
): Promise<PeriodReport> {
  const prices = knownPrices(given);
  const missing: string[] = [];
  const asOf = new Date().toISOString();
  const warn = (message: string) => {
    missing.push(message);
    onWarning?.(message);
  };
  const jobs = await jobsOfPeriod(sources, { ...period, onWarning: warn });
  const { first = null, end = null } = daysIn(period);
  const { archive, ports } = sources;
  return periodReportOf({
    ...{ namespace: period.namespace ?? null, since: first, until: end, asOf, jobs, prices, missing },
    readFrom: [
      ...(archive ? [archive.store.location] : []),
      ...(ports ? [`Temporal at ${ports.temporalAddress}`] : []),
    ],
  });
}
