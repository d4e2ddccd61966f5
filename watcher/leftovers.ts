import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { ClusterClient } from '../cluster/client.ts';
import type { Home } from '../contracts/home.ts';
import { CONFIG_MAPS } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { AnchorFacts } from './anchors/anchor-facts.ts';
import { expireJobs } from './anchors/expiry.ts';
import { findMissingAnchors } from './anchors/missing-anchors.ts';
import { type OrphanScanOptions, scanForOrphans } from './anchors/orphan-scan.ts';
import { startSweep } from './anchors/reconcile-orphan.ts';
import { tryEach } from './anchors/try-each.ts';
import { probeSignals } from './digest/signal-probe.ts';
import { LatePods } from './jobs/late-pods.ts';
import { metrics } from './metrics.ts';
import type { JobStore } from './store/job-store.ts';

export interface LeftoversOptions extends Pick<OrphanScanOptions, 'reconcile'> {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  readonly home: Home;
  readonly namespace?: string;
  readonly taskQueue: string;
  readonly sweepIntervalMs: number;
  readonly log: Logger;
  readonly jobs: JobStore;
}

/** Finds what jobs left behind: objects without a workflow, late pods, workflows without an anchor, expired remains. */
export class Leftovers {
  readonly #tools: LeftoversOptions;
  readonly #signal: AbortSignal;
  readonly #latePods = new LatePods();

  constructor(tools: LeftoversOptions, signal: AbortSignal) {
    this.#tools = tools;
    this.#signal = signal;
  }

  async scan(): Promise<void> {
    const { temporal, sweepIntervalMs, jobs, reconcile } = this.#tools;
    await scanForOrphans(
      {
        temporal,
        reconcile,
        intervalMs: sweepIntervalMs,
        openAnchors: () => jobs.openAnchors(),
        sweepLatePods: () => this.#sweepLatePods(),
        findMissingAnchors: () => this.#findMissingAnchors(),
        onSearched: this.#recordSearch,
        confirmServers: this.#confirmServers,
      },
      this.#signal,
    );
  }

  async expire(): Promise<void> {
    const { temporal, taskQueue, home, sweepIntervalMs, log, jobs } = this.#tools;
    const expired = (now: number) => jobs.expiredAnchors(now);
    const onError = (error: unknown, { namespace, name }: Partial<AnchorFacts> = {}) =>
      log.warn(
        { err: error, namespace, anchor: name },
        'the expiry of an ended job could not be started; retrying',
      );
    const tools = { temporal, taskQueue, clusterId: home.clusterId, intervalMs: sweepIntervalMs };
    await expireJobs({ ...tools, expired, onError, confirmServers: this.#confirmServers }, this.#signal);
  }

  #sweepLatePods() {
    const late = this.#latePods.findJobs(this.#tools.jobs.jobs);
    const sweep = async (anchor: AnchorFacts) => {
      await startSweep(this.#tools, anchor);
      metrics.sweeps.inc();
      this.#tools.log.warn({ anchor }, 'an ended job has pods that its clean-up policy does not allow');
    };
    return tryEach(late, sweep, this.#trying);
  }

  #findMissingAnchors() {
    const { jobs } = this.#tools;
    const isKnown = (anchor: AnchorFacts) => jobs.job(anchor)?.anchor !== undefined;
    const found = (anchor: AnchorFacts) => {
      if (!this.#signal.aborted) jobs.anchorGone(anchor);
    };
    return findMissingAnchors({ ...this.#tools, isKnown, found }, this.#trying);
  }

  #recordSearch: OrphanScanOptions['onSearched'] = (search, { jobs, error, anchor }) => {
    metrics.scanLeft.set({ search }, jobs);
    if (error === undefined) return;
    const { namespace, name } = anchor ?? {};
    const what = anchor
      ? `a scan could not check ${jobs} of the jobs; it has checked all others, and tries these again later`
      : 'a scan of all jobs failed; the next round repeats it';
    this.#tools.log.warn({ err: error, search, namespace, anchor: name }, what);
  };

  /** Throws if Temporal or the API server does not answer. */
  #confirmServers = async (): Promise<void> => {
    const { temporal, cluster, namespace } = this.#tools;
    const one = { namespace, labelSelector: LABELS.anchor, metadataOnly: true, limit: 1 };
    await Promise.all([probeSignals(temporal), cluster.list(CONFIG_MAPS, one)]);
  };

  get #trying() {
    return { confirmServers: this.#confirmServers, signal: this.#signal };
  }
}
