import type { Client } from '@temporalio/client';
import { STATUS_QUERY } from '../../contracts/messages.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { queryJob } from './query-job.ts';

/** Queries the workflow through a worker; `timeoutMs` is how long the worker has to answer. */
export const askStatus = (
  client: Client,
  job: { readonly workflowId: string; readonly runId?: string },
  timeoutMs: number,
): Promise<JobStatus> => queryJob(client, job, { name: STATUS_QUERY, timeoutMs });
