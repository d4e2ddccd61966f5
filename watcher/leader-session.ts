import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { ClusterClient } from '../cluster/client.ts';
import type { Home } from '../contracts/home.ts';
import type { AnchorFacts } from './anchors/anchor-facts.ts';
import { expireInTime } from './anchors/expiry.ts';
import { lostAnchors } from './anchors/missing-anchors.ts';
import { patrol } from './anchors/orphan-scan.ts';
import { type Fate, settle, startSweep } from './anchors/reconcile-orphan.ts';
import { Answering } from './digest/answering.ts';
import { Sender, type SenderOptions } from './digest/digest-queue.ts';
import { signalDelivery, UnconfirmedError } from './digest/signal-workflow.ts';
import { aborted, Streams } from './informers/informers.ts';
import type { Readiness } from './informers/readiness.ts';
import type { Job } from './jobs/job.ts';
import { LatePods } from './jobs/late-pods.ts';
import { metrics } from './metrics.ts';
import { Listening } from './progress-monitor.ts';
import { JobBook } from './store/job-store.ts';

export interface TermTools {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  /** Whose jobs are followed. */
  readonly home: Home;
  readonly noteForeign: (anchor: AnchorFacts) => void;
  readonly namespace?: string;
  readonly taskQueue: string;
  readonly sweepIntervalMs: number;
  readonly readiness: Readiness;
  readonly log: Logger;
}

const COUNT_MS = 5_000;

/** What the leader does while it leads. Everything starts afresh with each term. */
export class Term {
  readonly #tools: TermTools;
  readonly #signal: AbortSignal;
  readonly #book: JobBook;
  readonly #sender: Sender;
  readonly #listening: Listening;
  readonly #answering: Answering;
  readonly #settling = new Map<string, Promise<Fate>>();
  readonly #late = new LatePods();
  readonly #streams: Streams;

  constructor(tools: TermTools, signal: AbortSignal) {
    this.#tools = tools;
    this.#signal = signal;
    this.#book = new JobBook((job, urgent) => {
      const isAwaited = this.#listening.look(job);
      const isAnswered = this.#answering.look(job);
      this.#sender.changed(job, urgent || isAwaited || isAnswered);
    });
    this.#streams = new Streams(tools, this.#book, signal);
    const heard = (job: Job, urgent: boolean) => this.#sender.changed(job, urgent);
    this.#listening = new Listening({ ...tools, heard }, signal);
    this.#answering = new Answering(
      {
        check: (job) => this.#listening.check(job),
        listenAnew: (job) => this.#listening.listenAnew(job),
        answered: (job) => this.#sender.changed(job, true),
      },
      signal,
    );
    this.#sender = new Sender({
      deliver: signalDelivery(tools.temporal, signal),
      digest: (job, anchor) => this.#book.digestOf(job, anchor),
      gone: (job) => void this.#settleGone(job),
      told: this.#told,
    });
  }

  /** Ends as soon as the signal aborts: a request that still waits for its answer can do no harm any more. */
  async run(): Promise<void> {
    const counting = setInterval(() => this.#count(), COUNT_MS);
    try {
      await Promise.race([this.#work(), aborted(this.#signal)]);
    } finally {
      await this.#sender.stop();
      clearInterval(counting);
      metrics.jobs.set(0);
      metrics.pods.set(0);
    }
  }

  async #work(): Promise<void> {
    const following = this.#streams.followAll();
    await Promise.race([this.#streams.listed(), aborted(this.#signal)]);
    if (this.#signal.aborted) return;
    this.#begin();
    await Promise.all([...following, this.#patrol(), this.#expire()]);
  }

  #begin(): void {
    this.#count();
    this.#tools.log.info({ ...this.#book.size, revision: this.#book.revision }, 'following jobs');
    this.#answering.start(this.#book.jobs);
    this.#sender.start(this.#book.jobs);
  }

  #told: NonNullable<SenderOptions['told']> = (result, { delayMs, error }) => {
    if (this.#signal.aborted) return;
    if (error instanceof UnconfirmedError) return;
    metrics.signals.inc({ result });
    if (result === 'delivered') metrics.signalDelay.observe(delayMs / 1000);
    this.#tools.readiness.set('signals', error);
    if (error) this.#tools.log.warn({ err: error }, 'a digest could not be sent; trying again');
  };

  async #settleGone(job: Job): Promise<void> {
    if (!job.anchor || job.anchor.deleted) return;
    try {
      await this.#settle(job.anchor);
    } catch (error) {
      this.#tools.log.warn({ err: error, anchor: job.anchor }, 'could not find out what became of a job');
    }
  }

  /** A signal that went astray and the patrol may come upon the same job at once. */
  #settle(anchor: AnchorFacts): Promise<Fate> {
    const settling =
      this.#settling.get(anchor.uid) ??
      this.#settleOnce(anchor).finally(() => this.#settling.delete(anchor.uid));
    this.#settling.set(anchor.uid, settling);
    return settling;
  }

  async #settleOnce(anchor: AnchorFacts): Promise<Fate> {
    const fate = await settle(this.#tools, anchor);
    const job = this.#book.job(anchor);
    if (fate === 'running' && job) this.#sender.resume(job);
    if (fate === 'swept') {
      metrics.sweeps.inc();
      this.#tools.log.warn({ anchor }, 'the workflow of a job ended without clean-up: its objects are swept');
    }
    return fate;
  }

  async #patrol(): Promise<void> {
    const { temporal, sweepIntervalMs, log } = this.#tools;
    await patrol(
      {
        temporal,
        intervalMs: sweepIntervalMs,
        openAnchors: () => this.#book.openAnchors(),
        look: (anchor) => this.#settle(anchor),
        always: () => this.#sweepLatePods(),
        thoroughly: () => this.#findLostAnchors(),
        trouble: (error) => log.warn({ err: error }, 'a round over the jobs failed'),
      },
      this.#signal,
    );
  }

  async #expire(): Promise<void> {
    const { temporal, taskQueue, home, sweepIntervalMs, log } = this.#tools;
    const expired = (now: number) => this.#book.expiredAnchors(now);
    const trouble = (error: unknown) => log.warn({ err: error }, 'an ended job could not be made to expire');
    const tools = { temporal, taskQueue, clusterId: home.clusterId, intervalMs: sweepIntervalMs };
    await expireInTime({ ...tools, expired, trouble }, this.#signal);
  }

  async #sweepLatePods(): Promise<void> {
    for (const anchor of this.#late.round(this.#book.jobs)) {
      if (this.#signal.aborted) return;
      await startSweep(this.#tools, anchor);
      metrics.sweeps.inc();
      this.#tools.log.warn(
        { anchor },
        'a job that has ended has pods that its clean-up policy does not allow',
      );
    }
  }

  async #findLostAnchors(): Promise<void> {
    const isKnown = (anchor: AnchorFacts) => this.#book.job(anchor)?.anchor !== undefined;
    for await (const anchor of lostAnchors({ ...this.#tools, isKnown })) {
      if (!this.#signal.aborted) this.#book.anchorGone(anchor);
    }
  }

  #count(): void {
    const { jobs, pods } = this.#book.size;
    metrics.jobs.set(jobs);
    metrics.pods.set(pods);
  }
}
