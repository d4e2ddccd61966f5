import { EventEmitter } from 'node:events';
import type { Digest } from '../../contracts/digest.ts';
import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import {
  type Delivery,
  type DigestState,
  isClosed,
  moreUrgent,
  noteDelivered,
  noteFailure,
  rest,
  type Sent,
  type Urgency,
} from '../jobs/delivery.ts';
import { digestDueAt, hasChanged, isRecordAwaited, missingRecordDueAt, nextStreak } from '../jobs/due.ts';
import type { WatchedJob } from '../jobs/job.ts';
import { isAwaited } from '../jobs/outline.ts';
import { contentOf, hashOf } from './digest-content.ts';
import { type Lane, Lanes } from './lanes.ts';
import { type SendDigest, UnconfirmedError } from './signal-workflow.ts';

export interface DigestQueueOptions {
  readonly send: SendDigest;
  /** Maximum number of signals in flight, over all jobs. */
  readonly concurrency?: number;
}

interface DigestSource {
  digestOf(job: WatchedJob, anchor: AnchorFacts): Digest;
}

export interface Result {
  /**
   * `gone`: no running workflow has the job's workflow id, and nothing is sent for the job until `resume`. `failed` is
   * retried, `givenUp` is not.
   */
  readonly is: 'delivered' | 'gone' | 'failed' | 'givenUp';
  readonly delayMs: number;
  readonly error?: unknown;
}

/** How many jobs without trouble a watcher that takes over signals in a second. */
const START_PER_SECOND = 25;

/** After about five minutes of failures that are its own, a job whose anchor is gone gets no more signals about it. */
const MOST_FAILURES_ALONE = 10;

/** Sends each workflow the newest digest of its job, with one signal in flight per job, when `digestDueAt` says so. */
export class DigestQueue extends EventEmitter<{ result: [job: WatchedJob, result: Result] }> {
  readonly #store: DigestSource;
  readonly #send: SendDigest;
  readonly #delayed = new Set<Delivery>();
  readonly #queue: Lanes<WatchedJob>;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #failing = new Set<WatchedJob>();
  /** Number of answers of Temporal, to whichever call. */
  #answers = 0;
  #isOpen = false;

  constructor(store: DigestSource, { send, concurrency = 50 }: DigestQueueOptions) {
    super();
    this.#store = store;
    this.#send = send;
    this.#queue = new Lanes(concurrency);
  }

  /** Number of jobs whose last digest could not be sent. */
  get failing(): number {
    return this.#failing.size;
  }

  /** Temporal has answered a call that is not about a job. */
  answered(): void {
    this.#answers++;
  }

  /**
   * Starts sending. Before this call the store may be incomplete. First come jobs whose workflows probably wait for it;
   * the others follow over time, because each digest may wake a workflow that its worker must replay.
   */
  start(jobs: Iterable<WatchedJob>): void {
    this.#isOpen = true;
    const all = [...jobs].filter(({ anchor }) => anchor && !anchor.final);
    const spreadMs = (all.length / START_PER_SECOND) * 1_000;
    for (const job of all) {
      const { phase, deleted } = job.anchor!;
      const isUrgent = deleted || job.answer !== undefined || isAwaited(job.outline, phase);
      job.delivery.spreadMs = Math.random() * spreadMs;
      this.changed(job, isUrgent ? 'now' : 'takenOver');
    }
  }

  /** Stops sending, and waits until the signals in flight have succeeded or failed. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    for (const { timer } of this.#delayed) clearTimeout(timer);
    this.#delayed.clear();
    this.#queue.clear();
    await Promise.all(this.#inFlight);
  }

  changed(job: WatchedJob, urgency: Urgency): void {
    if (!this.#isOpen) return;
    const { delivery } = job;
    delivery.lastChangedAt = Date.now();
    delivery.changedAt ??= delivery.lastChangedAt;
    delivery.urgency = moreUrgent(delivery.urgency, urgency);
    this.#schedule(job);
  }

  /** Sends again to a workflow that seemed to be gone. */
  resume(job: WatchedJob): void {
    const { delivery } = job;
    if (!delivery.isDone) return;
    delivery.isDone = false;
    delivery.sent = undefined;
    this.changed(job, 'soon');
  }

  #schedule(job: WatchedJob): void {
    const { state } = job.delivery;
    if (!this.#isOpen || state === 'inFlight' || state === 'queued') return;
    this.#wakeAt(job, digestDueAt(job));
  }

  #wakeAt(job: WatchedJob, time: number): void {
    const { delivery } = job;
    if (delivery.state === 'timed' && delivery.wakesAt === time) return;
    clearTimeout(delivery.timer);
    delivery.state = 'timed';
    delivery.wakesAt = time;
    this.#delayed.add(delivery);
    // Uses a timer even if the digest is due now: events that arrive together become one digest.
    delivery.timer = setTimeout(() => this.#enqueue(job), Math.max(0, time - Date.now()));
  }

  #enqueue(job: WatchedJob): void {
    this.#delayed.delete(job.delivery);
    job.delivery.state = 'queued';
    this.#queue.add(laneOf(job.delivery), job);
    this.#sendNext();
  }

  #sendNext(): void {
    for (let next = this.#queue.take(); next; next = this.#queue.take()) {
      const { item: job, lane } = next;
      job.delivery.state = 'resting';
      const turn = this.#prepare(job);
      if (turn) this.#follow(job, lane, turn);
    }
  }

  #follow(job: WatchedJob, lane: Lane, turn: Promise<void>): void {
    const { delivery } = job;
    delivery.state = 'inFlight';
    this.#queue.begun(lane);
    const sending = turn.finally(() => {
      this.#queue.ended(lane);
      this.#inFlight.delete(sending);
      delivery.state = 'resting';
      if (delivery.changedAt !== undefined) this.#schedule(job);
      else this.#expectRecord(job);
      this.#sendNext();
    });
    this.#inFlight.add(sending);
  }

  /** Looks again whether the anchor says what the workflow has made of the digest. */
  #expectRecord(job: WatchedJob): void {
    const dueAt = this.#isOpen ? missingRecordDueAt(job) : undefined;
    if (dueAt !== undefined) this.#wakeAt(job, dueAt);
  }

  /** Builds the digest, and sends it if it contains anything new. */
  #prepare(job: WatchedJob): Promise<void> | undefined {
    const { anchor, delivery } = job;
    if (!anchor || anchor.final || isClosed(delivery, anchor)) {
      this.#failing.delete(job);
      return rest(delivery);
    }
    const digest = this.#store.digestOf(job, anchor);
    const { podChanges, resourceVersion } = job;
    const state = { content: contentOf(digest), podChanges, resourceVersion };
    const hash = hashOf(state.content);
    if (!delivery.sent || delivery.isAssumed) {
      if (!job.mayHaveHadPods && isEmpty(digest)) return rest(delivery);
      delivery.isAssumed = anchor.digestHash === hash;
      delivery.sent = delivery.isAssumed ? assumedSent(state, delivery.sent?.at) : undefined;
    }
    const next = { ...state, hadChanged: hasChanged(delivery.sent, state), at: Date.now() };
    const due = digestDueAt(job, next);
    const missingAt = missingRecordDueAt(job);
    const isUnrecorded = missingAt !== undefined && missingAt <= next.at;
    const told = { ...digest, hash, ...(isUnrecorded ? { isUnrecorded } : {}) };
    if (due !== undefined && due <= next.at) return this.#deliver(job, told, next);
    if (!next.hadChanged) rest(delivery);
    if (due !== undefined) this.#wakeAt(job, due);
    return undefined;
  }

  async #deliver(job: WatchedJob, digest: Digest, next: Sent): Promise<void> {
    const { delivery } = job;
    const { changedAt = next.at, run } = delivery;
    rest(delivery);
    delivery.streak = nextStreak(delivery, next.at);
    delivery.at = next.at;
    try {
      const is = await this.#send(run!, digest);
      this.#answers++;
      this.#failing.delete(job);
      noteDelivered(delivery, next);
      const awaitedFrom = digest.isUnrecorded ? next.at : (delivery.recordAwaitedFrom ?? next.at);
      delivery.recordAwaitedFrom = isRecordAwaited(job) ? awaitedFrom : undefined;
      delivery.isDone = is === 'gone' || digest.anchorDeleted;
      this.emit('result', job, { is, delayMs: Date.now() - changedAt });
    } catch (error) {
      const is = this.#failed(job, digest, error);
      if (is === 'failed') delivery.changedAt = changedAt;
      if (this.#isOpen) this.emit('result', job, { is, delayMs: Date.now() - changedAt, error });
    }
  }

  #failed(job: WatchedJob, { anchorDeleted }: Digest, error: unknown): 'failed' | 'givenUp' {
    const { delivery } = job;
    noteFailure(delivery, { answers: this.#answers, isUnconfirmed: error instanceof UnconfirmedError });
    // A scan finds the job if its workflow still runs.
    delivery.isDone = anchorDeleted && delivery.failuresAlone >= MOST_FAILURES_ALONE;
    if (delivery.isDone) this.#failing.delete(job);
    else this.#failing.add(job);
    return delivery.isDone ? 'givenUp' : 'failed';
  }
}

function laneOf({ failures, isKnown }: Delivery): Lane {
  if (failures > 0) return 'failing';
  return isKnown ? 'known' : 'new';
}

/**
 * What an earlier watcher has sent of this content, as its hash on the anchor says. The hash does not cover progress, so
 * the last report may not have been sent: it is due once more.
 */
const assumedSent = (state: DigestState, at = Date.now()): Sent => ({
  ...state,
  content: { ...state.content, progress: state.content.progress && UNKNOWN_PROGRESS },
  hadChanged: false,
  at,
});

const UNKNOWN_PROGRESS = 'unknown';

/** Whether a digest says nothing that the workflow of a new job does not know. */
const isEmpty = ({ attempt, anchorDeleted, goneOf, answers, progressFault }: Digest) =>
  attempt === 0 && !anchorDeleted && [goneOf, answers, progressFault].every((found) => found === undefined);
