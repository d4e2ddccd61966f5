import type { Client } from '@temporalio/client';
import { inParallel } from '../../activities/support/in-parallel.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { BenchEngine } from './bench-engine.ts';
import { LANES, type StartedJobs, stopAndObserve, submitAndObserve } from './job-start.ts';
import { followAnchors } from './observation.ts';
import type { Workload } from './workload.ts';

/** Jobs of the engine that run. */
export type LiveJobs = StartedJobs<JobHandle>;

/** Submits jobs, and waits until all of them run. */
export const startJobs = ({ clients, pids }: BenchEngine, workload: Workload): Promise<LiveJobs> =>
  submitAndObserve(
    {
      cluster: clients.cluster,
      pids,
      follow: followAnchors,
      submit: async (manifest) => await clients.jobs.submit(manifest),
    },
    workload,
  );

/** Milliseconds from the first request to stop, until every job's phase is Stopped and its pods are gone. */
export async function stopJobs(live: LiveJobs): Promise<number> {
  const stopped = await stopAndObserve(live, async (job) => void (await job.stop({ by: 'bench' })));
  await inParallel(live.jobs, LANES, async (job) => void (await job.wait()));
  return stopped;
}

/** Of each job. */
export interface Histories {
  readonly historyEvents: readonly number[];
  readonly historyBytes: readonly number[];
}

/** As long as they are now, in the order of the jobs. */
export async function historiesOf(temporal: Client, jobs: readonly JobHandle[]): Promise<Histories> {
  const sizes: { events: number; bytes: number }[] = [];
  await inParallel([...jobs.entries()], LANES, async ([index, job]) => {
    const { historyLength, historySize = 0 } = await temporal.workflow.getHandle(job.workflowId).describe();
    sizes[index] = { events: historyLength, bytes: historySize };
  });
  return {
    historyEvents: sizes.map(({ events }) => events),
    historyBytes: sizes.map(({ bytes }) => bytes),
  };
}
