import { JobNotFoundError } from '../../client/errors/errors.ts';
import { ScheduleNotFoundError } from '../../client/errors/schedule-errors.ts';
import type { SignalboxClient } from '../../client/handles/client.ts';
import { parameterSweepOf } from '../../contracts/parameter-sweep.ts';
import { nearest, nearestQualified } from '../../language/did-you-mean.ts';

/** Adds to the error that there is no such sweep or schedule which was probably meant; the client knows the names of jobs. */
export async function withNearName(error: unknown, client: SignalboxClient): Promise<unknown> {
  try {
    if (error instanceof ScheduleNotFoundError) return await nearSchedule(error, client);
    const sweep = error instanceof JobNotFoundError && parameterSweepOf(error.workflowId);
    return sweep ? await nearSweep(error, sweep, client) : error;
  } catch {
    return error;
  }
}

async function nearSweep(
  { workflowId, cause }: JobNotFoundError,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  client: SignalboxClient,
): Promise<JobNotFoundError> {
  const names: string[] = [];
  for await (const sweep of client.sweeps({ namespace, limit: MOST_COMPARED })) names.push(sweep.name);
  return new JobNotFoundError(workflowId, { cause, near: nearest(name, names) });
}

async function nearSchedule(
  { scheduleId, cause }: ScheduleNotFoundError,
  client: SignalboxClient,
): Promise<ScheduleNotFoundError> {
  const ids: string[] = [];
  for await (const schedule of client.schedules.list()) ids.push(schedule.scheduleId);
  return new ScheduleNotFoundError(scheduleId, cause, nearestQualified(scheduleId, ids));
}

const MOST_COMPARED = 500;
