import type { Logger } from 'pino';
import type { ConfigMap } from '../contracts/kubernetes.ts';
import { UnlistedAnchors } from './anchors/unlisted-anchors.ts';
import { DigestQueue, type DigestQueueOptions } from './digest/digest-queue.ts';
import { type InformerOptions, Informers } from './informers/informers.ts';
import { ProgressMonitor } from './progress-monitor.ts';
import { nodeCheck } from './questions/node-check.ts';
import { groupChecks, podCheck } from './questions/object-checks.ts';
import { QuestionAnswerer, type QuestionAnswererOptions } from './questions/question-answerer.ts';
import { StepReadings } from './step-readings.ts';
import { JobStore } from './store/job-store.ts';
import { UnusableAnchors } from './unusable-anchors.ts';

interface JobTrackerOptions
  extends DigestQueueOptions,
    Omit<InformerOptions, 'unusable' | 'edited'>,
    Pick<QuestionAnswererOptions, 'pauses'> {
  /** Maximum number of logs followed at once, over all jobs. */
  readonly mostLogs?: number;
  /** Whether the steps of jobs are read from their logs without a policy that asks for it. */
  readonly readsSteps?: boolean;
}

/**
 * What a leader knows of its jobs, and what it signals to their workflows: it reads the cluster, and each change of a job passes
 * through here.
 */
export class JobTracker {
  readonly jobs: JobStore;
  readonly queue: DigestQueue;
  readonly unlisted: UnlistedAnchors;
  readonly edited: EditedAnchors;
  readonly #informers: Informers;
  readonly #answerer: QuestionAnswerer;
  readonly #steps?: StepReadings;

  constructor(tools: JobTrackerOptions, signal: AbortSignal) {
    const { cluster, log, mostLogs: most, readiness } = tools;
    this.jobs = new JobStore(tools.health);
    const { jobs } = this;
    this.queue = new DigestQueue(jobs, tools);
    this.unlisted = new UnlistedAnchors({ cluster, log, store: jobs }, signal);
    this.edited = new EditedAnchors(log);
    const { queue, unlisted, edited } = this;
    const monitor = new ProgressMonitor({ cluster, log, queue, most }, signal);
    const checks = [podCheck(cluster, jobs), nodeCheck(cluster, jobs.nodes), ...groupChecks(cluster, jobs)];
    if (tools.readsSteps)
      this.#steps = new StepReadings({ cluster, log, queue, jobs: () => jobs.jobs }, signal);
    this.#answerer = new QuestionAnswerer(
      { ...tools, checks, monitor, steps: this.#steps, queue, streams: readiness.streams },
      signal,
    );
    this.#informers = new Informers({ ...tools, edited, unusable: new UnusableAnchors(log) }, jobs, signal);
    jobs.on('unlisted', (anchor) => void unlisted.check(anchor));
    jobs.on('changed', (job, urgency) => {
      const isAwaited = monitor.update(job);
      this.#answerer.update(job);
      queue.changed(job, isAwaited ? 'now' : urgency);
    });
  }

  /** Reads the cluster until the signal aborts. */
  follow(): Promise<void>[] {
    return this.#informers.followAll();
  }

  /** Resolves when everything was listed, as far as possible. Never resolves if the leadership ends first. */
  listed(): Promise<void> {
    return this.#informers.listed();
  }

  /** Starts to answer and to send. Before this call the store is incomplete. */
  start(): void {
    this.#answerer.start(this.jobs.jobs);
    this.queue.start(this.jobs.jobs);
    this.#steps?.start();
  }

  /** Waits until the signals in flight have succeeded or failed. */
  stop(): Promise<void> {
    return this.queue.stop();
  }
}

/**
 * Anchors whose owner was changed: workflow, installation or cluster. The watcher goes by what it
 * knows. It logs each once.
 */
class EditedAnchors {
  readonly #log: Pick<Logger, 'warn'>;
  readonly #uids = new Set<string>();

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  note({ namespace, name, uid = '' }: ConfigMap['metadata']): void {
    if (this.#uids.has(uid)) return;
    this.#uids.add(uid);
    this.#log.warn(
      { anchor: `${namespace}/${name}` },
      'the owner on an anchor was changed (workflow, run, installation or cluster); its job continues',
    );
  }
}
