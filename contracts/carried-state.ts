import { type Fields, isFields } from '../language/fields.ts';

/** How Temporal started a run, as `workflowInfo()` and the first event of its history say. */
export interface RunStart {
  /** The run that this one continues. */
  readonly continues: string | null | undefined;
  /** Of Temporal's retry policy, from 1. */
  readonly attempt: number | null | undefined;
  readonly cronSchedule: string | null | undefined;
}

/**
 * Returns the second argument of a run if the run before has passed it on; undefined if a client may have given it. Retries
 * and cron repeat the arguments of the client, in runs that continue others as well. A run that was reset begins like the
 * run that it repeats.
 */
export function passedOn(
  { continues, attempt, cronSchedule }: RunStart,
  second: unknown,
): Fields | undefined {
  const isByWorkflow = Boolean(continues) && (attempt || 1) === 1 && !cronSchedule;
  return isByWorkflow && isFields(second) ? second : undefined;
}

/** The same of a job's run. Every one passes on its ledger; those that have no `job` begin anew with another manifest. */
export function passedOnOfJob(start: RunStart, second: unknown): Fields | undefined {
  const carried = passedOn(start, second);
  return carried && isFields(carried.ledger) ? carried : undefined;
}
