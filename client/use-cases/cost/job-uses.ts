import { type JobUses, jobUsesOf } from '../../../record/uses/job-uses.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { jobLedger } from '../observe/follow-job.ts';
import type { HistoryOptions } from '../observe/ledger.ts';
import { jobSummary } from '../observe/recorded-job.ts';

/** Returns what the devices of a job were used for until its end, or until now. */
export async function jobUses(ports: ClientPorts, job: JobId, options: HistoryOptions): Promise<JobUses> {
  const [{ endTime }, entries] = await Promise.all([
    jobSummary(ports, job, options),
    jobLedger(ports, job, options),
  ]);
  return jobUsesOf(entries, { until: endTime === undefined ? Date.now() : Date.parse(endTime) });
}
