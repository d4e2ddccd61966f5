import type { Client } from '@temporalio/client';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { isFinal } from '../../../contracts/status.ts';
import { findWorkflow } from '../../../temporal/find-workflow.ts';
import { JobNotFoundError } from '../../errors/errors.ts';
import type { JobName } from '../../servers/job-name.ts';
import type { JobSummary } from '../../servers/summary.ts';
import { listJobs } from './list-jobs.ts';

/** No user would choose from more jobs of one name. */
const MOST_LISTED = 20;

/**
 * Returns the workflow id of the job with this name: the default one, else a custom one. Throws `JobNotFoundError`,
 * with the ids if several jobs match.
 */
export async function findWorkflowId(client: Client, job: JobName): Promise<string> {
  const usual = workflowIdOf(job);
  if (await findWorkflow(client, usual)) return usual;
  const ids = await idsOf(client, job);
  const [first, ...others] = ids;
  if (first !== undefined && others.length === 0) return first;
  throw new JobNotFoundError(usual, { others: ids });
}

/** Returns ids of live jobs, or of ended ones if none is live. */
async function idsOf(client: Client, { name, namespace }: JobName): Promise<string[]> {
  const jobs: JobSummary[] = [];
  for await (const job of listJobs(client, { name, namespace, limit: MOST_LISTED })) jobs.push(job);
  const live = jobs.filter(({ phase }) => !isFinal(phase));
  return [...new Set((live.length > 0 ? live : jobs).map(({ workflowId }) => workflowId))];
}
