import type { Logger } from 'pino';
import type { ClusterClient } from '../cluster/client.ts';
import { FORBIDDEN_MS, isForbidden } from '../cluster/errors.ts';
import { readTail } from '../cluster/read-tail.ts';
import type { Urgency } from './jobs/delivery.ts';
import type { WatchedJob } from './jobs/job.ts';
import { findMainPod } from './jobs/main-pod.ts';
import type { PodFacts } from './pods/pod-facts.ts';
import type { SilenceCheck } from './progress/silence.ts';
import { StepWatch } from './progress/step-watch.ts';

interface StepReadingsOptions {
  readonly cluster: Pick<ClusterClient, 'log' | 'now'>;
  readonly log: Logger;
  readonly queue: { changed(job: WatchedJob, urgency: Urgency): void };
  readonly jobs: () => Iterable<WatchedJob>;
}

const LOOK_MS = 5_000;
/** Logs that are read at once: an API server passes each request on to a kubelet. */
const AT_ONCE = 16;
const READ_MS = 10_000;
const AGAIN_MS = 60_000;
/** A watcher that takes over looks at all jobs for the first time: not at once. */
const FIRST_WITHIN_MS = 60_000;

/**
 * Reads the end of the logs of running jobs whose policy names nothing that reports progress, each when it could have made no
 * step for longer than usual. Tells workflows only that, and that it is over.
 */
export class StepReadings {
  readonly #options: StepReadingsOptions;
  readonly #signal: AbortSignal;
  readonly #due = new Set<WatchedJob>();
  #reading = 0;

  constructor(options: StepReadingsOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  start(): void {
    const timer = setInterval(() => this.#look(), LOOK_MS);
    this.#signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  /** Reads anew what a workflow asks about before it restarts a job that makes no steps. */
  async check(job: WatchedJob): Promise<SilenceCheck> {
    const { steps: watch } = job;
    if (watch?.late === undefined) return {};
    await this.#readNow(job, watch);
    const source = [...job.pods.values()].find(({ name }) => name === watch.source);
    return watch.late === undefined || !source ? {} : { silentPod: { pod: source.name, node: source.node } };
  }

  #look(): void {
    const now = this.#options.cluster.now();
    for (const job of this.#options.jobs()) {
      const watch = watchOf(job, now);
      if (watch !== job.steps) this.#watch(job, watch);
      if (watch && watch.nextAt <= now) this.#due.add(job);
    }
    this.#readNext();
  }

  #watch(job: WatchedJob, watch: StepWatch | undefined): void {
    const wasLate = job.steps?.late !== undefined;
    job.steps = watch;
    if (wasLate) this.#options.queue.changed(job, 'soon');
  }

  #readNext(): void {
    for (const job of this.#due) {
      if (this.#reading >= AT_ONCE || this.#signal.aborted) return;
      this.#due.delete(job);
      this.#reading++;
      void this.#read(job).finally(() => {
        this.#reading--;
        this.#readNext();
      });
    }
  }

  async #read(job: WatchedJob): Promise<void> {
    const { steps: watch } = job;
    const { cluster, log } = this.#options;
    if (!watch) return;
    // Until it is read, nobody reads it again.
    watch.nextAt = Number.POSITIVE_INFINITY;
    try {
      await this.#readNow(job, watch);
    } catch (error) {
      watch.nextAt = cluster.now() + (isForbidden(error) ? FORBIDDEN_MS : AGAIN_MS);
      log.debug({ err: error, anchor: job.anchor }, 'the steps of a job cannot be read now');
    }
  }

  async #readNow(job: WatchedJob, watch: StepWatch): Promise<void> {
    const { cluster, queue } = this.#options;
    for (const pod of watch.sourcesOf(readablePods(job))) await this.#readPod(job, watch, pod);
    if (watch.decide(cluster.now()) && job.steps === watch) queue.changed(job, 'soon');
  }

  async #readPod({ namespace }: WatchedJob, watch: StepWatch, pod: PodFacts): Promise<void> {
    const { cluster } = this.#options;
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(READ_MS)]);
    const source = { namespace, pod: pod.name, container: pod.mainContainer, signal };
    const lines = await readTail(cluster, source, watch.tailOf(pod.name));
    watch.onLines(pod.name, lines, cluster.now());
  }
}

/** Returns how the job's steps are watched; undefined if they are not. */
function watchOf(job: WatchedJob, now: number): StepWatch | undefined {
  const { anchor, steps } = job;
  if (anchor?.phase !== 'Running' || anchor.final || anchor.deleted) return undefined;
  if (anchor.watch.rules?.progress) return undefined;
  const main = findMainPod(job, anchor);
  if (main?.state !== 'ready') return undefined;
  return steps?.pod === main.uid ? steps : new StepWatch(main, now + Math.random() * FIRST_WITHIN_MS);
}

/** The main pod, and the last one: some programs tell their steps there. */
function readablePods({ pods, anchor }: WatchedJob): readonly PodFacts[] {
  const ready = [...pods.values()].filter(({ state, isReplica }) => state === 'ready' && isReplica);
  const main = ready.find(({ name }) => name === anchor?.mainPod);
  const last = ready
    .filter(({ attempt, role }) => attempt === main?.attempt && !isMainRole(role, main, ready))
    .reduce<PodFacts | undefined>(
      (found, pod) => (found && found.index > pod.index ? found : pod),
      undefined,
    );
  return [...new Set([main, last])].filter((pod) => pod !== undefined);
}

/** Where all pods have one role, that has the last one, too. */
const isMainRole = (role: string, main: PodFacts, pods: readonly PodFacts[]) =>
  role === main.role && pods.some((pod) => pod.role !== main.role);
