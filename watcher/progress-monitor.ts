import type { Logger } from 'pino';
import type { ClusterClient } from '../cluster/client.ts';
import { FORBIDDEN_MS, isForbidden } from '../cluster/errors.ts';
import { CAUGHT_UP, followLog, type LogSource } from '../cluster/follow-log.ts';
import { errorMessage } from '../language/error-message.ts';
import type { AnchorFacts } from './anchors/anchor-facts.ts';
import type { Urgency } from './jobs/delivery.ts';
import type { MainPod, WatchedJob } from './jobs/job.ts';
import { findMainPod, progressLog } from './jobs/main-pod.ts';
import { LogSlots } from './log-slots.ts';
import { hasEnded } from './pods/pod-facts.ts';
import { FollowedLog } from './progress/followed-log.ts';
import { LogMatcher } from './progress/log-matcher.ts';
import { ProgressTracker } from './progress/progress-tracker.ts';
import { hasReadLog, type SilenceCheck } from './progress/silence.ts';

interface ProgressMonitorOptions {
  readonly cluster: ClusterClient;
  readonly log: Logger;
  readonly queue: { changed(job: WatchedJob, urgency: Urgency): void };
  /** Maximum number of logs followed at once, over all jobs. */
  readonly most?: number;
}

const MOST_LOGS = 500;

/** How long the end of a pod is held back for its last reports, in milliseconds: its log may be unreadable. */
const LAST_REPORTS_MS = 5_000;

/** Follows the progress reports of the jobs that ask for it: annotations of the main pod, and its log while it runs. */
export class ProgressMonitor {
  readonly #options: ProgressMonitorOptions;
  readonly #signal: AbortSignal;
  readonly #logs: LogSlots;
  /** uids of jobs whose unreadable rules were logged. */
  readonly #faults = new Set<string>();
  #hasReportedForbidden = false;

  constructor(tools: ProgressMonitorOptions, signal: AbortSignal) {
    this.#options = tools;
    this.#signal = signal;
    this.#logs = new LogSlots(tools.most ?? MOST_LOGS);
    // Aborts the controllers of all streams.
    signal.addEventListener('abort', () => this.#stop(), { once: true });
  }

  /** Handles a change of the job. Returns true if its annotations report what its workflow waits for. */
  update(job: WatchedJob): boolean {
    const { anchor } = job;
    this.#reportFault(job);
    const rules = anchor?.watch.rules;
    const mainPod = rules && !anchor.final && !anchor.deleted ? findMainPod(job, anchor) : undefined;
    if (!rules || !mainPod) {
      this.#stopFollowing(job);
      return false;
    }
    if (job.progress?.pod !== mainPod.uid) job.progress = new ProgressTracker(mainPod, job.progress);
    const acknowledged = job.progress.onAnnotations(mainPod.report, rules);
    this.#follow(job, mainPod, anchor);
    return acknowledged;
  }

  /**
   * Asks the API server whether a line of the job's log is still unread, and says for how long its program has reported
   * nothing. Throws if that cannot be determined. Annotations are those of the stored pod.
   */
  async checkSilence(job: WatchedJob): Promise<SilenceCheck> {
    const { anchor, progress: tracker } = job;
    const sources = anchor?.watch.rules?.progress;
    const mainPod = anchor && findMainPod(job, anchor);
    if (job.progressFault) return { progressFault: job.progressFault };
    if (!tracker || !sources || mainPod?.uid !== tracker.pod)
      return { progressFault: 'the pod that reports it is gone' };
    if (sources.log && !(await this.#hasReadLog(job, mainPod, anchor))) return 'behind';
    const silentPod = { pod: mainPod.name, node: mainPod.node };
    return {
      ...{ silentMs: tracker.silentMs, silentPod },
      ...(sources.log ? { linesRead: tracker.linesRead } : {}),
    };
  }

  /** Opens the job's log again, because the present stream delivers nothing more. */
  reopenLog(job: WatchedJob): void {
    this.#stopFollowing(job);
    this.update(job);
  }

  async #hasReadLog(job: WatchedJob, mainPod: MainPod, anchor: AnchorFacts): Promise<boolean> {
    const source = progressLog(mainPod, anchor);
    const stream = this.#logs.followed.get(job);
    // Without a source, the container has not started.
    if (!source || !stream) return !source || job.progress!.isLogRead;
    const { caughtUp, readTo, signal } = stream;
    return caughtUp && hasReadLog(this.#options.cluster, source, { readTo, signal });
  }

  /** The rules come from the job's worker, which may have another version. */
  #reportFault(job: WatchedJob): void {
    const { uid, anchor } = job;
    if (!anchor?.watch.fault) return;
    job.progressFault = `its anchor holds invalid watch rules: ${anchor.watch.fault}`;
    if (this.#faults.has(uid)) return;
    this.#faults.add(uid);
    this.#options.log.warn({ anchor }, 'an anchor holds invalid watch rules');
  }

  #stopFollowing(job: WatchedJob): void {
    this.#logs.waiting.delete(job);
    const stream = this.#logs.followed.get(job);
    if (stream) this.#close(job, stream);
  }

  #follow(job: WatchedJob, mainPod: MainPod, anchor: AnchorFacts): void {
    const source = progressLog(mainPod, anchor);
    const stream = this.#logs.followed.get(job);
    if (!source || (stream && stream.pod !== mainPod.uid)) this.#stopFollowing(job);
    if (!this.#logs.followed.has(job)) {
      job.progressFault = undefined;
      if (source && !job.progress!.isLogRead) this.#open(job, mainPod.uid, source);
      else this.#logs.waiting.delete(job);
    }
    if (hasEnded(mainPod)) this.#endWithPod(job);
  }

  /** Lets the digest with the pod's end wait for its last reports, which the job keeps for ever. */
  #endWithPod(job: WatchedJob): void {
    const stream = this.#logs.followed.get(job);
    if (!stream || stream.over.aborted) return;
    if (job.progressFault === undefined) job.heldUntil = Date.now() + LAST_REPORTS_MS;
    stream.podEnded();
  }

  #open(job: WatchedJob, pod: string, source: LogSource): void {
    if (this.#signal.aborted) return;
    if (this.#logs.isFull && !this.#makeRoom(job)) {
      this.#wait(job);
      return;
    }
    this.#logs.waiting.delete(job);
    const stream = new FollowedLog(pod);
    this.#logs.followed.set(job, stream);
    this.#logs.count();
    const failed = (error: unknown) =>
      this.#options.log.error({ err: error, ...source }, 'following a log failed');
    void this.#readLog(job, stream, source)
      .catch(failed)
      .finally(() => this.#close(job, stream));
  }

  /** Takes the slot of a job of another namespace, whose log is read again when it has its turn. */
  #makeRoom({ namespace }: WatchedJob): boolean {
    const other = this.#logs.givesWay(namespace);
    if (!other) return false;
    this.#logs.followed.get(other)?.stop();
    this.#logs.followed.delete(other);
    this.#release(other);
    this.#wait(other);
    this.#options.queue.changed(other, 'soon');
    return true;
  }

  #wait(job: WatchedJob): void {
    const { log, most = MOST_LOGS } = this.#options;
    if (this.#logs.waiting.size === 0) {
      log.warn(
        { anchor: job.anchor, logs: most },
        'no more logs can be followed: the progress of some jobs is not read for now',
      );
    }
    job.progressFault = `the watcher already follows its maximum of ${most} logs`;
    this.#logs.waiting.add(job);
    this.#logs.count();
  }

  #close(job: WatchedJob, stream: FollowedLog): void {
    stream.stop();
    if (this.#logs.followed.get(job) !== stream) return;
    this.#logs.followed.delete(job);
    this.#release(job);
    this.#offerSlot();
    this.#logs.count();
  }

  /** Sends what waited for the job's last reports. */
  #release(job: WatchedJob): void {
    if (job.heldUntil === undefined) return;
    job.heldUntil = undefined;
    this.#options.queue.changed(job, 'now');
  }

  /** Gives a free slot to a waiting job. */
  #offerSlot(): void {
    for (let job = this.#logs.takeNext(); job; job = this.#logs.takeNext())
      this.#options.queue.changed(job, this.update(job) ? 'now' : 'soon');
  }

  #stop(): void {
    this.#logs.waiting.clear();
    for (const [job, stream] of [...this.#logs.followed]) this.#close(job, stream);
  }

  async #readLog(job: WatchedJob, stream: FollowedLog, source: LogSource): Promise<void> {
    const { progress } = job;
    const { signal } = stream;
    const matcher = new LogMatcher(() => job.anchor?.watch.rules);
    const onError = (error: unknown) => this.#onError(job, source, error);
    const following = followLog(this.#options.cluster, source, {
      signal,
      over: stream.over,
      onError,
    });
    for await (const line of following) {
      const matches = line === CAUGHT_UP ? matcher.caughtUp() : matcher.match(line);
      if (line === CAUGHT_UP) this.#caughtUp(job, stream);
      else {
        stream.read(line.time);
        progress!.linesRead++;
      }
      for (const match of matches)
        this.#options.queue.changed(job, progress!.onLogMatch(match) ? 'now' : 'report');
    }
    if (!signal.aborted) progress!.isLogRead = true;
  }

  #caughtUp(job: WatchedJob, stream: FollowedLog): void {
    stream.caughtUp = true;
    job.progress?.caughtUp();
    this.#setProgressFault(job, undefined);
  }

  #setProgressFault(job: WatchedJob, progressFault: string | undefined): void {
    if (job.progressFault === progressFault) return;
    job.progressFault = progressFault;
    this.#options.queue.changed(job, 'soon');
  }

  /** Returns the minimum delay before the next attempt, in milliseconds. */
  #onError(job: WatchedJob, source: LogSource, error: unknown): number {
    if (!isForbidden(error)) {
      this.#options.log.debug({ err: error, ...source }, 'a log cannot be read now; retrying');
      return 0;
    }
    this.#setProgressFault(job, `the watcher may not read its log: ${errorMessage(error)}`);
    if (!this.#hasReportedForbidden) {
      this.#options.log.warn(
        { err: error, ...source },
        'no permission to read logs: progress reported there is not seen',
      );
    }
    this.#hasReportedForbidden = true;
    return FORBIDDEN_MS;
  }
}
