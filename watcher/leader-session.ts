import { anchorNameOf, workflowIdOf } from '../contracts/labels.ts';
import type { LaneRecord } from '../contracts/lane-record.ts';
import type { LanesReference } from '../contracts/lane-request.ts';
import { namespacesText, type ServedNamespaces } from '../contracts/served-namespaces.ts';
import { ANSWER_MS } from '../contracts/timing.ts';
import { whenAborted } from '../language/when-aborted.ts';
import type { LeaderTools } from '../leader/leader-process.ts';
import type { AnchorFacts } from './anchors/anchor-facts.ts';
import { type OrphanStatus, reconcileOrphan, startOrphanCleanUp } from './anchors/reconcile-orphan.ts';
import type { Result } from './digest/digest-queue.ts';
import { SignalHealth } from './digest/signal-health.ts';
import { probeSignals } from './digest/signal-probe.ts';
import { signalWorkflow, UnconfirmedError } from './digest/signal-workflow.ts';
import { FollowedMetrics } from './followed-metrics.ts';
import { decideOnGatedGangs } from './gated/gated-gangs.ts';
import { JobTracker } from './job-tracker.ts';
import type { WatchedJob } from './jobs/job.ts';
import { lookForMissingServices } from './jobs/missing-services.ts';
import { decideOnLanes, type LaneGrants } from './lanes/lanes-loop.ts';
import { Leftovers } from './leftovers.ts';
import { metrics } from './metrics.ts';
import type { HealthTable } from './nodes/health-table.ts';

export interface LeaderSessionOptions extends Omit<LeaderTools, 'isResumed'> {
  readonly noteForeign: (anchor: AnchorFacts) => void;
  readonly namespaces?: ServedNamespaces;
  readonly taskQueue: string;
  /** Where the lanes of jobs are. */
  readonly lanes?: LanesReference;
  /** What it has granted to jobs of lanes, also in earlier leaderships that nobody else has followed. */
  readonly grants: LaneGrants;
  readonly scanIntervalMs: number;
  readonly readsSteps?: boolean;
  readonly health?: HealthTable;
}

const COUNT_MS = 5_000;
/** In scan intervals. */
const SERVICES_EVERY = 2;

/** The work of the leader. Each leadership starts with an empty state. */
export class LeaderSession {
  readonly #tools: LeaderSessionOptions;
  readonly #signal: AbortSignal;
  readonly #tracker: JobTracker;
  readonly #reconciling = new Map<string, Promise<OrphanStatus>>();
  readonly #health: SignalHealth;
  readonly #followed = new FollowedMetrics();

  constructor(tools: LeaderSessionOptions, signal: AbortSignal) {
    this.#tools = tools;
    this.#signal = signal;
    this.#tracker = new JobTracker({ ...tools, send: signalWorkflow(tools.temporal, signal) }, signal);
    const { queue } = this.#tracker;
    const report = (trouble: unknown) => {
      tools.readiness.set('signals', trouble);
      if (trouble === undefined) queue.answered();
    };
    this.#health = new SignalHealth({ probe: () => probeSignals(tools.temporal), report }, signal);
    queue.on('result', (job, result) => {
      if (!signal.aborted) this.#handleResult(job, result);
    });
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
      this.#followed.clear();
      metrics.interruptedStreams.reset();
      metrics.failingJobs.set(0);
      metrics.scanLeft.reset();
    }
  }

  async #work(): Promise<void> {
    const tracker = this.#tracker;
    const following = tracker.follow();
    await Promise.race([tracker.listed(), whenAborted(this.#signal)]);
    if (this.#signal.aborted) return;
    this.#begin();
    const { jobs, unlisted } = tracker;
    const reconcile = (anchor: AnchorFacts) => this.#reconcile(anchor);
    const leftovers = new Leftovers({ ...this.#tools, jobs, unlisted, reconcile }, this.#signal);
    const { cluster, lanes, grants, readiness, log } = this.#tools;
    const gated = decideOnGatedGangs({ cluster, jobs, log }, this.#signal);
    const inLanes = lanes
      ? decideOnLanes(
          { cluster, jobs, lanes, readiness, grants, cleanUpLost: this.#cleanUpLost, log },
          this.#signal,
        )
      : undefined;
    await Promise.all([
      ...following,
      leftovers.scan(),
      leftovers.expire(),
      this.#lookForServices(),
      gated,
      inLanes,
    ]);
  }

  /** The watcher may write nothing beside the lanes. */
  #cleanUpLost = ({ namespace, job, anchorUid: uid }: LaneRecord): Promise<void> => {
    const workflowId = workflowIdOf({ namespace, name: job });
    return startOrphanCleanUp(this.#tools, { namespace, name: anchorNameOf(job), uid, workflowId });
  };

  async #lookForServices(): Promise<void> {
    const { cluster, namespaces, scanIntervalMs, log } = this.#tools;
    const onError = (error: unknown) => log.warn({ err: error }, 'Services of pods could not be looked for');
    const onChange = (job: WatchedJob) => this.#tracker.queue.changed(job, 'now');
    const jobs = () => this.#tracker.jobs.jobs;
    const intervalMs = scanIntervalMs * SERVICES_EVERY;
    await lookForMissingServices({ cluster, namespaces, intervalMs, jobs, onChange, onError }, this.#signal);
  }

  #begin(): void {
    this.#count();
    const { namespaces, log } = this.#tools;
    log.info({ ...this.#tracker.jobs.size, namespaces: namespacesText(namespaces) }, 'following jobs');
    this.#tracker.start();
  }

  #handleResult(job: WatchedJob, { is, delayMs, error }: Result): void {
    if (is === 'gone') void this.#reconcileUnreachable(job);
    if (error instanceof UnconfirmedError) return;
    metrics.signals.inc({ result: is });
    if (is === 'delivered') metrics.signalDelay.observe(delayMs / 1000);
    if (error === undefined) {
      this.#health.answered();
      return;
    }
    this.#health.failed();
    const { namespace, name } = job.anchor ?? {};
    const next = is === 'failed' ? 'retrying' : 'given up, because its anchor is gone';
    this.#tools.log.warn({ err: error, namespace, anchor: name }, `a digest could not be sent; ${next}`);
  }

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
    const { temporal } = this.#tools;
    const status = await temporal.withDeadline(Date.now() + ANSWER_MS, () =>
      reconcileOrphan({ ...this.#tools, misnamed: this.#rename }, anchor),
    );
    const job = this.#tracker.jobs.job(anchor);
    if (status === 'running' && job) this.#tracker.queue.resume(job);
    if (status === 'over') this.#tracker.jobs.believeEnd(anchor);
    if (status === 'orphaned') {
      metrics.orphanCleanUps.inc();
      this.#tools.log.warn({ anchor }, 'a job’s workflow ended without clean-up: removing its objects');
    }
    return status;
  }

  /** Signals the workflow of the anchor's job, not the one that the anchor names. */
  #rename = (anchor: AnchorFacts, workflowId: string): void => {
    if (this.#signal.aborted) return;
    this.#tracker.edited.note(anchor);
    const known = this.#tracker.jobs.job(anchor)?.anchor;
    if (known) this.#tracker.jobs.anchorFound({ ...known, workflowId, firstRunId: undefined });
  };

  #count(): void {
    metrics.jobs.set(this.#tracker.jobs.size.jobs);
    this.#followed.count([...this.#tracker.jobs.jobs]);
    metrics.interruptedStreams.reset();
    for (const [stream, seconds] of this.#tools.readiness.streams.interruptedSeconds())
      metrics.interruptedStreams.set({ stream }, seconds);
    metrics.failingJobs.set(this.#tracker.queue.failing);
  }
}
