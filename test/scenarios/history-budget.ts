import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { Stage } from './stage.ts';

/** What a job's history costs: Temporal's database is the limit of a large installation. */
export interface HistoryCost {
  readonly events: number;
  readonly workflowTasks: number;
  readonly digests: number;
}

export async function historyCostOf(stage: Stage, { workflowId }: JobHandle): Promise<HistoryCost> {
  const { events } = await stage.temporal.workflow.getHandle(workflowId).fetchHistory();
  const tasks = events?.filter(
    ({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes,
  );
  const signals = events?.filter(
    ({ workflowExecutionSignaledEventAttributes }) => workflowExecutionSignaledEventAttributes,
  );
  return {
    events: events?.length ?? 0,
    workflowTasks: tasks?.length ?? 0,
    digests: signals?.length ?? 0,
  };
}
