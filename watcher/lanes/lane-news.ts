import { pauseMsAfter } from '../../language/pause-after-reading.ts';
import { pause } from '../../language/timers.ts';
import type { WatchedJob } from '../jobs/job.ts';
import type { JobStore } from '../store/job-store.ts';
import type { LaneRecords } from './lane-records.ts';

/** Between two decisions, while jobs of lanes come, take what they were granted, and end. */
const LEAST_MS = 200;

/**
 * Knows when there is something new to decide: the record of a job in a lane has changed, or its anchor is seen at last. What else lanes follow from, as their
 * configuration and the cluster, is looked at once a second.
 */
export class LaneNews {
  readonly #seen = new WeakSet<WatchedJob>();
  #isThere = false;
  #wake: () => void = () => undefined;

  constructor(records: LaneRecords, jobs: JobStore) {
    const tell = () => {
      this.#isThere = true;
      this.#wake();
    };
    records.on('changed', tell);
    jobs.on('changed', (job) => {
      if (!job.anchor || this.#seen.has(job) || !records.has(job.uid)) return;
      this.#seen.add(job);
      tell();
    });
  }

  /** What has changed until now is no news any more. */
  read(): void {
    this.#isThere = false;
  }

  /** Waits until the next decision is due, or the signal aborts. `startedAt`: when the last one began, in epoch milliseconds. */
  async untilDue(startedAt: number, signal: AbortSignal): Promise<void> {
    const readMs = Date.now() - startedAt;
    const leastMs = pauseMsAfter(readMs, LEAST_MS);
    await pause(leastMs, signal);
    if (this.#isThere) return;
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await pause(pauseMsAfter(readMs) - leastMs, AbortSignal.any([signal, woken.signal]));
  }
}
