import { pauseMsAfter } from '../../language/pause-after-reading.ts';
import { pause } from '../../language/timers.ts';
import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import type { WatchedJob } from '../jobs/job.ts';
import type { JobStore } from '../store/job-store.ts';

/** Between two decisions, while jobs of lanes come, take what they were granted, and end. */
const LEAST_MS = 200;

/**
 * Knows when there is something new to decide: an anchor of a lane has changed. What else lanes follow from, as their
 * configuration and the cluster, is looked at once a second.
 */
export class LaneNews {
  readonly #known = new WeakMap<WatchedJob, AnchorFacts>();
  #isThere = false;
  #wake: () => void = () => undefined;

  constructor(jobs: JobStore) {
    jobs.on('changed', (job) => {
      const { anchor } = job;
      if (!anchor?.lane || this.#known.get(job) === anchor) return;
      this.#known.set(job, anchor);
      this.#isThere = true;
      this.#wake();
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
