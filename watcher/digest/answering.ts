import { pause } from '../../cluster/back-off.ts';
import type { WatchedJob } from '../jobs/job.ts';
import type { SilenceCheck } from '../progress/caught-up.ts';

export interface QuestionAnswererOptions {
  /** Whether all is heard that the job's program has said. */
  readonly check: (job: WatchedJob) => Promise<SilenceCheck>;
  /** All that the program has said is not heard, however long one waits. */
  readonly reopenLog: (job: WatchedJob) => void;
  /** There is an answer, which the job's workflow waits for. */
  readonly onAnswer: (job: WatchedJob) => void;
}

/** Checks at once, over all jobs; each is a request or two. */
const CONCURRENCY = 10;
/** What was said a moment ago is on its way: so often, and so long, it is waited for. */
const TRIES = 20;
const PAUSE_MS = 500;

/**
 * Answers workflows that ask what is seen of their jobs (`askWatcher`). Where a job tells its progress, the answer says for
 * how long it was listened to in vain, after a look whether anything was said that has not arrived.
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

  /** From now on: before, the picture is incomplete, and what it lacks may be there. */
  start(jobs: Iterable<WatchedJob>): void {
    this.#open = true;
    for (const job of jobs) this.update(job);
  }

  /** The job has changed. True if it has an answer now that it had not. */
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
      return { unheard: 'its program has said more than has reached the watcher' };
    } catch (error) {
      return { unheard: error instanceof Error ? error.message : String(error) };
    }
  }
}

function openQuestion({ anchor, answer }: WatchedJob): number | undefined {
  if (!anchor || anchor.final || anchor.deleted) return undefined;
  return anchor.questionAt === answer?.answers ? undefined : anchor.questionAt;
}
