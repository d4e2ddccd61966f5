import type { Client } from '@temporalio/client';
import type { EarlierJob, EarlierJobRequest } from '../contracts/calls-of-workflows.ts';
import { MEMO } from '../contracts/messages.ts';
import { quoted } from '../contracts/visibility-query.ts';
import { readClosedRun } from '../temporal/closed-run.ts';
import { findWorkflow } from '../temporal/find-workflow.ts';
import { listWorkflows } from '../temporal/list-workflows.ts';
import { recordedPhase } from '../temporal/live-jobs.ts';
import { isOpen } from '../temporal/open-workflows.ts';
import type { Dependencies } from './support/dependencies.ts';

/**
 * Finds the job that a workflow has submitted with a key in an earlier run of its own. A job that was cancelled or
 * terminated does not count: a workflow that closes cancels its jobs, and its next run wants them again.
 */
export async function findEarlierJob(
  { temporal }: Pick<Dependencies, 'temporal'>,
  { workflowId, key }: EarlierJobRequest,
): Promise<EarlierJob> {
  const last = await findWorkflow(temporal, workflowId);
  if (!last) return { state: 'none' };
  if (isOpen(last.status.name)) {
    const isSame = key !== undefined && last.memo?.[MEMO.key] === key;
    return { state: 'live', isSame, phase: recordedPhase(last) };
  }
  if (key === undefined) return { state: 'none' };
  for await (const run of runsOf(temporal, workflowId)) {
    if (run.memo?.[MEMO.key] !== key) continue;
    const { outcome } = await readClosedRun(temporal, run);
    if (outcome) return { state: 'ended', outcome };
  }
  return { state: 'none' };
}

/** Jobs that ended in their own way are closed with one of these. */
const runsOf = (temporal: Client, workflowId: string) =>
  listWorkflows(temporal, {
    query: `WorkflowId = ${quoted(workflowId)} AND ExecutionStatus IN ('Completed', 'Failed')`,
  });
