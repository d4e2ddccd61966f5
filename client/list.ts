import type { Client } from '@temporalio/client';
import { TRAINING_JOB } from '../contracts/messages.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';
import { isFinal, type Phase } from '../contracts/status.ts';
import { type JobSummary, summaryOf } from './summary.ts';

export interface JobFilter {
  /** All namespaces without one. */
  readonly namespace?: string;
  readonly name?: string;
  readonly phase?: Phase;
  readonly kind?: string;
  readonly limit?: number;
}

/** Live jobs first, then ended ones, the newest of each first: the visibility store's own order. */
export async function* listJobs(client: Client, filter: JobFilter): AsyncGenerator<JobSummary> {
  const limit = filter.limit ?? Number.POSITIVE_INFINITY;
  if (limit < 1) return;
  let given = 0;
  const pageSize = Math.min(limit, 500);
  for await (const info of client.workflow.list({ query: queryFor(filter), pageSize })) {
    yield summaryOf(info);
    given += 1;
    if (given >= limit) return;
  }
}

export function queryFor(filter: JobFilter): string {
  const { namespace, name, kind, phase } = filter;
  return [
    `WorkflowType = ${quoted(TRAINING_JOB)}`,
    `ExecutionStatus != 'ContinuedAsNew'`,
    ...(namespace === undefined ? [] : [equals(SEARCH_ATTRIBUTES.namespace, namespace)]),
    ...(name === undefined ? [] : [equals(SEARCH_ATTRIBUTES.name, name)]),
    ...(kind === undefined ? [] : [equals(SEARCH_ATTRIBUTES.kind, kind)]),
    ...(phase === undefined ? [] : phaseClauses(phase)),
  ].join(' AND ');
}

/** A terminated workflow keeps the phase it had, so Temporal's own status has to agree. */
function phaseClauses(phase: Phase): string[] {
  const recorded = equals(SEARCH_ATTRIBUTES.phase, phase);
  if (phase === 'Stopped') {
    return [`(${recorded} OR ExecutionStatus IN ('Terminated', 'Canceled', 'TimedOut'))`];
  }
  return isFinal(phase) ? [recorded] : [recorded, `ExecutionStatus = 'Running'`];
}

const equals = ({ name }: { readonly name: string }, value: string) => `${name} = ${quoted(value)}`;

const quoted = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
