import { msToTs } from '@temporalio/common/lib/time.js';
import proto, { type temporal } from '@temporalio/proto';

/** A closed workflow as Temporal's server lists it. */
interface ClosedWorkflow {
  readonly workflowId: string;
  readonly runId: string;
  readonly closedAt: number;
  readonly memo?: Readonly<Record<string, temporal.api.common.v1.IPayload>>;
  readonly status?: number;
}

const COMPLETED = 2;
export const FAILED = 3;

const { WorkflowExecutionInfo } = proto.temporal.api.workflow.v1;

/** Returns the answer of a server that has only these workflows, whose histories have the length 0: it leaves that out. */
export const listed = (...workflows: readonly ClosedWorkflow[]) => ({
  executions: workflows.map(({ workflowId, runId, closedAt, memo, status = COMPLETED }) =>
    WorkflowExecutionInfo.create({
      ...{ type: { name: 'trainingJob' }, taskQueue: 'signalbox', status, execution: { workflowId, runId } },
      ...{ startTime: msToTs(closedAt - 1_000), closeTime: msToTs(closedAt), memo: { fields: memo } },
    }),
  ),
});
