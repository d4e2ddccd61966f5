import type { JobArchive } from '../../../record/archive/job-archive.ts';
import { type JobCost, jobCostOf } from '../../../record/uses/job-cost.ts';
import { jobUsesOf } from '../../../record/uses/job-uses.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { jobLedger } from '../observe/follow-job.ts';
import type { HistoryOptions } from '../observe/ledger.ts';
import { namedJob } from '../observe/recorded-job.ts';
import { archivedUses } from './archived-uses.ts';
import { knownPrices } from './known-prices.ts';

/**
 * What an hour of a device costs, if that is wanted.
 *
 * @public
 */
export interface PriceOptions {
  /** The content of a file as docs/cost.md#prices describes it. */
  readonly prices?: unknown;
}

/** Returns what a job held, and what that cost, until its end or until now. */
export async function jobCost(
  ports: ClientPorts,
  job: JobId,
  { prices: given, ...options }: PriceOptions & HistoryOptions,
): Promise<JobCost> {
  const prices = knownPrices(given);
  const [named, entries] = await Promise.all([namedJob(ports, job, options), jobLedger(ports, job, options)]);
  const { kind, namespace, name, workflowId, firstRunId, phase, endTime } = named;
  const uses = jobUsesOf(entries, { until: endTime === undefined ? Date.now() : Date.parse(endTime) });
  return jobCostOf({ job: { kind, namespace, name, workflowId, firstRunId, phase }, uses, prices });
}

/** Returns the same of an archived job. */
export async function archivedCost(archive: JobArchive, { prices: given }: PriceOptions): Promise<JobCost> {
  const prices = knownPrices(given);
  const { kind, namespace, name, workflowId, firstRunId, status } = archive.job;
  return jobCostOf({
    job: { kind, namespace, name, workflowId, firstRunId, phase: status.phase },
    uses: await archivedUses(archive),
    prices,
  });
}
