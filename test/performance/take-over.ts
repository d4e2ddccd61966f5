import { setTimeout as delay } from 'node:timers/promises';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { failPod } from '../scenarios/failed-pods.ts';
import type { BenchEngine } from './bench-engine.ts';
import { digestsOf, untilQuiet } from './digests.ts';
import type { JobCosts } from './figures.ts';
import type { LiveCase } from './live-case.ts';
import { historiesOf, startJobs } from './live-jobs.ts';
import { cpuNow, cpuSince } from './process-usage.ts';
import { awaitReplacement } from './replacement.ts';
import { queryRandomJobs } from './status-queries.ts';
import { readWatcherLease } from './watcher-lease.ts';
import { NAMESPACE } from './workload.ts';

/** Worker and watcher are killed beside live jobs, one pod fails, and both start again. */
export interface TakeOverRun extends JobCosts, TakeOver {
  /** By which the history of each job has grown since the kill. */
  readonly addedEvents: readonly number[];
}

/** Times are milliseconds from the pod's failure, unless said otherwise. */
interface TakeOver {
  readonly workerReady: number;
  readonly watcherReady: number;
  /** The new watcher holds the lease. */
  readonly leads: number;
  /** A pod in the failed one's place runs. */
  readonly replaced: number;
  /** From when the lease ends for the new watcher, which counts from its first look, to `replaced`. */
  readonly beyondLease: number;
  /** The same, where the lease is counted from its last renewal. */
  readonly beyondRenewal: number;
  readonly untilReplaced: Effort;
  readonly minuteAfter: Effort;
  /** Milliseconds of each query of a random job's status, from the failure to the end of that minute. */
  readonly queries: readonly number[];
}

interface Effort {
  readonly digests: number;
  /** By process. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
}

const LIMIT_MS = 300_000;
const MINUTE_MS = 60_000;

export const TAKE_OVER: LiveCase<TakeOverRun> = {
  name: 'd',
  measure: async (engine, workload, say) => {
    const { temporal } = engine.clients;
    const { start, jobs, observation } = await startJobs(engine, workload);
    observation.stop();
    say('  all jobs run; worker and watcher are killed when there is nothing left to tell');
    await untilQuiet(engine.watcher);
    const { historyEvents } = await historiesOf(temporal, jobs);
    const takenOver = await takeOver(engine, jobs, `${workload.prefix}-0`);
    const { historyEvents: grown } = await historiesOf(temporal, jobs);
    const addedEvents = grown.map((events, index) => events - historyEvents[index]!);
    const { cpuSeconds } = start;
    return { jobs: jobs.length, cpuSeconds, historyEvents, ...takenOver, addedEvents };
  },
};

async function takeOver(engine: BenchEngine, jobs: readonly JobHandle[], failing: string): Promise<TakeOver> {
  const { cluster } = engine.clients;
  const replacement = await awaitReplacement(cluster, failing);
  const over = new AbortController();
  try {
    await engine.kill();
    const lease = await readWatcherLease(cluster);
    const untilThen = await beginEffort(engine, 0);
    await failPod({ cluster, namespace: NAMESPACE }, replacement.pod.metadata.name, { exitCode: 1 });
    const failed = performance.now();
    const asking = queryRandomJobs(jobs, over.signal);
    asking.catch(() => undefined); // awaited below
    const ready = await engine.startAgain();
    const replaced = await replacement.running.reached(LIMIT_MS);
    const untilReplaced = await untilThen();
    const minute = await beginEffort(engine, untilReplaced.digests);
    await delay(MINUTE_MS);
    const minuteAfter = await minute();
    over.abort();
    const { acquiredAt } = await readWatcherLease(cluster);
    return {
      workerReady: ready.worker - failed,
      watcherReady: ready.watcher - failed,
      leads: acquiredAt - epoch(failed),
      replaced: replaced - failed,
      beyondLease: replaced - (ready.watcher + lease.durationMs),
      beyondRenewal: epoch(replaced) - (lease.renewedAt + lease.durationMs),
      untilReplaced,
      minuteAfter,
      queries: await asking,
    };
  } finally {
    over.abort();
    replacement.stop();
  }
}

/** Gives the effort from now on. A process that starts later begins with nothing. */
async function beginEffort(engine: BenchEngine, digestsBefore: number): Promise<() => Promise<Effort>> {
  const cpuBefore = await cpuNow(engine.pids);
  return async () => ({
    digests: (await digestsOf(engine.watcher)) - digestsBefore,
    cpuSeconds: await cpuSince(cpuBefore, engine.pids),
  });
}

/** As `Date.now()` would have told it. */
const epoch = (at: number) => performance.timeOrigin + at;
