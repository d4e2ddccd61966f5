import type { Digest } from '../../contracts/digest.ts';
import { type AnchorFacts, isSameRun } from '../anchors/anchor-facts.ts';
import type { WatchedJob } from '../jobs/job.ts';
import { isAwaited, moreUrgent, type Urgency } from '../jobs/outline.ts';
import { contentOf, hashOf } from './digest-content.ts';
import { type Lane, Lanes } from './lanes.ts';
import { itemDueAt, newItem, noteAnswer, noteFailure, type QueueItem, signalLaneOf } from './queue-item.ts';
import type { SendDigest } from './signal-workflow.ts';
import { hasChanged, nextSendAt, nextStreak, type Sent } from './throttle.ts';

export interface DigestQueueOptions {
  readonly send: SendDigest;
  readonly digest: (job: WatchedJob, anchor: AnchorFacts) => Digest;
  /** No running workflow has the job's workflow id. Nothing is sent for the job until `resume`. */
  readonly onWorkflowNotFound: (job: WatchedJob) => void;
  /** `failed` is retried, `givenUp` is not. */
  readonly onResult?: (
    result: 'delivered' | 'gone' | 'failed' | 'givenUp',
    after: { readonly job: WatchedJob; readonly delayMs: number; readonly error?: unknown },
  ) => void;
  /** Maximum number of signals in flight, over all jobs. */
  readonly concurrency?: number;
}

/** How many jobs without trouble a watcher that takes over tells of in a second. */
const START_PER_SECOND = 25;

/** After about five minutes of failures that are its own, a job whose anchor is gone is not told of it any more. */
const MOST_FAILURES_ALONE = 10;

/** Sends each workflow the newest digest of its job, throttled, with one signal in flight per job. */
export class DigestQueue {
  readonly #options: DigestQueueOptions;
  readonly #items = new WeakMap<WatchedJob, QueueItem>();
  readonly #delayed = new Set<QueueItem>();
  readonly #queue: Lanes<QueueItem>;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #failing = new Set<QueueItem>();
  /** Number of answers of Temporal, to whichever call. */
  #answers = 0;
  #isOpen = false;

  constructor(options: DigestQueueOptions) {
    this.#options = options;
    this.#queue = new Lanes(options.concurrency ?? 50);
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
      const slot = this.#itemOf(job);
      slot.changedAt = Date.now();
      const { phase, deleted } = job.anchor!;
      if (deleted || job.answer || isAwaited(job.outline, phase)) this.changed(job, 'now');
      else this.#wakeAt(slot, Date.now() + Math.random() * spreadMs);
    }
  }

  /** Stops sending, and waits until the signals in flight have succeeded or failed. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    for (const slot of this.#delayed) clearTimeout(slot.timer);
    this.#delayed.clear();
    this.#queue.clear();
    await Promise.all(this.#inFlight);
  }

  changed(job: WatchedJob, urgency: Urgency): void {
    if (!this.#isOpen) return;
    const slot = this.#itemOf(job);
    slot.lastChangedAt = Date.now();
    slot.changedAt ??= slot.lastChangedAt;
    slot.urgency = moreUrgent(slot.urgency, urgency);
    this.#schedule(slot);
  }

  /** Sends again to a workflow that seemed to be gone. */
  resume(job: WatchedJob): void {
    const slot = this.#itemOf(job);
    if (!slot.isDone) return;
    slot.isDone = false;
    slot.sent = undefined;
    this.changed(job, 'soon');
  }

  #itemOf(job: WatchedJob): QueueItem {
    const known = this.#items.get(job);
    if (known) return known;
    const slot = newItem(job, this.#answers);
    this.#items.set(job, slot);
    return slot;
  }

  #schedule(slot: QueueItem): void {
    if (!this.#isOpen || slot.state === 'inFlight' || slot.state === 'queued') return;
    this.#wakeAt(slot, itemDueAt(slot));
  }

  #wakeAt(slot: QueueItem, time: number): void {
    clearTimeout(slot.timer);
    slot.state = 'timed';
    this.#delayed.add(slot);
    // Uses a timer even if the digest is due now: events that arrive together become one digest.
    slot.timer = setTimeout(() => this.#enqueue(slot), Math.max(0, time - Date.now()));
  }

  #enqueue(slot: QueueItem): void {
    this.#delayed.delete(slot);
    slot.state = 'queued';
    this.#queue.add(signalLaneOf(slot), slot);
    this.#sendNext();
  }

  #sendNext(): void {
    for (let next = this.#queue.take(); next; next = this.#queue.take()) {
      const { item: slot, lane } = next;
      slot.state = 'resting';
      const turn = this.#prepare(slot);
      if (turn) this.#follow(slot, lane, turn);
    }
  }

  #follow(slot: QueueItem, lane: Lane, turn: Promise<void>): void {
    slot.state = 'inFlight';
    this.#queue.begun(lane);
    const sending = turn.finally(() => {
      this.#queue.ended(lane);
      this.#inFlight.delete(sending);
      slot.state = 'resting';
      if (slot.changedAt !== undefined) this.#schedule(slot);
      this.#sendNext();
    });
    this.#inFlight.add(sending);
  }

  /** Builds the digest, and sends it if it contains anything new. */
  #prepare(slot: QueueItem): Promise<void> | undefined {
    const { anchor } = slot.job;
    if (!anchor || anchor.final || this.#isClosed(slot, anchor)) {
      this.#failing.delete(slot);
      return this.#rest(slot);
    }
    const { heldUntil = 0 } = slot.job;
    if (heldUntil > Date.now()) {
      this.#wakeAt(slot, heldUntil);
      return undefined;
    }
    const digest = this.#options.digest(slot.job, anchor);
    const { podChanges, resourceVersion, isNew } = slot.job;
    const look = { content: contentOf(digest), podChanges, resourceVersion };
    const hash = hashOf(look.content);
    if (!slot.sent || slot.isAssumed) {
      if (isNew && isEmpty(digest)) return this.#rest(slot);
      slot.isAssumed = anchor.digestHash === hash;
      slot.sent = slot.isAssumed ? assumedSent(look, slot.sent?.at) : undefined;
    }
    const next = { ...look, hadChanged: hasChanged(slot.sent, look), at: Date.now() };
    const { everyMs } = anchor.watch.rules ?? {};
    const worth = nextSendAt(slot.sent, next, { everyMs, phase: anchor.phase });
    if (worth === undefined) return this.#rest(slot);
    if (worth > Date.now()) {
      this.#rest(slot);
      this.#wakeAt(slot, worth);
      return undefined;
    }
    return this.#send(slot, { ...digest, hash }, next);
  }

  #rest(slot: QueueItem): undefined {
    slot.changedAt = undefined;
    slot.urgency = 'atLeisure';
  }

  #isClosed(slot: QueueItem, anchor: AnchorFacts): boolean {
    if (!slot.run || !isSameRun(slot.run, anchor)) {
      slot.run = anchor;
      slot.isKnown = false;
      slot.sent = undefined;
      slot.isDone = false;
    }
    return slot.isDone;
  }

  async #send(slot: QueueItem, digest: Digest, next: Sent): Promise<void> {
    const { changedAt = next.at, run } = slot;
    this.#rest(slot);
    slot.streak = nextStreak(slot, next.at);
    slot.at = next.at;
    try {
      const result = await this.#options.send(run!, digest);
      noteAnswer(slot);
      this.#failing.delete(slot);
      slot.sent = next;
      slot.isAssumed = false;
      slot.isDone = result === 'gone' || digest.anchorDeleted;
      this.#answers++;
      this.#options.onResult?.(result, { job: slot.job, delayMs: Date.now() - changedAt });
      if (result === 'gone') this.#options.onWorkflowNotFound(slot.job);
    } catch (error) {
      slot.at = Date.now();
      const result = this.#failed(slot, digest, error);
      if (result === 'failed') slot.changedAt = changedAt;
      const delayMs = Date.now() - changedAt;
      if (this.#isOpen) this.#options.onResult?.(result, { job: slot.job, delayMs, error });
    }
  }

  #failed(slot: QueueItem, digest: Digest, error: unknown): 'failed' | 'givenUp' {
    noteFailure(slot, this.#answers, error);
    // A scan finds the job if its workflow still runs.
    slot.isDone = digest.anchorDeleted && slot.failuresAlone >= MOST_FAILURES_ALONE;
    if (slot.isDone) this.#failing.delete(slot);
    else this.#failing.add(slot);
    return slot.isDone ? 'givenUp' : 'failed';
  }
}

/**
 * What an earlier watcher has sent of this content, as its hash on the anchor says. The hash does not cover progress, so
 * the last report may not have been sent: it is due once more.
 */
const assumedSent = (
  look: Pick<Sent, 'content' | 'podChanges' | 'resourceVersion'>,
  at = Date.now(),
): Sent => ({
  ...look,
  content: { ...look.content, progress: look.content.progress && UNKNOWN_PROGRESS },
  hadChanged: false,
  at,
});

const UNKNOWN_PROGRESS = 'unknown';

/** Whether a digest says nothing that the workflow of a new job does not know. */
const isEmpty = ({ attempt, anchorDeleted, goneOf, answers, progressFault }: Digest) =>
  attempt === 0 && !anchorDeleted && [goneOf, answers, progressFault].every((found) => found === undefined);
