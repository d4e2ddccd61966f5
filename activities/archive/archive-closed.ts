import { Context } from '@temporalio/activity';
import { type ArchiverBeat, FIRST_BEAT } from '../../contracts/archiver.ts';
import { BackOff, pause } from '../../contracts/back-off.ts';
import { errorMessage } from '../../contracts/error-message.ts';
import type { JobResult } from './archive-batch.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import { archiveRound, failuresOf } from './archiver-round.ts';
import { type ClosedJob, closedJobs, continuedRuns } from './closed-jobs.ts';
import { inStore } from './store-away.ts';
import { keepRun } from './whole-chain.ts';

/** How long one activity looks for ended jobs: the archiver's history grows by some events for each. */
const SHIFT_MS = 10 * 60_000;
const HEARTBEAT_MS = 5_000;
/** Between two looks for ended jobs, each a query of the visibility store. */
const POLL_MS = 5_000;
/** Visibility may show a closed job later than others that closed after it. */
const OVERLAP_MS = 10 * 60_000;
const PAUSE = { firstMs: 2_000, mostMs: 300_000 };
/** Archived jobs that are remembered, so that they are not looked for again. */
const MOST_REMEMBERED = 50_000;

/**
 * Archives jobs as they end, for some minutes. Says with each heartbeat how far it is; its successor goes on from there,
 * on another worker if need be. A store that does not work is tried again, for ever. Idempotent by the archives' keys.
 */
export async function archiveClosed(
  dependencies: ArchiverDependencies,
  before: ArchiverBeat | undefined,
): Promise<ArchiverBeat> {
  const context = Context.current();
  const signal = AbortSignal.any([context.cancellationSignal, dependencies.stopping]);
  const last = context.info.heartbeatDetails as ArchiverBeat | undefined;
  const shift = new Shift(dependencies, last ?? before ?? FIRST_BEAT, signal);
  const timer = setInterval(() => context.heartbeat(shift.beat), HEARTBEAT_MS);
  const backOff = new BackOff(PAUSE);
  const until = performance.now() + SHIFT_MS;
  try {
    do {
      await shift.round();
      context.heartbeat(shift.beat);
      if (!shift.beat.problem) backOff.reset();
      await pause(shift.beat.problem ? backOff.next() : POLL_MS, signal);
    } while (performance.now() < until && !signal.aborted);
  } finally {
    clearInterval(timer);
  }
  signal.throwIfAborted();
  return shift.beat;
}

class Shift {
  beat: ArchiverBeat;
  readonly #dependencies: ArchiverDependencies;
  readonly #signal: AbortSignal;
  /** Last runs of archived jobs. */
  readonly #known = new Set<string>();
  readonly #results = new Map<string, JobResult>();
  #retentionMs: number | undefined;
  #nextFullRound = 0;

  constructor(dependencies: ArchiverDependencies, beat: ArchiverBeat, signal: AbortSignal) {
    this.#dependencies = dependencies;
    this.beat = beat;
    this.#signal = signal;
  }

  /** Never throws: what keeps jobs from the archive is in the beat. */
  async round(): Promise<void> {
    const { log, observe } = this.#dependencies;
    try {
      await this.#archive();
      this.#say({ problem: this.#problem() });
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#say({ problem: errorMessage(error) });
      log.warn({ err: error }, 'jobs cannot be archived now; trying again');
    }
    observe(this.beat);
  }

  async #archive(): Promise<void> {
    const { temporal, ready } = this.#dependencies;
    await inStore(this.#dependencies, ready);
    this.#retentionMs ??= await retentionOf(temporal);
    // By a clock that does not jump: nothing relies on visibility, or on what is remembered, for ever.
    const isFull = performance.now() >= this.#nextFullRound;
    if (isFull) await this.#keepRuns();
    const since = isFull ? undefined : this.beat.since;
    const jobs = (await closedJobs(temporal, since)).filter(({ runId }) => !this.#known.has(runId) || isFull);
    this.#results.clear();
    const waiting = new Map(jobs.map((job) => [job.runId, job]));
    this.#tell(waiting);
    await archiveRound(this.#dependencies, jobs, {
      isUrgent: (job) => this.#isEndangered(job),
      signal: this.#signal,
      signed: this.beat.signed,
      onSigned: (signed) => this.#say({ signed }),
      done: (result) => {
        this.#take(result);
        if (result.is !== 'failed' && result.is !== 'waiting') waiting.delete(result.job.runId);
        this.#tell(waiting);
      },
    });
    if (this.#signal.aborted) return;
    this.#advance(jobs, waiting);
    if (isFull) this.#nextFullRound = performance.now() + this.#fullRoundEvery();
  }

  #take(result: JobResult): void {
    const { log } = this.#dependencies;
    const { job } = result;
    this.#results.set(job.runId, result);
    if (result.is === 'written') {
      this.#say({ archived: this.beat.archived + 1 });
      log.info({ workflowId: job.workflowId, runId: job.runId }, 'job archived');
    }
    if (result.is === 'failed') {
      log.warn({ workflowId: job.workflowId, why: result.why }, 'job cannot be archived now; trying again');
      return;
    }
    if (result.is === 'gone') {
      log.error({ workflowId: job.workflowId }, 'job was deleted by Temporal before it was archived');
    }
    if (result.is !== 'waiting') this.#remember(job.runId);
  }

  #remember(runId: string): void {
    this.#known.add(runId);
    if (this.#known.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#known;
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  /** Says where the next round begins, by Temporal's clock alone: at the first job that is missing, or near the last. */
  #advance(jobs: readonly ClosedJob[], waiting: ReadonlyMap<string, ClosedJob>): void {
    const [first] = waiting.values();
    const newest = jobs.at(-1)?.closed;
    const overlap = newest && new Date(Date.parse(newest) - OVERLAP_MS).toISOString();
    const { since } = this.beat;
    const reached = overlap && (since === undefined || overlap > since) ? overlap : since;
    this.#say({ since: first && (reached === undefined || first.closed < reached) ? first.closed : reached });
  }

  #tell(waiting: ReadonlyMap<string, ClosedJob>): void {
    const [oldest] = waiting.values();
    this.#say({
      waiting: waiting.size,
      oldestWaiting: oldest?.closed,
      endangered: [...waiting.values()].filter((job) => this.#isEndangered(job)).length,
    });
  }

  /** Less than a quarter of the retention time is left. */
  #isEndangered({ closed }: ClosedJob): boolean {
    return Date.now() - Date.parse(closed) > (this.#retentionMs ?? Number.POSITIVE_INFINITY) * 0.75;
  }

  #problem(): string | undefined {
    const failed = [...this.#results.values()].filter(({ is }) => is === 'failed');
    const [one] = failuresOf(failed);
    return one && `${failed.length} of the ended jobs cannot be archived, e.g. ${one.workflowId}: ${one.why}`;
  }

  /** The first runs of a long job expire while it lives. */
  async #keepRuns(): Promise<void> {
    const { temporal, log } = this.#dependencies;
    const before = new Date(Date.now() - (this.#retentionMs ?? 0) / 4).toISOString();
    for (const run of await continuedRuns(temporal, before)) {
      if (this.#signal.aborted) return;
      if (this.#known.has(run.runId)) continue;
      await keepRun(this.#dependencies, run);
      this.#remember(run.runId);
      log.info(run, 'history of a run kept until its job ends');
    }
  }

  #fullRoundEvery(): number {
    return Math.min(Math.max((this.#retentionMs ?? 0) / 8, 600_000), 86_400_000);
  }

  #say(change: Partial<ArchiverBeat>): void {
    const failed = failuresOf(this.#results.values());
    this.beat = { ...this.beat, ...change, failed, at: new Date().toISOString() };
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
