import type { Digest } from '../../contracts/digest.ts';
import { type AnchorFacts, isSameRun } from '../anchors/anchor-facts.ts';
import type { WatchedJob } from '../jobs/job.ts';
import { isAwaited, moreUrgent, type Urgency } from '../jobs/outline.ts';
import { contentOf, hashOf } from './digest-content.ts';
import type { SendDigest } from './signal-workflow.ts';
import { digestDueAt, hasChanged, nextSendAt, nextStreak, type Sent } from './throttle.ts';

export interface DigestQueueOptions {
  readonly send: SendDigest;
  readonly digest: (job: WatchedJob, anchor: AnchorFacts) => Digest;
  /** No running workflow has the job's workflow id. Nothing is sent for the job until `resume`. */
  readonly onWorkflowNotFound: (job: WatchedJob) => void;
  readonly onResult?: (
    result: 'delivered' | 'gone' | 'failed',
    after: { delayMs: number; error?: unknown },
  ) => void;
  /** Maximum number of signals in flight, over all jobs. */
  readonly concurrency?: number;
}

/** The sending state of one job. It holds no digest: the newest one is built when the job's turn comes. */
interface QueueItem {
  readonly job: WatchedJob;
  sent?: Sent;
  /** `sent` was not sent by this watcher: the anchor names the hash of its content. */
  isAssumed: boolean;
  /** The workflow run that `sent` and `isDone` refer to. */
  run?: AnchorFacts;
  /** The workflow has received its last digest, or is gone. */
  isDone: boolean;
  /** Time of the first event that is not sent yet. */
  changedAt?: number;
  /** Time of the last event. */
  lastChangedAt: number;
  urgency: Urgency;
  /** Time of the last send. */
  at: number;
  failures: number;
  /** Number of digests that followed each other without a rest. */
  streak: number;
  state: 'resting' | 'timed' | 'queued' | 'inFlight';
  timer?: NodeJS.Timeout;
}

/** How many jobs without trouble a watcher that takes over tells of in a second. */
const START_PER_SECOND = 25;

/** Sends each workflow the newest digest of its job, throttled, with one signal in flight per job. */
export class DigestQueue {
  readonly #options: DigestQueueOptions;
  readonly #items = new WeakMap<WatchedJob, QueueItem>();
  readonly #delayed = new Set<QueueItem>();
  readonly #queue = new Set<QueueItem>();
  readonly #inFlight = new Set<Promise<void>>();
  #isOpen = false;

  constructor(options: DigestQueueOptions) {
    this.#options = options;
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
    const slot: QueueItem = {
      job,
      isAssumed: false,
      isDone: false,
      urgency: 'atLeisure',
      lastChangedAt: Number.NEGATIVE_INFINITY,
      at: Number.NEGATIVE_INFINITY,
      failures: 0,
      streak: 0,
      state: 'resting',
    };
    this.#items.set(job, slot);
    return slot;
  }

  #schedule(slot: QueueItem): void {
    if (!this.#isOpen || slot.state === 'inFlight' || slot.state === 'queued') return;
    this.#wakeAt(slot, digestDueAt({ ...slot, changedAt: slot.changedAt ?? Date.now() }));
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
    this.#queue.add(slot);
    this.#sendNext();
  }

  #sendNext(): void {
    for (const slot of this.#queue) {
      if (this.#inFlight.size >= (this.#options.concurrency ?? 50)) return;
      this.#queue.delete(slot);
      slot.state = 'resting';
      const turn = this.#prepare(slot);
      if (!turn) continue;
      slot.state = 'inFlight';
      const sending = turn.finally(() => {
        this.#inFlight.delete(sending);
        slot.state = 'resting';
        if (slot.changedAt !== undefined) this.#schedule(slot);
        this.#sendNext();
      });
      this.#inFlight.add(sending);
    }
  }

  /** Builds the digest, and sends it if it contains anything new. */
  #prepare(slot: QueueItem): Promise<void> | undefined {
    const { anchor } = slot.job;
    if (!anchor || anchor.final || this.#isClosed(slot, anchor)) return this.#rest(slot);
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
      slot.failures = 0;
      slot.sent = next;
      slot.isAssumed = false;
      slot.isDone = result === 'gone' || digest.anchorDeleted;
      this.#options.onResult?.(result, { delayMs: Date.now() - changedAt });
      if (result === 'gone') this.#options.onWorkflowNotFound(slot.job);
    } catch (error) {
      slot.failures++;
      slot.at = Date.now();
      slot.changedAt = changedAt;
      if (this.#isOpen) this.#options.onResult?.('failed', { delayMs: Date.now() - changedAt, error });
    }
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
