import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { TRAINING_JOB } from '../contracts/messages.ts';
import { isServed, type ServedNamespaces } from '../contracts/served-namespaces.ts';
import { quoted } from '../contracts/visibility-query.ts';
import { visibleJobOf } from '../temporal/job-identity.ts';
import { listWorkflows } from '../temporal/list-workflows.ts';

/** The most that a server gives by default. */
const PAGE = 1_000;

interface Listing {
  readonly taskQueue: string;
  readonly namespaces?: ServedNamespaces;
  /** Jobs that closed then or later, in epoch milliseconds. */
  readonly closedSince: number;
}

/** Lists the open jobs, and those that closed lately: the ones that closed first, so that a job that took a name over comes last. */
export async function openAndClosed(
  temporal: Client,
  { taskQueue, namespaces, closedSince }: Listing,
): Promise<WorkflowExecutionInfo[]> {
  const ofQueue = `WorkflowType = ${quoted(TRAINING_JOB)} AND TaskQueue = ${quoted(taskQueue)}`;
  const since = quoted(new Date(closedSince).toISOString());
  const closed = `${ofQueue} AND CloseTime >= ${since} AND ExecutionStatus != 'ContinuedAsNew'`;
  const found: WorkflowExecutionInfo[] = [];
  for (const query of [closed, `${ofQueue} AND ExecutionStatus = 'Running'`])
    for await (const info of listWorkflows(temporal, { query, pageSize: PAGE, withoutMemos: true }))
      if (isServed(namespaces, visibleJobOf(info).namespace)) found.push(info);
  return found;
}
