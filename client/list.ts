import type { Client } from '@temporalio/client';
import { TRAINING_JOB } from '../contracts/messages.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';
import { isFinal, type Phase } from '../contracts/status.ts';
import { type JobSummary, summaryOf } from './summary.ts';
import { isAboutSearchAttributes } from './temporal-errors.ts';
import { quoted } from './visibility-query.ts';

/** @public */
export interface JobFilter {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly name?: string;
  readonly phase?: Phase;
  readonly kind?: string;
  readonly limit?: number;
}

/** Yields live jobs first, then ended ones, newest first in each group, as the visibility store sorts them. */
export async function* listJobs(client: Client, filter: JobFilter): AsyncGenerator<JobSummary> {
  const limit = filter.limit ?? Number.POSITIVE_INFINITY;
  if (limit < 1) return;
  let given = 0;
  for await (const job of found(client, filter)) {
    if (!matchesFilter(job, filter)) continue;
    yield job;
    given += 1;
    if (given >= limit) return;
  }
}

async function* found(client: Client, filter: JobFilter): AsyncGenerator<JobSummary> {
  const pageSize = Math.min(filter.limit ?? MOST_IN_A_PAGE, MOST_IN_A_PAGE);
  try {
    for await (const info of client.workflow.list({ query: queryFor(filter), pageSize }))
      yield summaryOf(info);
  } catch (error) {
    if (!isAboutSearchAttributes(error)) throw error;
    // The first worker registers the search attributes, so there was no worker yet. Use what Temporal itself records.
    for await (const info of client.workflow.list({ query: OF_JOBS, pageSize })) yield summaryOf(info);
  }
}

const MOST_IN_A_PAGE = 500;

/** Filters what the query lets through: jobs without search attributes, and workflow ids of a wrong namespace. */
const matchesFilter = (job: JobSummary, { namespace, name, kind, phase }: JobFilter): boolean =>
  [
    [namespace, job.namespace],
    [name, job.name],
    [kind, job.kind],
    [phase, job.phase],
  ].every(([wanted, is]) => wanted === undefined || wanted === is);

const OF_JOBS = `WorkflowType = ${quoted(TRAINING_JOB)} AND ExecutionStatus != 'ContinuedAsNew'`;

export function queryFor(filter: JobFilter): string {
  const { namespace, name, kind, phase } = filter;
  return [
    OF_JOBS,
    ...(namespace === undefined ? [] : [namespaceClause(namespace)]),
    ...(name === undefined ? [] : [equals(SEARCH_ATTRIBUTES.name, name)]),
    ...(kind === undefined ? [] : [equals(SEARCH_ATTRIBUTES.kind, kind)]),
    ...(phase === undefined ? [] : phaseClauses(phase)),
  ].join(' AND ');
}

/** A job that ended before a worker saw it may show its namespace only in its workflow id. */
const namespaceClause = (namespace: string) =>
  `(${equals(SEARCH_ATTRIBUTES.namespace, namespace)} OR WorkflowId STARTS_WITH ${quoted(`job/${namespace}/`)})`;

/** A terminated workflow keeps its last recorded phase, so Temporal's own status must match too. */
function phaseClauses(phase: Phase): string[] {
  const recorded = equals(SEARCH_ATTRIBUTES.phase, phase);
  if (phase === 'Stopped') {
    return [`(${recorded} OR ExecutionStatus IN ('Terminated', 'Canceled', 'TimedOut'))`];
  }
  if (phase === 'Failed') return [`(${recorded} OR ExecutionStatus = 'Failed')`];
  return isFinal(phase) ? [recorded] : [recorded, `ExecutionStatus = 'Running'`];
}

const equals = ({ name }: { readonly name: string }, value: string) => `${name} = ${quoted(value)}`;
