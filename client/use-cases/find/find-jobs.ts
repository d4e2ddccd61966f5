import type { Client } from '@temporalio/client';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { isFinal } from '../../../contracts/status.ts';
import type { Phase } from '../../../contracts/types.ts';
import { findWorkflow } from '../../../temporal/find-workflow.ts';
import { JobNotFoundError } from '../../errors/errors.ts';
import { ask, eachTranslated } from '../../servers/ask.ts';
import type { CallOptions, JobSelector } from '../../servers/client-settings.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { JobName } from '../../servers/job-name.ts';
import type { ClientPorts, TemporalPort } from '../../servers/ports.ts';
import type { JobSummary } from '../../servers/summary.ts';
import type { JobFilter } from './job-filter.ts';
import { jobIdOf } from './job-id-of.ts';
import { countJobs, listJobs } from './list-jobs.ts';
import { findRun, jobsOfName, type NamedJobs } from './runs-of-name.ts';

type NamingPorts = TemporalPort & Pick<ClientPorts, 'namespace'>;

/** Finds a job by name, also one with a custom workflow id, and with `run` an earlier job of the name. */
export function locateJob(ports: NamingPorts, selector: JobSelector, options: CallOptions): Promise<JobId> {
  const { run } = selector;
  const named = namedJobs(selector, ports);
  const workflowId = idOf(named);
  if (run !== undefined)
    return ask({ ports, workflowId, options }, () => findRun(ports.temporal, named, run));
  if ('workflowId' in named) return Promise.resolve(jobIdOf(selector, ports));
  return ask({ ports, workflowId, options }, async () => ({
    workflowId: await findWorkflowId(ports.temporal, named),
  }));
}

/** Returns the jobs that had a name, as far as Temporal still has them, the newest first. */
export function jobsNamed(
  ports: NamingPorts,
  selector: JobSelector,
  options: CallOptions,
): Promise<readonly JobSummary[]> {
  const named = namedJobs(selector, ports);
  return ask({ ports, workflowId: idOf(named), options }, () => jobsOfName(ports.temporal, named));
}

/** Yields recorded jobs: live ones first, newest first in each group. */
export const listedJobs = (
  ports: TemporalPort,
  filter: JobFilter,
  options: CallOptions,
): AsyncGenerator<JobSummary> =>
  eachTranslated({ ports, workflowId: '' }, () => listJobs(ports.temporal, filter, options));

/** Counts recorded jobs by phase. */
export const countedJobs = (
  ports: TemporalPort,
  filter: JobFilter,
  options: CallOptions,
): Promise<Readonly<Record<Phase, number>>> =>
  ask({ ports, workflowId: '', options }, () => countJobs(ports.temporal, filter));

const namedJobs = (selector: JobSelector, { namespace }: Pick<ClientPorts, 'namespace'>): NamedJobs =>
  'workflowId' in selector ? selector : { name: selector.name, namespace: selector.namespace ?? namespace };

const idOf = (named: NamedJobs): string => ('workflowId' in named ? named.workflowId : workflowIdOf(named));

/** No user would choose from more jobs of one name. */
const MOST_LISTED = 20;
/** One page of what is newest. */
const MOST_COMPARED = 500;

/**
 * Returns the workflow id of the job with this name: the default one, else a custom one. Throws `JobNotFoundError`,
 * with the ids if several jobs match.
 */
async function findWorkflowId(client: Client, job: JobName): Promise<string> {
  const usual = workflowIdOf(job);
  if (await findWorkflow(client, usual)) return usual;
  const ids = await idsOf(client, job);
  const [first, ...others] = ids;
  if (first !== undefined && others.length === 0) return first;
  const near = ids.length > 0 ? undefined : await nearName(client, job);
  throw new JobNotFoundError(usual, { others: ids, near });
}

async function nearName(client: Client, { name, namespace }: JobName): Promise<string | undefined> {
  const { nearest } = await import('../../../language/did-you-mean.ts');
  return nearest(name, await namesIn(client, namespace));
}

async function namesIn(client: Client, namespace: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of listJobs(client, { namespace, limit: MOST_COMPARED })) names.push(name);
  return names;
}

/** Returns ids of live jobs, or of ended ones if none is live. */
async function idsOf(client: Client, { name, namespace }: JobName): Promise<string[]> {
  const jobs: JobSummary[] = [];
  for await (const job of listJobs(client, { name, namespace, limit: MOST_LISTED })) jobs.push(job);
  const live = jobs.filter(({ phase }) => !isFinal(phase));
  return [...new Set((live.length > 0 ? live : jobs).map(({ workflowId }) => workflowId))];
}
