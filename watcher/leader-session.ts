import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { ClusterClient } from '../cluster/client.ts';
import type { Home } from '../contracts/home.ts';
import type { AnchorFacts } from './anchors/anchor-facts.ts';
import { expireJobs } from './anchors/expiry.ts';
import { missingAnchors } from './anchors/missing-anchors.ts';
import { scanForOrphans } from './anchors/orphan-scan.ts';
import { type OrphanStatus, reconcileOrphan, startSweep } from './anchors/reconcile-orphan.ts';
import type { DigestQueueOptions } from './digest/digest-queue.ts';
import { signalWorkflow, UnconfirmedError } from './digest/signal-workflow.ts';
import { Informers, whenAborted } from './informers/informers.ts';
import type { Readiness } from './informers/readiness.ts';
import { JobTracker } from './job-tracker.ts';
import type { WatchedJob } from './jobs/job.ts';
import { LatePods } from './jobs/late-pods.ts';
import { metrics } from './metrics.ts';
import type { JobStore } from './store/job-store.ts';

export interface LeaderSessionOptions {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  /** The installation and cluster whose jobs are followed. */
  readonly home: Home;
  readonly noteForeign: (anchor: AnchorFacts) => void;
  readonly namespace?: string;
  readonly taskQueue: string;
  readonly sweepIntervalMs: number;
  readonly readiness: Readiness;
  readonly log: Logger;
}

const COUNT_MS = 5_000;

/** The work of the leader. Each term starts with an empty state. */
export class LeaderSession {
  readonly #tools: LeaderSessionOptions;
  readonly #signal: AbortSignal;
  readonly #tracker: JobTracker;
  readonly #jobs: JobStore;
  readonly #reconciling = new Map<string, Promise<OrphanStatus>>();
  readonly #latePods = new LatePods();
  readonly #informers: Informers;

  constructor(tools: LeaderSessionOptions, signal: AbortSignal) {
    this.#tools = tools;
    this.#signal = signal;
    this.#tracker = new JobTracker(
      {
        ...tools,
        streams: tools.readiness.streams,
        send: signalWorkflow(tools.temporal, signal),
        onWorkflowNotFound: (job) => void this.#reconcileUnreachable(job),
        onResult: this.#recordResult,
      },
      signal,
    );
    this.#jobs = this.#tracker.jobs;
    this.#informers = new Informers(tools, this.#jobs, signal);
  }

  /** Returns as soon as the signal aborts. Requests still in flight can do no harm. */
  async run(): Promise<void> {
    const counting = setInterval(() => this.#count(), COUNT_MS);
    try {
      await Promise.race([this.#work(), whenAborted(this.#signal)]);
    } finally {
      await this.#tracker.stop();
      clearInterval(counting);
      metrics.jobs.set(0);
      metrics.pods.set(0);
      metrics.interruptedStreams.reset();
    }
  }

  async #work(): Promise<void> {
    const following = this.#informers.followAll();
    await Promise.race([this.#informers.listed(), whenAborted(this.#signal)]);
    if (this.#signal.aborted) return;
    this.#begin();
    await Promise.all([...following, this.#scanForOrphans(), this.#expire()]);
  }

  #begin(): void {
    this.#count();
    this.#tools.log.info(
      { ...this.#jobs.size, resourceVersions: this.#jobs.resourceVersions },
      'following jobs',
    );
    this.#tracker.start();
  }

  #recordResult: NonNullable<DigestQueueOptions['onResult']> = (result, { delayMs, error }) => {
    if (this.#signal.aborted) return;
    if (error instanceof UnconfirmedError) return;
    metrics.signals.inc({ result });
    if (result === 'delivered') metrics.signalDelay.observe(delayMs / 1000);
    this.#tools.readiness.set('signals', error);
    if (error) this.#tools.log.warn({ err: error }, 'a digest could not be sent; retrying');
  };

  async #reconcileUnreachable(job: WatchedJob): Promise<void> {
    if (!job.anchor || job.anchor.deleted) return;
    try {
      await this.#reconcile(job.anchor);
    } catch (error) {
      this.#tools.log.warn({ err: error, anchor: job.anchor }, 'could not determine the state of a job');
    }
  }

  /** Runs once per job at a time: a failed signal and the orphan scan may find the same job at once. */
  #reconcile(anchor: AnchorFacts): Promise<OrphanStatus> {
    const settling =
      this.#reconciling.get(anchor.uid) ??
      this.#reconcileOnce(anchor).finally(() => this.#reconciling.delete(anchor.uid));
    this.#reconciling.set(anchor.uid, settling);
    return settling;
  }

  async #reconcileOnce(anchor: AnchorFacts): Promise<OrphanStatus> {
    const status = await reconcileOrphan(this.#tools, anchor);
    const job = this.#jobs.job(anchor);
    if (status === 'running' && job) this.#tracker.queue.resume(job);
    if (status === 'swept') {
      metrics.sweeps.inc();
      this.#tools.log.warn({ anchor }, 'a job’s workflow ended without clean-up: sweeping its objects');
    }
    return status;
  }

  async #scanForOrphans(): Promise<void> {
    const { temporal, sweepIntervalMs, log } = this.#tools;
    await scanForOrphans(
      {
        temporal,
        intervalMs: sweepIntervalMs,
        openAnchors: () => this.#jobs.openAnchors(),
        reconcile: (anchor) => this.#reconcile(anchor),
        everyRound: () => this.#sweepLatePods(),
        everyFullRound: () => this.#findMissingAnchors(),
        onError: (error) => log.warn({ err: error }, 'a scan of all jobs failed'),
      },
      this.#signal,
    );
  }

  async #expire(): Promise<void> {
    const { temporal, taskQueue, home, sweepIntervalMs, log } = this.#tools;
    const expired = (now: number) => this.#jobs.expiredAnchors(now);
    const onError = (error: unknown) =>
      log.warn({ err: error }, 'the expiry of an ended job could not be started');
    const tools = { temporal, taskQueue, clusterId: home.clusterId, intervalMs: sweepIntervalMs };
    await expireJobs({ ...tools, expired, onError }, this.#signal);
  }

  async #sweepLatePods(): Promise<void> {
    for (const anchor of this.#latePods.findJobs(this.#jobs.jobs)) {
      if (this.#signal.aborted) return;
      await startSweep(this.#tools, anchor);
      metrics.sweeps.inc();
      this.#tools.log.warn({ anchor }, 'an ended job has pods that its clean-up policy does not allow');
    }
  }

  async #findMissingAnchors(): Promise<void> {
    const isKnown = (anchor: AnchorFacts) => this.#jobs.job(anchor)?.anchor !== undefined;
    for await (const anchor of missingAnchors({ ...this.#tools, isKnown })) {
      if (!this.#signal.aborted) this.#jobs.anchorGone(anchor);
    }
  }

  #count(): void {
    const { jobs, pods } = this.#jobs.size;
    metrics.jobs.set(jobs);
    metrics.pods.set(pods);
    metrics.interruptedStreams.reset();
    for (const [stream, seconds] of this.#tools.readiness.streams.interruptedSeconds())
      metrics.interruptedStreams.set({ stream }, seconds);
  }
}
