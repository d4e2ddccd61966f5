import type { ArchiverBeat } from '../../contracts/archiver.ts';
import { formatDuration } from '../../language/duration.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { JobResult } from './archive-batch.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import { archiveRound, failuresOf } from './archiver-round.ts';
import { type ClosedJob, closedJobs } from './closed-jobs.ts';
import { EndedJobs } from './ended-jobs.ts';
import { KeptRuns } from './kept-runs.ts';
import { ownLog } from './own-log.ts';

/** What a worker remembers from one activity of the archiver to the next. Nothing relies on it. */
export class ArchiverCache {
  readonly jobs = new EndedJobs();
  readonly runs = new KeptRuns();
}

interface SessionOptions {
  readonly cache: ArchiverCache;
  /** What the activity before said last. */
  readonly last: ArchiverBeat;
  readonly signal: AbortSignal;
}

/** At most that long until all closed jobs are looked at again. */
const DAY_MS = 86_400_000;
/** A store that has not answered for so long probably hangs. Requests to a bucket end earlier, with an error. */
const SILENCE_MS = 2 * 60_000;

/** The work of one activity of the archiver, round by round. */
export class ArchiverSession {
  readonly #dependencies: ArchiverDependencies;
  readonly #cache: ArchiverCache;
  readonly #signal: AbortSignal;
  #archived: number;
  #signed: string | undefined;
  #fullRoundAfter: string | undefined;
  /** Why no job can be archived. */
  #stuck: string | undefined;
  #retentionMs: number | undefined;
  #hasOwnLog = false;

  constructor(dependencies: ArchiverDependencies, { cache, last, signal }: SessionOptions) {
    this.#dependencies = dependencies;
    this.#cache = cache;
    this.#signal = signal;
    this.#archived = last.archived;
    this.#signed = last.signed;
    this.#fullRoundAfter = last.fullRoundAfter;
    cache.jobs.resume(last);
  }

  /** Whether the last round could not archive anything. */
  get isStuck(): boolean {
    return this.#stuck !== undefined;
  }

  /** What the next heartbeat reports. */
  beat(): ArchiverBeat {
    const { jobs } = this.#cache;
    const waiting = jobs.waiting();
    const [oldest] = waiting;
    const at = new Date(this.#dependencies.now()).toISOString();
    const stuck = this.#storeProblem();
    const problem = stuck ?? this.#jobProblem();
    jobs.said(at);
    return {
      since: jobs.since,
      fullRoundAfter: this.#fullRoundAfter,
      archived: this.#archived,
      waiting: waiting.length,
      ...(oldest ? { oldestWaiting: oldest.closed } : {}),
      endangered: waiting.filter((job) => this.#isEndangered(job)).length,
      ...(problem === undefined ? {} : { problem, isStuck: stuck !== undefined }),
      failures: jobs.failed().length,
      failed: failuresOf(jobs.failed()),
      signed: this.#signed,
      at,
    };
  }

  /** Never throws: what keeps jobs from the archive is in the beat. */
  async round(): Promise<void> {
    const { log } = this.#dependencies;
    try {
      await this.#archive();
      this.#stuck = undefined;
    } catch (error) {
      if (this.#signal.aborted) return;
      const why = errorMessage(error);
      // A round comes every few seconds.
      if (why !== this.#stuck) log.warn({ err: error }, 'jobs cannot be archived now; trying again');
      this.#stuck = why;
    }
  }

  async #archive(): Promise<void> {
    const { temporal, ready, now } = this.#dependencies;
    const { jobs, runs } = this.#cache;
    await ready();
    this.#retentionMs ??= await retentionOf(temporal);
    // Nothing relies on visibility, or on what is remembered, for ever.
    const isFull = this.#isTimeForFullRound();
    const list = (since?: string) => closedJobs(temporal, since);
    const due = await jobs.next({ list, isFull, now: now() });
    if (isFull || !this.#hasOwnLog) await ownLog(this.#dependencies);
    this.#hasOwnLog = true;
    if (isFull) await runs.keep(this.#dependencies, { retentionMs: this.#retentionMs, signal: this.#signal });
    await archiveRound(this.#dependencies, due, {
      isUrgent: (job) => this.#isEndangered(job),
      signal: this.#signal,
      signed: this.#signed,
      onSigned: (signed) => {
        this.#signed = signed;
      },
      done: (result) => this.#take(result),
    });
    if (this.#signal.aborted) return;
    jobs.rest();
    if (isFull) this.#fullRoundAfter = new Date(now() + this.#fullRoundEvery()).toISOString();
  }

  #take(result: JobResult): void {
    const { log } = this.#dependencies;
    const { job, is } = result;
    this.#cache.jobs.take(result);
    if (is === 'written') {
      this.#archived++;
      log.info({ workflowId: job.workflowId, runId: job.runId }, 'job archived');
    }
    if (is === 'failed') {
      log.warn({ workflowId: job.workflowId, why: result.why }, 'job cannot be archived now; trying again');
    }
    if (is === 'gone') {
      log.error({ workflowId: job.workflowId }, 'job was deleted by Temporal before it was archived');
    }
  }

  #storeProblem(): string | undefined {
    if (this.#stuck !== undefined) return this.#stuck;
    const { store } = this.#dependencies;
    const silentMs = store.silentMs();
    return silentMs > SILENCE_MS
      ? `${store.location} has not answered for ${formatDuration(silentMs)}`
      : undefined;
  }

  #jobProblem(): string | undefined {
    const failed = this.#cache.jobs.failed();
    const [one] = failuresOf(failed);
    return one && `${failed.length} of the ended jobs cannot be archived, e.g. ${one.workflowId}: ${one.why}`;
  }

  /** Less than a quarter of the retention time is left. */
  #isEndangered({ closed }: ClosedJob): boolean {
    const age = this.#dependencies.now() - Date.parse(closed);
    return age > (this.#retentionMs ?? Number.POSITIVE_INFINITY) * 0.75;
  }

  #isTimeForFullRound(): boolean {
    if (this.#fullRoundAfter === undefined) return true;
    const left = Date.parse(this.#fullRoundAfter) - this.#dependencies.now();
    // More than that is left only if Temporal's clock was wrong.
    return left <= 0 || left > this.#fullRoundEvery();
  }

  #fullRoundEvery(): number {
    return Math.min((this.#retentionMs ?? 0) / 8, DAY_MS);
  }
}

async function retentionOf({
  workflowService,
  options: { namespace },
}: ArchiverDependencies['temporal']): Promise<number> {
  const { config } = await workflowService.describeNamespace({ namespace });
  const seconds = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0);
  return seconds > 0 ? seconds * 1000 : Number.POSITIVE_INFINITY;
}
