import type { Progress } from '../../contracts/digest.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { WatchRules } from '../../contracts/policy.ts';
import { truncate } from '../../language/shorten.ts';
import type { PodReport } from '../pods/pod-report.ts';

/** What a line of the log reports. */
export interface LogMatch {
  readonly progress?: string;
  /** The line reports a written checkpoint. */
  readonly acknowledges: boolean;
  /** When the line was written, in epoch milliseconds by the node's clock. */
  readonly at: number;
}

const VALUE_LENGTH = 64;

/** What a job's program has reported in one attempt, by annotations of its pod and in its log. */
export class ProgressTracker {
  readonly attempt: number;
  /** uid of the main pod. */
  readonly pod: string;
  /** The pod has ended, and its log was read to its end. */
  isLogRead = false;
  /** How many lines of the log were read. */
  linesRead = 0;
  #progress?: Progress;
  /** When the watcher received it, in epoch milliseconds. */
  #progressAt?: number;
  #acknowledged = false;
  #lastReportAt?: number;
  /** Start of the observation, in epoch milliseconds. */
  #since: number;
  /** Values of the annotations at the last update. */
  #lastAnnotations: {
    readonly progress?: string;
    readonly asked?: string;
    readonly acknowledgement?: string;
  } = {};
  /** The acknowledgement that was present before the request. */
  #before?: string;
  /** When the log last reported a written checkpoint. */
  #acknowledgedInLogAt?: number;

  /** Keeps the progress that another pod of the same attempt has reported. */
  constructor(pod: { readonly uid: string; readonly attempt: number }, earlier?: ProgressTracker) {
    this.attempt = pod.attempt;
    this.pod = pod.uid;
    this.#since = Date.now();
    this.#lastReportAt = earlier?.lastReportAt;
    if (earlier?.attempt !== pod.attempt) return;
    this.#progress = earlier.#progress;
    this.#progressAt = earlier.#progressAt;
  }

  get progress(): Progress | undefined {
    if (!this.#progress || this.#progressAt === undefined) return undefined;
    return { ...this.#progress, ageMs: Math.max(0, Date.now() - this.#progressAt) };
  }

  /** Whether the requested checkpoint is written. */
  get acknowledged(): boolean {
    return this.#acknowledged;
  }

  /** When the watcher received the last report, in epoch milliseconds; grows with each. */
  get lastReportAt(): number | undefined {
    return this.#lastReportAt;
  }

  /** Records that the log has been read up to now, so that earlier reports are known. */
  caughtUp(): void {
    this.#since = Date.now();
  }

  /** Milliseconds of observation without a report. */
  get silentMs(): number {
    return Math.max(0, Date.now() - Math.max(this.#since, this.#lastReportAt ?? 0));
  }

  /** Returns true if the annotations newly report that the checkpoint is written. */
  onAnnotations({ annotations }: PodReport, rules: WatchRules): boolean {
    const progress = annotations[rules.progress?.annotation ?? ''];
    const acknowledgement = annotations[rules.acknowledgedBy?.annotation ?? '']?.value;
    const asked = annotations[ANNOTATIONS.checkpoint]?.value;
    if (progress && progress.value !== this.#lastAnnotations.progress)
      this.#recordProgress(progress.value, progress.at);
    if (asked !== this.#lastAnnotations.asked) this.#recordRequest();
    this.#lastAnnotations = { progress: progress?.value, asked, acknowledgement };
    const isAnswer = acknowledgement !== undefined && acknowledgement !== this.#before;
    return (isAnswer || this.#isAcknowledgedInLog()) && this.#recordAcknowledgement();
  }

  /** Returns true if the match newly reports that the checkpoint is written. */
  onLogMatch({ progress, acknowledges, at }: LogMatch): boolean {
    if (progress !== undefined) this.#recordProgress(progress, at);
    if (!acknowledges) return false;
    this.#acknowledgedInLogAt = at;
    return (Number.isNaN(this.#requestedAt) || this.#isAcknowledgedInLog()) && this.#recordAcknowledgement();
  }

  #recordProgress(value: string, at: number): void {
    const count = Math.max((this.#progress?.count ?? 0) + 1, at);
    this.#progress = { value: truncate(value, VALUE_LENGTH), count };
    this.#progressAt = Date.now();
    this.#recordReport();
  }

  /** A checkpoint may be requested again, and an earlier acknowledgement does not answer a new request. */
  #recordRequest(): void {
    this.#acknowledged = false;
    this.#before = this.#lastAnnotations.acknowledgement;
  }

  /** NaN if the request has no time. */
  get #requestedAt(): number {
    return Date.parse(this.#lastAnnotations.asked ?? '');
  }

  /** Compares the cluster's times, because a log that is read again repeats older acknowledgements. */
  #isAcknowledgedInLog(): boolean {
    return this.#acknowledgedInLogAt !== undefined && this.#acknowledgedInLogAt >= this.#requestedAt;
  }

  #recordAcknowledgement(): boolean {
    if (this.#lastAnnotations.asked === undefined || this.#acknowledged) return false;
    this.#acknowledged = true;
    this.#recordReport();
    return true;
  }

  #recordReport(): void {
    this.#lastReportAt = Math.max((this.#lastReportAt ?? 0) + 1, Date.now());
  }
}
