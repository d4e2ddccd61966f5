import type { Client } from '@temporalio/client';
import { inParallel } from '../../activities/support/in-parallel.ts';
import type { SignalboxClient } from '../../client/client.ts';
import type { JobHandle } from '../../client/job-handle.ts';
import type { BenchEngine } from './bench-engine.ts';
import { type Observation, observe } from './observation.ts';
import { cpuNow, cpuSince } from './process-usage.ts';
import { manifestsOf, type Workload } from './workload.ts';

/** Times are milliseconds from the first submission. */
export interface JobStart {
  readonly submitted: number;
  readonly created: number;
  readonly running: number;
  /** Every job's phase is Running, as its anchor shows it. */
  readonly phaseRunning: number;
  /** Of each job: from its last pod's Running to its phase Running. */
  readonly lags: readonly number[];
  /** Processor seconds by process, from the first submission to the last phase Running. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
}

/** Jobs that run, and who watches them. */
export interface LiveJobs {
  readonly start: JobStart;
  readonly jobs: readonly JobHandle[];
  readonly observation: Observation;
}

const LIMIT_MS = 600_000;
/** Requests to Temporal in flight. */
const LANES = { limit: 16, signal: new AbortController().signal };

/** Submits jobs, and waits until all of them run. */
export async function startJobs({ clients, pids }: BenchEngine, workload: Workload): Promise<LiveJobs> {
  const observation = await observe(clients.cluster, workload);
  try {
    const cpuBefore = await cpuNow(pids);
    const begin = performance.now();
    const jobs = await submitAll(clients.jobs, workload);
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
export async function stopJobs({ jobs, observation }: LiveJobs): Promise<number> {
  try {
    const begin = performance.now();
    await inParallel(jobs, LANES, async (job) => void (await job.stop({ by: 'bench' })));
    const ends = await Promise.all([
      observation.gone.reached(LIMIT_MS),
      observation.jobsStopped.reached(LIMIT_MS),
    ]);
    await inParallel(jobs, LANES, async (job) => void (await job.wait()));
    return Math.max(...ends) - begin;
  } finally {
    observation.stop();
  }
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

async function submitAll(client: SignalboxClient, workload: Workload): Promise<JobHandle[]> {
  const jobs: JobHandle[] = [];
  await inParallel(manifestsOf(workload), LANES, async (manifest) => {
    jobs.push((await client.submit(manifest)).job);
  });
  return jobs;
}
