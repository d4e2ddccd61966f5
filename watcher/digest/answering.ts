import { pause } from '../../contracts/back-off.ts';
import { errorMessage } from '../../contracts/error-message.ts';
import type { WatchedJob } from '../jobs/job.ts';
import type { SilenceCheck } from '../progress/caught-up.ts';

export interface QuestionAnswererOptions {
  /** Checks whether everything that the job's program has reported is read. */
  readonly check: (job: WatchedJob) => Promise<SilenceCheck>;
  /** Reopens the log after `check` has returned `behind` for too long. */
  readonly reopenLog: (job: WatchedJob) => void;
  /** Called when an answer is ready; the job's workflow waits for it. */
  readonly onAnswer: (job: WatchedJob) => void;
}

/** Maximum number of concurrent checks, over all jobs; each needs one or two requests. */
const CONCURRENCY = 10;
/** Retries while the program's latest report is still on its way: number of checks and pause between them. */
const TRIES = 20;
const PAUSE_MS = 500;

/**
 * Answers workflows that ask what the watcher sees of their jobs (`askWatcher`). For a job that reports progress, the
 * answer includes how long it has reported nothing, after a check that nothing is left unread.
 */
export class QuestionAnswerer {
  readonly #tools: QuestionAnswererOptions;
  readonly #signal: AbortSignal;
  readonly #queue = new Set<WatchedJob>();
  readonly #busy = new Set<WatchedJob>();
  #open = false;

  constructor(tools: QuestionAnswererOptions, signal: AbortSignal) {
    this.#tools = tools;
    this.#signal = signal;
  }

  /** Starts answering. Before this call the store is incomplete. */
  start(jobs: Iterable<WatchedJob>): void {
    this.#open = true;
    for (const job of jobs) this.update(job);
  }

  /** Handles a change of the job. Returns true if the job has a new answer. */
  update(job: WatchedJob): boolean {
    const asked = openQuestion(job);
    if (!this.#open || asked === undefined) return false;
    if (job.anchor?.watch.rules?.progress || job.anchor?.watch.fault) {
      this.#queue.add(job);
      this.#checkNext();
      return false;
    }
    job.answer = { answers: asked };
    return true;
  }

  #checkNext(): void {
    for (const job of this.#queue) {
      if (this.#signal.aborted || this.#busy.size >= CONCURRENCY) return;
      if (this.#busy.has(job)) continue;
      this.#queue.delete(job);
      this.#busy.add(job);
      void this.#answer(job).finally(() => {
        this.#busy.delete(job);
        this.#checkNext();
      });
    }
  }

  async #answer(job: WatchedJob): Promise<void> {
    const asked = openQuestion(job);
    if (asked === undefined) return;
    const found = await this.#find(job);
    if (this.#signal.aborted) return;
    job.answer = { answers: asked, ...found };
    this.#tools.onAnswer(job);
  }

  async #find(job: WatchedJob): Promise<Exclude<SilenceCheck, 'behind'>> {
    try {
      for (let tries = 0; tries < TRIES && !this.#signal.aborted; tries++) {
        const found = await this.#tools.check(job);
        if (found !== 'behind') return found;
        await pause(PAUSE_MS, this.#signal);
      }
      this.#tools.reopenLog(job);
      return { progressFault: 'its program has reported more than the watcher has read' };
    } catch (error) {
      return { progressFault: errorMessage(error) };
    }
  }
}

function openQuestion({ anchor, answer }: WatchedJob): number | undefined {
  if (!anchor || anchor.final || anchor.deleted) return undefined;
  return anchor.questionAt === answer?.answers ? undefined : anchor.questionAt;
}
