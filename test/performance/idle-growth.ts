import { setTimeout as delay } from 'node:timers/promises';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { BenchEngine } from './bench-engine.ts';
import { GROWTH_STEPS } from './cases.ts';
import { untilQuiet } from './digests.ts';
import type { JobCosts } from './figures.ts';
import type { JobStart } from './job-start.ts';
import type { LiveCase } from './live-case.ts';
import { historiesOf, startJobs } from './live-jobs.ts';
import { cpuNow, cpuSince, usageOf } from './process-usage.ts';
import { timeStatusQuery } from './status-queries.ts';

/** More and more jobs run, and nothing happens to them. */
export interface IdleGrowthRun extends JobCosts {
  /** Before the first job. */
  readonly empty: Resident;
  readonly steps: readonly GrowthStep[];
  /** Processor seconds by process, with all jobs. */
  readonly idleMinute: Readonly<Record<string, number>>;
  /** Milliseconds of each query of the status of a job of the first step. */
  readonly queries: readonly number[];
}

interface GrowthStep {
  /** That run at the end of the step. */
  readonly jobs: number;
  readonly jobsPerSecond: number;
  readonly start: JobStart;
  readonly resident: Resident;
}

/** Resident memory in MB; absent elsewhere than on Linux. */
export interface Resident {
  readonly worker?: number;
  readonly watcher?: number;
  readonly temporal?: number;
}

const MINUTE_MS = 60_000;
/** Each of a different job, so that the worker replays every one that it no longer has in its cache. */
const QUERIES = 100;

export const IDLE_GROWTH: LiveCase<IdleGrowthRun> = {
  name: 'e',
  measure: async (engine, workload, say) => {
    await untilQuiet(engine.watcher);
    const empty = await residentNow(engine);
    const steps: GrowthStep[] = [];
    const live: JobHandle[] = [];
    const jobsOfStep = workload.jobs / GROWTH_STEPS;
    while (live.length < workload.jobs) {
      const prefix = `${workload.prefix}-${steps.length}`;
      const { start, jobs, observation } = await startJobs(engine, {
        ...{ prefix, jobs: jobsOfStep, podsPerJob: workload.podsPerJob },
      });
      observation.stop();
      live.push(...jobs);
      await untilQuiet(engine.watcher);
      const jobsPerSecond = (jobsOfStep * 1000) / start.phaseRunning;
      steps.push({ jobs: live.length, jobsPerSecond, start, resident: await residentNow(engine) });
      say(`  ${live.length} jobs run, the last ones at ${jobsPerSecond.toFixed(1)} a second`);
    }
    const { historyEvents } = await historiesOf(engine.clients.temporal, live);
    const idleMinute = await cpuOfMinute(engine);
    const queries = await queryEach(sampleOf(live.slice(0, jobsOfStep)));
    const cpuSeconds = sumOf(steps.map(({ start }) => start.cpuSeconds));
    return { jobs: live.length, cpuSeconds, historyEvents, empty, steps, idleMinute, queries };
  },
};

async function residentNow({ pids: { worker, watcher, temporal } }: BenchEngine): Promise<Resident> {
  const megabytes = async (pid: number | undefined) => pid && (await usageOf(pid))?.residentMb;
  return {
    worker: await megabytes(worker),
    watcher: await megabytes(watcher),
    temporal: await megabytes(temporal),
  };
}

async function cpuOfMinute({ pids }: BenchEngine): Promise<Readonly<Record<string, number>>> {
  const before = await cpuNow(pids);
  await delay(MINUTE_MS);
  return cpuSince(before, pids);
}

function sampleOf(jobs: readonly JobHandle[]): readonly JobHandle[] {
  const shuffled = jobs.map((job) => ({ job, at: Math.random() })).sort((a, b) => a.at - b.at);
  return shuffled.slice(0, QUERIES).map(({ job }) => job);
}

async function queryEach(jobs: readonly JobHandle[]): Promise<number[]> {
  const times: number[] = [];
  for (const job of jobs) times.push(await timeStatusQuery(job));
  return times;
}

function sumOf(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [name, seconds] of all.flatMap(Object.entries<number>)) {
    sums[name] = (sums[name] ?? 0) + seconds;
  }
  return sums;
}
