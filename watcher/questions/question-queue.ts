import { setTimeout as delay } from 'node:timers/promises';
import type { WatchedJob } from '../jobs/job.ts';

interface QuestionQueueOptions {
  /** Maximum number of rounds at once. */
  readonly rounds: number;
  /** Looks at the jobs, all of one namespace. Each of them is taken again only after `done`. */
  readonly run: (jobs: readonly WatchedJob[]) => Promise<void>;
}

/** How long questions are collected, so that many that are asked at once share their requests. */
const COLLECT_MS = 20;
/** What one round looks at: it reads all pods of its jobs in one list. */
const MOST = { jobs: 50, pods: 2_000 };

/** Collects jobs with open questions, and lets rounds of many jobs look at them, few at a time. */
export class QuestionQueue {
  readonly #options: QuestionQueueOptions;
  readonly #signal: AbortSignal;
  readonly #waiting = new Set<WatchedJob>();
  /** Jobs in a round, or in a pause between two. */
  readonly #taken = new Set<WatchedJob>();
  #rounds = 0;
  #isCollecting = false;

  constructor(options: QuestionQueueOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  add(job: WatchedJob): void {
    if (this.#taken.has(job)) return;
    this.#waiting.add(job);
    void this.#collect();
  }

  done(job: WatchedJob): void {
    this.#taken.delete(job);
  }

  async #collect(): Promise<void> {
    if (this.#isCollecting) return;
    this.#isCollecting = true;
    await delay(COLLECT_MS);
    this.#isCollecting = false;
    this.#startRounds();
  }

  #startRounds(): void {
    while (!this.#signal.aborted && this.#rounds < this.#options.rounds && this.#waiting.size > 0) {
      this.#rounds++;
      void this.#options.run(this.#take()).finally(() => {
        this.#rounds--;
        this.#startRounds();
      });
    }
  }

  /** Takes jobs of one namespace and one scheduler: groups that cannot be read delay no others. */
  #take(): WatchedJob[] {
    const batch: WatchedJob[] = [];
    let pods = 0;
    let kind: string | undefined;
    for (const job of this.#waiting) {
      kind ??= kindOfQuestion(job);
      if (kindOfQuestion(job) !== kind) continue;
      pods += job.pods.size;
      if (batch.length > 0 && pods > MOST.pods) break;
      if (batch.push(job) === MOST.jobs) break;
    }
    for (const job of batch) {
      this.#waiting.delete(job);
      this.#taken.add(job);
    }
    return batch;
  }
}

const kindOfQuestion = ({ namespace, groups }: WatchedJob) =>
  [namespace, ...new Set([...groups.values()].map(({ provider }) => provider))].join(' ');
