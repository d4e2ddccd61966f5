import { type AnchorFacts, isSameRun } from '../anchors/anchor-facts.ts';

/**
 * How soon a change is sent, least urgent first. `takenOver`: nothing has changed, but the watcher is new. `report`: the program
 * has reported progress. `lazy`: the job has ended. `later`: pods are being created, scheduled, started or deleted, and
 * their intermediate counts decide nothing; or the last pods of a clean-up are gone, which the clean-up itself usually sees
 * first. `soon`: the job has all its pods, or a problem, or all of them wait. `now`: the workflow may act on it.
 */
const URGENCIES = ['takenOver', 'report', 'lazy', 'later', 'soon', 'now'] as const;

export type Urgency = (typeof URGENCIES)[number];

export const moreUrgent = (a: Urgency, b: Urgency): Urgency =>
  URGENCIES.indexOf(a) < URGENCIES.indexOf(b) ? b : a;

/**
 * The parts of a digest that are compared. Changed `facts` are sent soon, `details` and `progress` less often. What its `lane` says
 * is a fact, too, but not that it has nothing more to say: the job knows what it has taken.
 */
export interface DigestContent {
  readonly facts: string;
  readonly lane?: string;
  readonly details: string;
  readonly progress?: string;
}

/** A digest, as far as it is compared with another. */
export interface DigestState {
  readonly content: DigestContent;
  /** The job's `podChanges` at that time. */
  readonly podChanges: number;
  /** Resource version of the last event of the job's pods at that time. */
  readonly resourceVersion: number;
}

export interface Sent extends DigestState {
  /** It was sent because its content had changed, not only its resource version. */
  readonly hadChanged: boolean;
  readonly at: number;
}

/** The place of one job in the queue of digests. It holds no digest: the newest one is built when the job's turn comes. */
export interface Delivery {
  sent?: Sent;
  /** `sent` was not sent by this watcher: the anchor names the hash of its content. */
  isAssumed: boolean;
  /** Since when the workflow knows that all pods are ready and the anchor does not say so; or when it was last told that. */
  recordAwaitedFrom?: number;
  /** The workflow run that `sent` and `isDone` refer to. */
  run?: AnchorFacts;
  /** The workflow has received its last digest, or is gone. */
  isDone: boolean;
  /** Time of the first event that is not sent yet. */
  changedAt?: number;
  /** Time of the last event. */
  lastChangedAt: number;
  urgency: Urgency;
  /** How long a watcher that takes over waits before it sends what has not changed. */
  spreadMs: number;
  /** Time of the last send. */
  at: number;
  failures: number;
  /** Failures in a row while Temporal answered others: the cause is this job. */
  failuresAlone: number;
  /** How many calls Temporal had answered at the last failure. */
  answers?: number;
  /** Its workflow had not recorded its anchor at the last failure: that takes a moment. */
  isUnconfirmed?: boolean;
  /** Drawn at the last failure, from 0 to 1. */
  chance: number;
  /** Its workflow has answered a signal. */
  isKnown: boolean;
  /** Number of digests that followed each other without a rest. */
  streak: number;
  state: 'resting' | 'timed' | 'queued' | 'inFlight';
  wakesAt?: number;
  timer?: NodeJS.Timeout;
}

export const newDelivery = (): Delivery => ({
  isAssumed: false,
  isDone: false,
  urgency: 'takenOver',
  lastChangedAt: Number.NEGATIVE_INFINITY,
  spreadMs: 0,
  at: Number.NEGATIVE_INFINITY,
  failures: 0,
  failuresAlone: 0,
  chance: 0,
  isKnown: false,
  streak: 0,
  state: 'resting',
});

/** Nothing is left to be sent. */
export function rest(delivery: Delivery): undefined {
  delivery.changedAt = undefined;
  delivery.urgency = 'takenOver';
}

export function noteDelivered(delivery: Delivery, sent: Sent): void {
  delivery.isKnown = true;
  delivery.failures = 0;
  delivery.failuresAlone = 0;
  delivery.sent = sent;
  delivery.isAssumed = false;
}

/** `answers`: how many calls Temporal has answered so far. */
export function noteFailure(
  delivery: Delivery,
  { answers, isUnconfirmed }: { readonly answers: number; readonly isUnconfirmed: boolean },
): void {
  delivery.at = Date.now();
  delivery.failures++;
  delivery.chance = Math.random();
  if ((delivery.answers ?? answers) !== answers) delivery.failuresAlone++;
  delivery.answers = answers;
  delivery.isUnconfirmed = isUnconfirmed;
}

/** Whether the workflow that the anchor names needs no more digests. Of another run nothing is known. */
export function isClosed(delivery: Delivery, anchor: AnchorFacts): boolean {
  if (!delivery.run || !isSameRun(delivery.run, anchor)) {
    delivery.run = anchor;
    delivery.isKnown = false;
    delivery.sent = undefined;
    delivery.recordAwaitedFrom = undefined;
    delivery.isDone = false;
  }
  return delivery.isDone;
}
