import { inParallel } from '../../activities/support/in-parallel.ts';
import { MOST_IN_FLIGHT } from '../../client/servers/in-flight.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { type FollowJobs, type Observation, observe } from './observation.ts';
import { cpuNow, cpuSince } from './process-usage.ts';
import { manifestsOf, type Workload } from './workload.ts';

/** What starts jobs: the engine, or an operator. */
export interface JobSystem<Job> {
  readonly cluster: ClusterClient;
  /** Of all processes that take part, by name. */
  readonly pids: Readonly<Record<string, number>>;
  readonly follow: FollowJobs;
  submit(manifest: object): Promise<Job>;
}

/** Times are milliseconds from the first submission. */
export interface JobStart {
  readonly submitted: number;
  readonly created: number;
  readonly running: number;
  /** Every job's phase is Running, as its own object shows it. */
  readonly phaseRunning: number;
  /** Of each job: from its last pod's Running to its phase Running. */
  readonly lags: readonly number[];
  /** Processor seconds by process, from the first submission to the last phase Running. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
}

/** Jobs that run, and who watches them. */
export interface StartedJobs<Job> {
  readonly start: JobStart;
  readonly jobs: readonly Job[];
  readonly observation: Observation;
}

const LIMIT_MS = 1_800_000;
/** Requests about jobs in flight, as the client's own `submitMany` has. */
export const LANES = { limit: MOST_IN_FLIGHT, signal: new AbortController().signal };

/** Submits jobs, and waits until all of them run. */
export async function submitAndObserve<Job>(
  { cluster, pids, follow, submit }: JobSystem<Job>,
  workload: Workload,
): Promise<StartedJobs<Job>> {
  const observation = await observe(cluster, workload, follow);
  try {
    const cpuBefore = await cpuNow(pids);
    const begin = performance.now();
    const jobs: Job[] = [];
    await inParallel(
      manifestsOf(workload),
      LANES,
      async (manifest) => void jobs.push(await submit(manifest)),
    );
    const submitted = performance.now() - begin;
    const created = (await observation.created.reached(LIMIT_MS)) - begin;
    const running = (await observation.running.reached(LIMIT_MS)) - begin;
    const phaseRunning = (await observation.jobsRunning.reached(LIMIT_MS)) - begin;
    const cpuSeconds = await cpuSince(cpuBefore, pids);
    const lags = observation.lags();
    return { start: { submitted, created, running, phaseRunning, lags, cpuSeconds }, jobs, observation };
  } catch (error) {
    observation.stop();
    throw error;
  }
}

/** Milliseconds from the first request to stop, until every job's phase is Stopped and its pods are gone. */
export async function stopAndObserve<Job>(
  { jobs, observation }: StartedJobs<Job>,
  stop: (job: Job) => Promise<void>,
): Promise<number> {
  try {
    const begin = performance.now();
    await inParallel(jobs, LANES, stop);
    const ends = await Promise.all([
      observation.gone.reached(LIMIT_MS),
      observation.jobsStopped.reached(LIMIT_MS),
    ]);
    return Math.max(...ends) - begin;
  } finally {
    observation.stop();
  }
}
