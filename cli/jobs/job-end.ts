import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import type { JobStatus } from '../../contracts/types.ts';
import type { FailedLog } from '../print/job-text.ts';

/** How a job ended, and what its log says of it. */
export type JobEnd = JobOutcome & FailedLog;

/** Waits until a job has ended. */
export async function endOf(job: JobHandle, signal: AbortSignal): Promise<JobEnd> {
  const outcome = await job.wait({ signal });
  return { ...outcome, ...(await failedLog(job, outcome)) };
}

export async function failedLog(job: JobHandle, status: JobStatus): Promise<FailedLog> {
  const errorLine = await job.errorLine(status);
  return errorLine === undefined ? {} : { errorLine };
}
