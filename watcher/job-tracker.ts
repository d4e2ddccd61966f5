import type { Logger } from 'pino';
import type { ClusterClient } from '../cluster/client.ts';
import { DigestQueue, type DigestQueueOptions } from './digest/digest-queue.ts';
import type { Streams } from './informers/streams.ts';
import type { WatchedJob } from './jobs/job.ts';
import { ProgressMonitor } from './progress-monitor.ts';
import { nodeCheck } from './questions/node-check.ts';
import { groupChecks, podCheck } from './questions/object-checks.ts';
import { QuestionAnswerer, type QuestionAnswererOptions } from './questions/question-answerer.ts';
import { JobStore } from './store/job-store.ts';

export interface JobTrackerOptions
  extends Omit<DigestQueueOptions, 'digest'>,
    Pick<QuestionAnswererOptions, 'pauses'> {
  readonly cluster: ClusterClient;
  readonly streams: Pick<Streams, 'reopen'>;
  readonly log: Logger;
  /** Maximum number of logs followed at once, over all jobs. */
  readonly mostLogs?: number;
}

/** What a leader knows of its jobs, and what it tells their workflows: each change of a job passes through here. */
export class JobTracker {
  readonly jobs = new JobStore();
  readonly queue: DigestQueue;
  readonly #monitor: ProgressMonitor;
  readonly #answerer: QuestionAnswerer;

  constructor(tools: JobTrackerOptions, signal: AbortSignal) {
    const { cluster, streams, log, pauses, mostLogs: most } = tools;
    const { jobs } = this;
    this.queue = new DigestQueue({ ...tools, digest: (job, anchor) => jobs.digestOf(job, anchor) });
    const onProgress = (job: WatchedJob, isUrgent: boolean) =>
      this.queue.changed(job, isUrgent ? 'now' : 'soon');
    this.#monitor = new ProgressMonitor({ cluster, log, onProgress, most }, signal);
    this.#answerer = new QuestionAnswerer(
      {
        checks: [podCheck(cluster, jobs), nodeCheck(cluster, jobs.nodes), ...groupChecks(cluster, jobs)],
        reopen: (stream) => streams.reopen(stream),
        checkSilence: (job) => this.#monitor.checkSilence(job),
        reopenLog: (job) => this.#monitor.reopenLog(job),
        onAnswer: (job) => this.queue.changed(job, 'now'),
        log,
        pauses,
      },
      signal,
    );
    jobs.listen((job, urgency) => {
      const isAwaited = this.#monitor.update(job);
      this.#answerer.update(job);
      this.queue.changed(job, isAwaited ? 'now' : urgency);
    });
  }

  /** Starts to answer and to send. Before this call the store is incomplete. */
  start(): void {
    this.#answerer.start(this.jobs.jobs);
    this.queue.start(this.jobs.jobs);
  }

  /** Waits until the signals in flight have succeeded or failed. */
  stop(): Promise<void> {
    return this.queue.stop();
  }
}
