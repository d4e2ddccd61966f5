import { BackOff } from '../../language/back-off.ts';
import type { JobResult } from './archive-batch.ts';
import { byClose, type ClosedJob } from './closed-jobs.ts';

/** Visibility shows a closed job that much later than others at most, while it works: a look goes back so far. */
const LAG_MS = 30_000;
/** The first look of an activity goes back further: two of them, so that a job is found that was shown ten minutes late. */
const LONG_LAG_MS = 20 * 60_000;
/** Archived jobs that are remembered, so that they are not looked for again. */
const MOST_REMEMBERED = 50_000;
const RETRY = { firstMs: 2_000, mostMs: 300_000 };

/** How far the archiver has looked. Times of Temporal's clock, RFC 3339. */
interface LookedUntil {
  readonly since?: string;
  readonly oldestWaiting?: string;
  /** When that was said: only the worker that said it remembers which jobs wait. */
  readonly at: string;
}

interface Looking {
  /** Lists the jobs that closed at that time or later, or all. */
  readonly list: (since?: string) => Promise<readonly ClosedJob[]>;
  /** Lists all, and looks again for archives that are known. */
  readonly isFull: boolean;
  /** Temporal's time. */
  readonly now: number;
}

/**
 * Finds out which ended jobs are to be archived next. Lives as long as its worker, of which successive activities of the
 * archiver mostly have the same: what a look lists follows from how many jobs have closed since the last one.
 */
export class EndedJobs {
  readonly #elapsed: () => number;
  readonly #archived = new Set<string>();
  readonly #waiting = new Map<string, ClosedJob>();
  /** Probably archived jobs: they are not reported as waiting. */
  readonly #toCheck = new Map<string, ClosedJob>();
  /** Of those that wait: tried again with pauses, so that they do not keep the archiver from the others. */
  readonly #failed = new Map<string, JobResult>();
  readonly #backOff = new BackOff(RETRY);
  #retryAt = 0;
  #since: string | undefined;
  #reachesBack = true;
  #said: string | undefined;

  /** `elapsed`: milliseconds of a clock that does not jump. */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
  }

  /** Where the next look begins. */
  get since(): string | undefined {
    return this.#since;
  }

  /** Jobs that are not in the archive yet, the one that closed first at the front. */
  waiting(): ClosedJob[] {
    return byClose(this.#waiting.values());
  }

  /** Of these: what keeps them from the archive. */
  failed(): JobResult[] {
    return [...this.#failed.values()];
  }

  /** Goes on from what an activity said last, of this worker or of another one. */
  resume({ since, oldestWaiting, at }: LookedUntil): void {
    this.#reachesBack = true;
    this.#since = since;
    if (at === this.#said) return;
    // Another worker knows which jobs wait: they have to be found again.
    this.#waiting.clear();
    this.#failed.clear();
    if (oldestWaiting !== undefined && since !== undefined && oldestWaiting < since)
      this.#since = oldestWaiting;
  }

  /** The beat of this time is this worker's own. */
  said(at: string): void {
    this.#said = at;
  }

  /** Returns the jobs to archive now, the one that closed first at the front. */
  async next({ list, isFull, now }: Looking): Promise<ClosedJob[]> {
    const listed = await list(isFull ? undefined : this.#from());
    this.#reachesBack = false;
    for (const job of listed) this.#sort(job, isFull);
    this.#advance(listed, now);
    const isRetry = isFull || this.#elapsed() >= this.#retryAt;
    const due = [...this.#waiting.values()].filter(({ runId }) => isRetry || !this.#failed.has(runId));
    return byClose([...due, ...this.#toCheck.values()]);
  }

  /** Takes what became of a job. */
  take(result: JobResult): void {
    const { job, is } = result;
    const { runId } = job;
    this.#toCheck.delete(runId);
    if (is === 'failed') this.#failed.set(runId, result);
    else this.#failed.delete(runId);
    if (is === 'failed' || is === 'waiting') this.#waiting.set(runId, job);
    else {
      this.#waiting.delete(runId);
      this.#remember(runId);
    }
  }

  /** To be called after each round: those that failed are tried again later. */
  rest(): void {
    if (this.#failed.size === 0) this.#backOff.reset();
    else if (this.#elapsed() >= this.#retryAt) this.#retryAt = this.#elapsed() + this.#backOff.next();
  }

  #sort(job: ClosedJob, isFull: boolean): void {
    const isArchived = this.#archived.has(job.runId);
    if (isArchived && !isFull) return;
    const wasReached = this.#since !== undefined && job.closed < this.#since;
    const isKnownToWait = this.#waiting.has(job.runId);
    (isArchived || (wasReached && !isKnownToWait) ? this.#toCheck : this.#waiting).set(job.runId, job);
  }

  #from(): string | undefined {
    if (this.#since === undefined || !this.#reachesBack) return this.#since;
    return before(Date.parse(this.#since), LONG_LAG_MS - LAG_MS);
  }

  /** By Temporal's clock alone. One of its hosts may be ahead: nothing that closes now is left out for that. */
  #advance(listed: readonly ClosedJob[], now: number): void {
    const newest = listed.reduce((last, { closed }) => Math.max(last, Date.parse(closed)), 0);
    if (newest === 0) return;
    const reached = before(Math.min(newest, now), LAG_MS);
    if (this.#since === undefined || reached > this.#since) this.#since = reached;
  }

  #remember(runId: string): void {
    this.#archived.add(runId);
    if (this.#archived.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#archived;
    if (oldest !== undefined) this.#archived.delete(oldest);
  }
}

const before = (ms: number, lag: number): string => new Date(ms - lag).toISOString();
