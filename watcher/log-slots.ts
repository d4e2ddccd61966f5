import type { WatchedJob } from './jobs/job.ts';
import { metrics } from './metrics.ts';
import type { FollowedLog } from './progress/followed-log.ts';

/**
 * The logs that are followed at once, and the jobs that wait for one. Namespaces share them: one team must not keep all,
 * because the progress of every other team's jobs would not be read.
 */
export class LogSlots {
  readonly followed = new Map<WatchedJob, FollowedLog>();
  readonly waiting = new Set<WatchedJob>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.followed.size >= this.#most;
  }

  /** Returns the job of the namespace with most logs, to give way to one of another; undefined if that has its share. */
  givesWay(namespace: string): WatchedJob | undefined {
    const byNamespace = this.#byNamespace();
    const own = byNamespace.get(namespace)?.length ?? 0;
    const most = [...byNamespace.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    return most.length > own + 1 ? most.at(-1) : undefined;
  }

  /** Takes the waiting job of the namespace with fewest logs, if there is a free slot. */
  takeNext(): WatchedJob | undefined {
    if (this.isFull) return undefined;
    const byNamespace = this.#byNamespace();
    const countOf = ({ namespace }: WatchedJob) => byNamespace.get(namespace)?.length ?? 0;
    let next: WatchedJob | undefined;
    for (const job of this.waiting) if (!next || countOf(job) < countOf(next)) next = job;
    if (next) this.waiting.delete(next);
    return next;
  }

  count(): void {
    metrics.logs.set({ state: 'followed' }, this.followed.size);
    metrics.logs.set({ state: 'waiting' }, this.waiting.size);
  }

  #byNamespace = () => Map.groupBy(this.followed.keys(), ({ namespace }) => namespace);
}
