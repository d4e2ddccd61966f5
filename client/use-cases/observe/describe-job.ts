import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { findWorkflow, firstRunIdOf, hasFirstRun } from '../../../temporal/find-workflow.ts';
import { closedRunOf, type FollowOptions, type Run, untilAnswered } from '../../servers/follow-runs.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { TemporalPort } from '../../servers/ports.ts';

/** Describes the last run; if a later job has the workflow id, the last run of this one's chain. */
export async function describeLastRun(
  { temporal }: TemporalPort,
  { workflowId, runId, firstRunId }: JobId,
): Promise<WorkflowExecutionDescription> {
  const last = await temporal.workflow.getHandle(workflowId).describe();
  if (runId === undefined || last.runId === runId) return last;
  if (hasFirstRun(last, firstRunId ?? (await firstRunOf(temporal, { workflowId, runId })))) return last;
  const closed = await closedRunOf(temporal, { workflowId, runId }, {});
  return temporal.workflow.getHandle(workflowId, closed.runId).describe();
}

/** Undefined if Temporal no longer has the run. */
async function firstRunOf(temporal: Client, { workflowId, runId }: Run): Promise<string | undefined> {
  const found = await findWorkflow(temporal, workflowId, runId);
  return found && firstRunIdOf(found);
}

/** Who follows a job twice stays with it, also if a later job has its workflow id by then. */
const FOLLOWED = new WeakMap<JobId, Run>();

/** Retention may delete the first runs of a long job; the present run always exists. */
export function startingRun(ports: TemporalPort, job: JobId, options: FollowOptions): Promise<Run> {
  const { temporal } = ports;
  const { workflowId, runId } = job;
  return untilAnswered(temporal, options, async () => {
    const first = FOLLOWED.get(job) ?? (runId === undefined ? undefined : { workflowId, runId });
    if (first && (await findWorkflow(temporal, workflowId, first.runId))) return first;
    const present = { workflowId, runId: (await describeLastRun(ports, job)).runId };
    FOLLOWED.set(job, present);
    return present;
  });
}
