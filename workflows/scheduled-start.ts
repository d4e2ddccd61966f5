import { workflowInfo } from '@temporalio/workflow';
import { SCHEDULED_AT, SCHEDULED_BY } from '../contracts/scheduled-job.ts';

/** A start by a schedule. */
export interface ScheduledStart {
  readonly scheduleId: string;
  /** When it was due. */
  readonly at: Date;
}

/** Returns which schedule started this workflow, however the schedule was created; undefined if none did. */
export function findScheduledStart(): ScheduledStart | undefined {
  const all = workflowInfo().typedSearchAttributes.getAll();
  const found = (name: string) => all.find(({ key }) => key.name === name)?.value;
  const [scheduleId, at] = [found(SCHEDULED_BY), found(SCHEDULED_AT)];
  return typeof scheduleId === 'string' && at instanceof Date ? { scheduleId, at } : undefined;
}
