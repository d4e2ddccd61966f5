import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { ClusterClient } from '../cluster/client.ts';
import type { Home } from '../contracts/home.ts';
import { CONFIG_MAPS } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import { eachServed, type ServedNamespaces } from '../contracts/served-namespaces.ts';
import type { AnchorFacts } from './anchors/anchor-facts.ts';
import { ClaimedEnds } from './anchors/claimed-ends.ts';
import { expireJobs } from './anchors/expiry.ts';
import { findMissingAnchors } from './anchors/missing-anchors.ts';
import { type OrphanScanOptions, scanForOrphans } from './anchors/orphan-scan.ts';
import { type OrphanStatus, startOrphanCleanUp } from './anchors/reconcile-orphan.ts';
import { tryEach } from './anchors/try-each.ts';
import type { UnlistedAnchors } from './anchors/unlisted-anchors.ts';
import { probeSignals } from './digest/signal-probe.ts';
import { LatePods } from './jobs/late-pods.ts';
import { type GoneAnchor, LeftOver } from './jobs/left-over.ts';
import { metrics } from './metrics.ts';
import type { JobStore } from './store/job-store.ts';

interface LeftoversOptions {
  /** Determines a job's state, and starts an orphan clean-up if it needs one. */
  readonly reconcile: (anchor: AnchorFacts) => Promise<OrphanStatus>;
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  readonly home: Home;
  readonly namespaces?: ServedNamespaces;
  readonly taskQueue: string;
  readonly scanIntervalMs: number;
  readonly log: Logger;
  readonly jobs: JobStore;
  readonly unlisted: UnlistedAnchors;
}

const ENDS_AT_ONCE = 10;

const throwFirst = ({ errors: [first] }: AggregateError): never => {
  throw first;
};

/** Finds what jobs left behind: objects without a workflow, late pods, workflows without an anchor, expired remains. */
export class Leftovers {
  readonly #tools: LeftoversOptions;
  readonly #signal: AbortSignal;
  readonly #latePods = new LatePods();
  readonly #leftOver = new LeftOver();
  readonly #claimedEnds = new ClaimedEnds();

  constructor(tools: LeftoversOptions, signal: AbortSignal) {
    this.#tools = tools;
    this.#signal = signal;
  }

  async scan(): Promise<void> {
    const { temporal, scanIntervalMs, jobs, reconcile } = this.#tools;
    await scanForOrphans(
      {
        temporal,
        reconcile,
        intervalMs: scanIntervalMs,
        openAnchors: () => jobs.openAnchors(),
        cleanUpLatePods: async () => [
          ...(await this.#checkClaimedEnds()),
          ...(await this.#cleanUpLatePods()),
          ...(await this.#cleanUpLeftOver()),
        ],
        findMissingAnchors: () => this.#findMissingAnchors(),
        onSearched: this.#recordSearch,
        confirmServers: this.#confirmServers,
      },
      this.#signal,
    );
  }

  async expire(): Promise<void> {
    const { temporal, taskQueue, home, scanIntervalMs, log, jobs } = this.#tools;
    const endedAnchors = () => jobs.endedAnchors();
    const onError = (error: unknown, { namespace, name }: Partial<AnchorFacts> = {}) =>
      log.warn(
        { err: error, namespace, anchor: name },
        'the expiry of an ended job could not be started; retrying',
      );
    const tools = { temporal, taskQueue, clusterId: home.clusterId, intervalMs: scanIntervalMs };
    await expireJobs({ ...tools, endedAnchors, onError, confirmServers: this.#confirmServers }, this.#signal);
  }

  /** The phase on an anchor is the word of any user: a job is left alone when Temporal has confirmed its end. */
  async #checkClaimedEnds() {
    const { jobs, reconcile, log } = this.#tools;
    const found = new Map<AnchorFacts, OrphanStatus>();
    const look = async (anchor: AnchorFacts) => void found.set(anchor, await reconcile(anchor));
    const claimed = this.#claimedEnds.next(jobs.endedAnchors());
    const failures = await tryEach(claimed, look, { ...this.#trying, concurrency: ENDS_AT_ONCE });
    for (const anchor of this.#claimedEnds.take(found)) {
      log.warn({ anchor }, 'the anchor of a running job says that it has ended; following it on');
      jobs.refuteEnd(anchor);
    }
    return failures;
  }

  #cleanUpLatePods() {
    const late = this.#latePods.findJobs(this.#tools.jobs.jobs);
    const cleanUp = async (anchor: AnchorFacts) => {
      await startOrphanCleanUp(this.#tools, anchor);
      metrics.orphanCleanUps.inc();
      this.#tools.log.warn({ anchor }, 'an ended job has pods that its clean-up policy does not allow');
    };
    return tryEach(late, cleanUp, this.#trying);
  }

  #cleanUpLeftOver() {
    const cleanUp = async (anchor: GoneAnchor) => {
      await startOrphanCleanUp(this.#tools, anchor);
      metrics.orphanCleanUps.inc();
      this.#tools.log.warn(
        { anchor },
        'objects of a job are left without an owner, and its anchor is gone: removing them',
      );
    };
    return tryEach(this.#leftOver.find(this.#tools.jobs.jobs), cleanUp, this.#trying);
  }

  #findMissingAnchors() {
    const { jobs, unlisted } = this.#tools;
    const isKnown = (anchor: AnchorFacts) =>
      jobs.job(anchor)?.anchor?.workflowId === anchor.workflowId && !unlisted.has(anchor);
    const found = (anchor: AnchorFacts, present: AnchorFacts | undefined) => {
      if (!this.#signal.aborted) unlisted.settle(anchor, present);
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
    const { temporal, cluster, namespaces } = this.#tools;
    const one = { labelSelector: LABELS.anchor, metadataOnly: true, limit: 1 };
    const list = (namespace: string | undefined) => cluster.list(CONFIG_MAPS, { ...one, namespace });
    // That one of the namespaces cannot be read says nothing of the others.
    const listed = Promise.any(eachServed(namespaces).map(list)).catch(throwFirst);
    await Promise.all([probeSignals(temporal), listed]);
  };

  get #trying() {
    return { confirmServers: this.#confirmServers, signal: this.#signal };
  }
}
