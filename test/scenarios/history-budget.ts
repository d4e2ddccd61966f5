import type { JobHandle } from '../../client/job-handle.ts';
import type { Stage } from './stage.ts';

/** What a job's history may cost: Temporal's database is the limit of a large installation. */
export interface HistoryCost {
  readonly events: number;
  readonly workflowTasks: number;
}

export async function historyCostOf(stage: Stage, { workflowId }: JobHandle): Promise<HistoryCost> {
  const { events } = await stage.temporal.workflow.getHandle(workflowId).fetchHistory();
  const tasks = events?.filter(
    ({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes,
  );
  return { events: events?.length ?? 0, workflowTasks: tasks?.length ?? 0 };
}
