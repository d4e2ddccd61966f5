import type { Progress } from '../../contracts/digest.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { WatchRules } from '../../contracts/policy.ts';
import type { PodReport } from '../pods/pod-report.ts';

/** What a line of the log says, to who looks out for it. */
export interface LogMatch {
  readonly progress?: string;
  /** A checkpoint is written. */
  readonly acknowledges: boolean;
  /** When it was written, in epoch milliseconds as the cluster has it. */
  readonly at: number;
}

const VALUE_LENGTH = 64;

/** What a job's program has said in one attempt, by annotations of its pod and in its log. */
export class ProgressTracker {
  readonly attempt: number;
  /** uid of the pod that speaks. */
  readonly pod: string;
  #progress?: Progress;
  #acknowledged = false;
  #lastReportAt?: number;
  /** Since when it is listened to, in epoch milliseconds. */
  #since: number;
  /** As the annotations were when last looked at. */
  #lastAnnotations: {
    readonly progress?: string;
    readonly asked?: string;
    readonly acknowledgement?: string;
  } = {};
  /** The acknowledgement that was there before the question. */
  #before?: string;
  /** When the log said last that a checkpoint is written. */
  #acknowledgedInLogAt?: number;

  /** Another pod of the same attempt goes on with what was said. */
  constructor(pod: { readonly uid: string; readonly attempt: number }, earlier?: ProgressTracker) {
    this.attempt = pod.attempt;
    this.pod = pod.uid;
    this.#since = Date.now();
    this.#lastReportAt = earlier?.lastReportAt;
    if (earlier?.attempt === pod.attempt) this.#progress = earlier.progress;
  }

  get progress(): Progress | undefined {
    return this.#progress;
  }

  /** The checkpoint that was asked for is written. */
  get acknowledged(): boolean {
    return this.#acknowledged;
  }

  /** When the last word was heard, in epoch milliseconds; grows with each. */
  get lastReportAt(): number | undefined {
    return this.#lastReportAt;
  }

  /** Its log has been read up to now: what it said before is known. */
  caughtUp(): void {
    this.#since = Date.now();
  }

  /** For how long it was listened to and has said nothing, in milliseconds. */
  get silentMs(): number {
    return Math.max(0, Date.now() - Math.max(this.#since, this.#lastReportAt ?? 0));
  }

  /** Whether the annotations say what was heard of them last. */
  hasRead({ annotations }: PodReport, { progress }: WatchRules): boolean {
    return annotations[progress?.annotation ?? '']?.value === this.#lastAnnotations.progress;
  }

  /** True if the annotations tell that the checkpoint is written, and have not told before. */
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

  /** True if the word tells that the checkpoint is written, and none has told before. */
  onLogMatch({ progress, acknowledges, at }: LogMatch): boolean {
    if (progress !== undefined) this.#recordProgress(progress, at);
    if (!acknowledges) return false;
    this.#acknowledgedInLogAt = at;
    return (Number.isNaN(this.#requestedAt) || this.#isAcknowledgedInLog()) && this.#recordAcknowledgement();
  }

  #recordProgress(value: string, at: number): void {
    const count = Math.max((this.#progress?.count ?? 0) + 1, at);
    this.#progress = { value: value.slice(0, VALUE_LENGTH), count };
    this.#recordReport();
  }

  /** Anew, perhaps: what was acknowledged before is no answer. */
  #recordRequest(): void {
    this.#acknowledged = false;
    this.#before = this.#lastAnnotations.acknowledgement;
  }

  /** NaN where the question does not say when it was asked. */
  get #requestedAt(): number {
    return Date.parse(this.#lastAnnotations.asked ?? '');
  }

  /** Since it was asked, by the cluster's clocks: a log that is read again repeats older answers. */
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
