import type { Client } from '@temporalio/client';
import { type ExactFilter, matchesFilter } from '../../../contracts/filters.ts';
import { PHASES } from '../../../contracts/status.ts';
import type { Phase } from '../../../contracts/types.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import { eachWorkflow } from '../../servers/each-workflow.ts';
import { type JobSummary, summaryOf } from '../../servers/summary.ts';
import { isAboutSearchAttributes } from '../../servers/temporal-errors.ts';
import { exactFilter } from './exact-filter.ts';
import type { JobFilter } from './job-filter.ts';
import { OF_JOBS, queryFor } from './visibility-query.ts';

/** Yields live jobs first, then ended ones, newest first in each group, as the visibility store sorts them. */
export async function* listJobs(
  client: Client,
  filter: JobFilter,
  options: CallOptions = {},
): AsyncGenerator<JobSummary> {
  const { limit = Number.POSITIVE_INFINITY, pageSize = MOST_IN_A_PAGE } = filter;
  if (limit < 1) return;
  const exact = await exactFilter(filter);
  let given = 0;
  for await (const job of found({ client, options }, exact, Math.min(limit, pageSize, MOST_IN_A_PAGE))) {
    // The query lets through jobs without search attributes, and workflow ids of a wrong namespace.
    if (!matchesFilter(job, exact)) continue;
    yield job;
    given += 1;
    if (given >= limit) return;
  }
}

/** Returns how many jobs there are in each phase. */
export async function countJobs(client: Client, filter: JobFilter): Promise<Readonly<Record<Phase, number>>> {
  try {
    return { ...NONE, ...(await countByPhase(client, await exactFilter(filter))) };
  } catch (error) {
    if (!isAboutSearchAttributes(error)) throw error;
    const counts = { ...NONE };
    for await (const job of listJobs(client, filter)) counts[job.phase] += 1;
    return counts;
  }
}

/** Counts the phases that a filter chooses. `clauses`: what else holds of the jobs. */
export async function countByPhase(
  client: Client,
  filter: ExactFilter,
  clauses: readonly string[] = [],
): Promise<Readonly<Partial<Record<Phase, number>>>> {
  const count = async (phase: Phase) => {
    const query = [queryFor({ ...filter, phase: [phase] }), ...clauses].join(' AND ');
    return [phase, (await client.workflow.count(query)).count] as const;
  };
  return Object.fromEntries(await Promise.all((filter.phase ?? PHASES).map(count)));
}

const NONE = Object.fromEntries(PHASES.map((phase) => [phase, 0])) as Record<Phase, number>;

interface Asked {
  readonly client: Client;
  readonly options: CallOptions;
}

async function* found(asked: Asked, filter: ExactFilter, pageSize: number) {
  try {
    yield* summaries(asked, queryFor(filter), pageSize);
  } catch (error) {
    if (!isAboutSearchAttributes(error)) throw error;
    // The first worker registers the search attributes, so there was no worker yet. Use what Temporal itself records.
    yield* summaries(asked, OF_JOBS, pageSize);
  }
}

async function* summaries({ client: temporal, options }: Asked, query: string, pageSize: number) {
  for await (const info of eachWorkflow({ temporal }, { query, pageSize, options })) yield summaryOf(info);
}

const MOST_IN_A_PAGE = 500;
