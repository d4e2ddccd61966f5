import pMap from 'p-map';
import type { Logger } from 'pino';
import { errorMessage } from '../../language/error-message.ts';
import { pause } from '../../language/timers.ts';
import type { Urgency } from '../jobs/delivery.ts';
import type { Answer, WatchedJob } from '../jobs/job.ts';
import type { SilenceCheck } from '../progress/silence.ts';
import { QuestionQueue } from './question-queue.ts';
import { findUnproven, type StreamCheck, type Unproven } from './stream-check.ts';

export interface QuestionAnswererOptions {
  /** Compare what the streams have delivered with the API server. */
  readonly checks: readonly StreamCheck[];
  /** Those that the checks compare: one that has been behind for too long is opened again. */
  readonly streams: { reopen(stream: string, namespace: string): void };
  /** The logs of programs: whether one has been read, and how to open it again if it is behind for too long. */
  readonly monitor: {
    checkSilence(job: WatchedJob): Promise<SilenceCheck>;
    reopenLog(job: WatchedJob): void;
  };
  /** The steps that logs show without configuration; absent if they are not read. */
  readonly steps?: { check(job: WatchedJob): Promise<SilenceCheck> };
  /** A job whose answer is ready is sent at once: its workflow waits. */
  readonly queue: { changed(job: WatchedJob, urgency: Urgency): void };
  readonly log: Logger;
  /** Pauses between tries; shorter in tests. */
  readonly pauses?: Pauses;
}

interface Pauses {
  /** While something is on its way, at first; then longer with each try. */
  readonly behindMs: number;
  /** After an error; also the longest pause. */
  readonly failedMs: number;
}

const PAUSES: Pauses = { behindMs: 500, failedMs: 5_000 };
/** After so many tries in a row, in 10 seconds, something does not arrive by itself. */
const TRIES = 7;
/** Maximum number of rounds at once, and of logs that one round looks at at once. */
const ROUNDS = 3;
const LOGS = 5;

/**
 * Answers workflows that ask what the watcher sees of their jobs (`askWatcher`), once the store is proven to hold what the
 * API server had after the question. Without that proof there is no answer, and the workflow waits.
 *
 * For a job that reports progress, the answer includes how long it has reported nothing, after a check that nothing is
 * left unread.
 */
export class QuestionAnswerer {
  readonly #tools: QuestionAnswererOptions;
  readonly #signal: AbortSignal;
  readonly #queue: QuestionQueue;
  #failing: ReadonlySet<string> = new Set();
  #open = false;

  constructor(tools: QuestionAnswererOptions, signal: AbortSignal) {
    this.#tools = tools;
    this.#signal = signal;
    this.#queue = new QuestionQueue({ rounds: ROUNDS, run: (jobs) => this.#round(jobs) }, signal);
  }

  /** Starts answering. Before this call the store is incomplete. */
  start(jobs: Iterable<WatchedJob>): void {
    this.#open = true;
    for (const job of jobs) this.update(job);
  }

  /** Handles a change of the job. */
  update(job: WatchedJob): void {
    if (this.#open && openQuestion(job) !== undefined) this.#queue.add(job);
  }

  /** Looks once for all of these jobs. */
  async #round(jobs: readonly WatchedJob[]): Promise<void> {
    const asked = new Map(jobs.map((job) => [job, openQuestion(job)]));
    const unproven = await findUnproven(this.#tools.checks, jobs);
    this.#report([...unproven.values()]);
    await pMap(jobs, (job) => this.#conclude(job, asked.get(job), unproven.get(job)), { concurrency: LOGS });
  }

  async #conclude(job: WatchedJob, answers: number | undefined, unproven?: Unproven): Promise<void> {
    if (answers === undefined || this.#signal.aborted) return this.#queue.done(job);
    const found = unproven ?? (await this.#silenceOf(job));
    if ('stream' in found) return this.#again(job, found);
    if (this.#signal.aborted) return;
    job.answer = { answers, ...found };
    job.unproven = undefined;
    this.#queue.done(job);
    this.#tools.queue.changed(job, 'now');
    this.update(job); // Meanwhile another question may have been asked.
  }

  #again(job: WatchedJob, { stream, error }: Unproven): void {
    const { streams, pauses = PAUSES } = this.#tools;
    const tries = triesOf(job, stream) + 1;
    job.unproven = { stream, tries };
    const pauseMs =
      error === undefined ? Math.min(pauses.behindMs * tries, pauses.failedMs) : pauses.failedMs;
    if (error === undefined && tries % TRIES === 0 && stream !== LOG) streams.reopen(stream, job.namespace);
    void pause(pauseMs, this.#signal).then(() => {
      this.#queue.done(job);
      this.update(job);
    });
  }

  /** Logs the first error of each stream since its last good round. */
  #report(unproven: readonly Unproven[]): void {
    const errors = new Map(unproven.flatMap(({ stream, error }) => (error ? [[stream, error]] : [])));
    for (const [stream, error] of errors) {
      if (!this.#failing.has(stream))
        this.#tools.log.warn({ err: error, stream }, 'questions of workflows cannot be answered now');
    }
    this.#failing = new Set(errors.keys());
  }

  /** What a program that reports in its log has not said. That it is unknown is an answer, too. */
  async #silenceOf(job: WatchedJob): Promise<Omit<Answer, 'answers'> | Unproven> {
    const { monitor, steps } = this.#tools;
    const { rules, fault } = job.anchor?.watch ?? {};
    try {
      const found =
        rules?.progress || fault ? await monitor.checkSilence(job) : ((await steps?.check(job)) ?? {});
      if (found !== 'behind') return found;
      if (triesOf(job, LOG) + 1 < TRIES) return { stream: LOG };
      monitor.reopenLog(job);
      return { progressFault: 'its program has reported more than the watcher has read' };
    } catch (error) {
      return { progressFault: errorMessage(error) };
    }
  }
}

const LOG = 'log';

const triesOf = ({ unproven }: WatchedJob, stream: string) =>
  unproven?.stream === stream ? unproven.tries : 0;

function openQuestion({ anchor, answer }: WatchedJob): number | undefined {
  // An anchor that names no job was not made by a worker.
  if (!anchor?.job || anchor.final || anchor.deleted) return undefined;
  return anchor.questionAt === answer?.answers ? undefined : anchor.questionAt;
}
