import { msToTs } from '@temporalio/common/lib/time.js';
import type { temporal } from '@temporalio/proto';

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

/** Returns the answer of a server that has only these workflows. */
export const listed = (...workflows: readonly ClosedWorkflow[]) => ({
  executions: workflows.map(({ workflowId, runId, closedAt, memo, status = COMPLETED }) => ({
    ...{ type: { name: 'trainingJob' }, taskQueue: 'signalbox', status },
    ...{ execution: { workflowId, runId }, historyLength: { toNumber: () => 3 } },
    ...{ startTime: msToTs(closedAt - 1_000), closeTime: msToTs(closedAt), memo: { fields: memo } },
  })),
});
