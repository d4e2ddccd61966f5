import type { Progress } from '../../contracts/digest.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { WatchRules } from '../../contracts/policy.ts';
import type { Voice } from '../pods/pod-report.ts';

/** What a line of the log says, to who looks out for it. */
export interface Word {
  readonly progress?: string;
  /** A checkpoint is written. */
  readonly acknowledges: boolean;
  /** When it was written, in epoch milliseconds as the cluster has it. */
  readonly at: number;
}

const VALUE_LENGTH = 64;

/** What a job's program has said in one attempt, by annotations of its pod and in its log. */
export class Words {
  readonly attempt: number;
  /** uid of the pod that speaks. */
  readonly pod: string;
  #progress?: Progress;
  #acknowledged = false;
  #heardAt?: number;
  /** Since when it is listened to, in epoch milliseconds. */
  #since: number;
  /** As the annotations were when last looked at. */
  #seen: { readonly progress?: string; readonly asked?: string; readonly acknowledgement?: string } = {};
  /** The acknowledgement that was there before the question. */
  #before?: string;
  /** When the log said last that a checkpoint is written. */
  #saidAt?: number;

  /** Another pod of the same attempt goes on with what was said. */
  constructor(pod: { readonly uid: string; readonly attempt: number }, earlier?: Words) {
    this.attempt = pod.attempt;
    this.pod = pod.uid;
    this.#since = Date.now();
    this.#heardAt = earlier?.heardAt;
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
  get heardAt(): number | undefined {
    return this.#heardAt;
  }

  /** Its log has been read up to now: what it said before is known. */
  caughtUp(): void {
    this.#since = Date.now();
  }

  /** For how long it was listened to and has said nothing, in milliseconds. */
  get silentMs(): number {
    return Math.max(0, Date.now() - Math.max(this.#since, this.#heardAt ?? 0));
  }

  /** Whether the annotations say what was heard of them last. */
  hasRead({ annotations }: Voice, { progress }: WatchRules): boolean {
    return annotations[progress?.annotation ?? '']?.value === this.#seen.progress;
  }

  /** True if the annotations tell that the checkpoint is written, and have not told before. */
  read({ annotations }: Voice, rules: WatchRules): boolean {
    const progress = annotations[rules.progress?.annotation ?? ''];
    const acknowledgement = annotations[rules.acknowledgedBy?.annotation ?? '']?.value;
    const asked = annotations[ANNOTATIONS.checkpoint]?.value;
    if (progress && progress.value !== this.#seen.progress) this.#getsOn(progress.value, progress.at);
    if (asked !== this.#seen.asked) this.#isAsked();
    this.#seen = { progress: progress?.value, asked, acknowledgement };
    const isAnswer = acknowledgement !== undefined && acknowledgement !== this.#before;
    return (isAnswer || this.#wasSaid()) && this.#acknowledges();
  }

  /** True if the word tells that the checkpoint is written, and none has told before. */
  hear({ progress, acknowledges, at }: Word): boolean {
    if (progress !== undefined) this.#getsOn(progress, at);
    if (!acknowledges) return false;
    this.#saidAt = at;
    return (Number.isNaN(this.#askedAt) || this.#wasSaid()) && this.#acknowledges();
  }

  #getsOn(value: string, at: number): void {
    const count = Math.max((this.#progress?.count ?? 0) + 1, at);
    this.#progress = { value: value.slice(0, VALUE_LENGTH), count };
    this.#heard();
  }

  /** Anew, perhaps: what was acknowledged before is no answer. */
  #isAsked(): void {
    this.#acknowledged = false;
    this.#before = this.#seen.acknowledgement;
  }

  /** NaN where the question does not say when it was asked. */
  get #askedAt(): number {
    return Date.parse(this.#seen.asked ?? '');
  }

  /** Since it was asked, by the cluster's clocks: a log that is read again repeats older answers. */
  #wasSaid(): boolean {
    return this.#saidAt !== undefined && this.#saidAt >= this.#askedAt;
  }

  #acknowledges(): boolean {
    if (this.#seen.asked === undefined || this.#acknowledged) return false;
    this.#acknowledged = true;
    this.#heard();
    return true;
  }

  #heard(): void {
    this.#heardAt = Math.max((this.#heardAt ?? 0) + 1, Date.now());
  }
}
