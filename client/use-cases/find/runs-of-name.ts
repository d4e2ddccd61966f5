import type { Client, WorkflowExecutionDescription, WorkflowExecutionInfo } from '@temporalio/client';
import { workflowIdOf } from '../../../contracts/labels.ts';
import {
  isRunReference,
  type JobOfName,
  jobsBack,
  jobsMeant,
  RUN_EXPECTED,
} from '../../../contracts/run-reference.ts';
import { findWorkflow, firstRunIdOf } from '../../../temporal/find-workflow.ts';
import { listWorkflows } from '../../../temporal/list-workflows.ts';
import { AmbiguousRunError, JobNotFoundError, RefusedError } from '../../errors/errors.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { JobName } from '../../servers/job-name.ts';
import { type JobSummary, summaryOf } from '../../servers/summary.ts';
import { isAboutSearchAttributes } from '../../servers/temporal-errors.ts';
import { runsOfIdQuery, runsOfNameQuery } from './visibility-query.ts';

/** Jobs by name, whatever their workflow ids, or by workflow id. */
export type NamedJobs = JobName | { readonly workflowId: string };

/** A job by its last run, as the visibility store has it. */
type JobOfRun = JobSummary & JobOfName;

/** Older runs are rarely needed. */
const MOST_RUNS = 1_000;
/** Describing a run takes a request. */
const MOST_DESCRIBED = 100;

/** Returns the job of a name that `run` means. Throws `JobNotFoundError` or `AmbiguousRunError`, with the jobs there are. */
export async function findRun(client: Client, named: NamedJobs, run: string): Promise<JobId> {
  if (!isRunReference(run))
    throw new RefusedError(`run: expected ${RUN_EXPECTED}, got ${JSON.stringify(run)}.`);
  const jobs = await jobsFor(client, named, run);
  const [job, ...others] = jobsMeant(jobs, run);
  const about = { workflowId: idOf(named), run };
  if (others.length > 0) throw new AmbiguousRunError(about, [job!, ...others]);
  if (!job) throw new JobNotFoundError(about.workflowId, { run, known: jobs });
  const [runId] = job.runIds;
  const described = await client.workflow.getHandle(job.workflowId, runId).describe();
  return { workflowId: job.workflowId, runId, firstRunId: firstRunIdOf(described) };
}

/** Returns the jobs of a name that Temporal still has, the newest first. */
export async function jobsOfName(client: Client, named: NamedJobs): Promise<readonly JobSummary[]> {
  return (await rowsOf(client, named)).filter(isLastOfJob).map(summaryOf);
}

async function jobsFor(client: Client, named: NamedJobs, run: string): Promise<readonly JobOfRun[]> {
  const rows = await rowsOf(client, named);
  const jobs = rows.filter(isLastOfJob).map(jobOf);
  return jobsBack(run) === undefined ? withEarlierRuns(client, { rows, jobs, run }) : jobs;
}

const idOf = (named: NamedJobs) => ('workflowId' in named ? named.workflowId : workflowIdOf(named));

/** The visibility store is written after the workflow: the newest run may not be in it yet. */
async function rowsOf(client: Client, named: NamedJobs): Promise<KnownRun[]> {
  const [last, rows] = await Promise.all([findWorkflow(client, idOf(named)), listed(client, named)]);
  const all = last && !rows.some(({ runId }) => runId === last.runId) ? [last, ...rows] : rows;
  return all.sort((one, other) => other.startTime.getTime() - one.startTime.getTime());
}

async function listed(client: Client, named: NamedJobs): Promise<KnownRun[]> {
  if ('workflowId' in named) return rowsFor(client, runsOfIdQuery(named.workflowId));
  try {
    return await rowsFor(client, runsOfNameQuery(named));
  } catch (error) {
    if (!isAboutSearchAttributes(error)) throw error;
    return rowsFor(client, runsOfIdQuery(workflowIdOf(named)));
  }
}

async function rowsFor(client: Client, query: string): Promise<KnownRun[]> {
  const rows: KnownRun[] = [];
  for await (const row of listWorkflows(client, { query })) {
    rows.push(row);
    if (rows.length >= MOST_RUNS) break;
  }
  return rows;
}

type KnownRun = WorkflowExecutionDescription | WorkflowExecutionInfo;

const isLastOfJob = ({ status }: KnownRun) => status.name !== 'CONTINUED_AS_NEW';

const jobOf = (row: KnownRun): JobOfRun => ({ ...summaryOf(row), runIds: [row.runId] });

interface Listed {
  readonly rows: readonly KnownRun[];
  readonly jobs: readonly JobOfRun[];
  readonly run: string;
}

/** Adds first runs, which the visibility store does not have, and runs that were continued. */
async function withEarlierRuns(client: Client, { rows, jobs, run }: Listed): Promise<readonly JobOfRun[]> {
  const first = (runId: string, { workflowId }: { workflowId: string }) =>
    findWorkflow(client, workflowId, runId).then((found) => found && firstRunIdOf(found));
  const continued = rows.filter((row) => !isLastOfJob(row) && row.runId.startsWith(run));
  const earlier = await Promise.all(
    continued.map(async (row) => ({ runId: row.runId, firstRunId: await first(row.runId, row) })),
  );
  const firstRunIds = await Promise.all(
    jobs.slice(0, MOST_DESCRIBED).map((job) => first(job.runIds[0]!, job)),
  );
  return jobs.map((job, index) => {
    const firstRunId = firstRunIds[index];
    if (firstRunId === undefined) return job;
    const own = earlier.filter((one) => one.firstRunId === firstRunId).map(({ runId }) => runId);
    return { ...job, runIds: [...job.runIds, firstRunId, ...own] };
  });
}
