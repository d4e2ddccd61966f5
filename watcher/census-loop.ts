import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { ServedNamespaces } from '../contracts/served-namespaces.ts';
import { pause } from '../language/timers.ts';
import { whenAborted } from '../language/when-aborted.ts';
import { type JobCensus, takeJobCensus } from './census/job-census.ts';
import { metrics } from './metrics.ts';

interface CensusOptions {
  readonly temporal: Client;
  readonly taskQueue: string;
  readonly namespaces?: ServedNamespaces;
  readonly teamLabel?: string;
  readonly log: Pick<Logger, 'warn'>;
}

/** 3,000 open jobs take half a second to list (SQLite, 2 cores). */
const EVERY_MS = 30_000;
const ANSWER_MS = 25_000;

/** Counts the open jobs while this watcher leads. Returns as soon as the signal aborts. */
export async function keepCensus(options: CensusOptions, signal: AbortSignal): Promise<void> {
  await Promise.race([countAgainAndAgain(options, signal), whenAborted(signal)]);
  for (const gauge of [metrics.openJobs, metrics.teamJobs, metrics.oldestPending, metrics.censusAt])
    gauge.reset();
}

async function countAgainAndAgain(options: CensusOptions, signal: AbortSignal): Promise<void> {
  const { temporal, log } = options;
  while (!signal.aborted) {
    try {
      const deadline = Date.now() + ANSWER_MS;
      const census = await temporal.withDeadline(deadline, () => takeJobCensus(temporal, options));
      if (!signal.aborted) show(census);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, NOT_COUNTED);
    }
    await pause(EVERY_MS, signal);
  }
}

const NOT_COUNTED = 'the open jobs could not be counted; the metrics of jobs keep the last count';

function show({ jobs, teams, oldestPending }: JobCensus): void {
  jobs.showOn(metrics.openJobs);
  teams.showOn(metrics.teamJobs);
  metrics.oldestPending.reset();
  for (const [job_namespace, since] of oldestPending) metrics.oldestPending.set({ job_namespace }, since);
  metrics.censusAt.setToCurrentTime();
}
