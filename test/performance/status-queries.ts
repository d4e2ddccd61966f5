import type { JobHandle } from '../../client/handles/job-handle.ts';
import { pause } from '../../language/timers.ts';
import { eventually } from '../eventually.ts';

const LIMIT = { withinMs: 120_000, everyMs: 20 };
/** Each may cost the worker the replay of a job, which is not what is measured beside them. */
const EVERY_MS = 2_000;

/** Milliseconds until a job's status is known. Asks again where no worker answers in time. */
export async function timeStatusQuery(job: JobHandle): Promise<number> {
  const begin = performance.now();
  await eventually(`${job.workflowId} tells its status`, () => job.status(), LIMIT);
  return performance.now() - begin;
}

/** Asks random jobs, one after the other, until the signal aborts. Milliseconds, of each query. */
export async function queryRandomJobs(jobs: readonly JobHandle[], over: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!over.aborted) {
    times.push(await timeStatusQuery(jobs[Math.floor(Math.random() * jobs.length)]!));
    await pause(EVERY_MS, over);
  }
  return times;
}
