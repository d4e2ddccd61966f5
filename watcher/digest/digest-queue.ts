import type { Digest } from '../../contracts/digest.ts';
import { type AnchorFacts, isSameRun } from '../anchors/anchor-facts.ts';
import type { Job } from '../jobs/job.ts';
import { contentOf } from './digest-content.ts';
import type { Deliver } from './signal-workflow.ts';
import { dueAt, isNews, nextStreak, type Sent, worthSendingAt } from './throttle.ts';

export interface SenderOptions {
  readonly deliver: Deliver;
  readonly digest: (job: Job, anchor: AnchorFacts) => Digest;
  /** No running workflow has the job's workflow id. Nothing is sent for the job until `resume`. */
  readonly gone: (job: Job) => void;
  readonly told?: (
    result: 'delivered' | 'gone' | 'failed',
    after: { delayMs: number; error?: unknown },
  ) => void;
  /** Signals in flight at most, over all jobs. */
  readonly concurrency?: number;
}

/** What is to be told about one job. Not a queue: the newest digest is built when its turn comes. */
interface Slot {
  readonly job: Job;
  sent?: Sent;
  /** The run of the workflow that `sent` and `closed` are about. */
  run?: AnchorFacts;
  /** The workflow has heard the last word, or is gone. */
  closed: boolean;
  /** When the first event came that is not yet told. */
  heardAt?: number;
  urgent: boolean;
  /** When it was last looked at. */
  at: number;
  failures: number;
  /** Digests that followed each other without a rest. */
  streak: number;
  state: 'resting' | 'timed' | 'queued' | 'inFlight';
  timer?: NodeJS.Timeout;
}

/** Tells each workflow the newest digest of its job: one signal in flight per job, at a pace it can take. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #slots = new WeakMap<Job, Slot>();
  readonly #timed = new Set<Slot>();
  readonly #queue = new Set<Slot>();
  readonly #inFlight = new Set<Promise<void>>();
  #open = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** From now on: before, a picture may have been incomplete. */
  start(jobs: Iterable<Job>): void {
    this.#open = true;
    for (const job of jobs) this.changed(job, false);
  }

  /** Sends nothing more, and waits until what is in flight has been answered or given up. */
  async stop(): Promise<void> {
    this.#open = false;
    for (const slot of this.#timed) clearTimeout(slot.timer);
    this.#timed.clear();
    this.#queue.clear();
    await Promise.all(this.#inFlight);
  }

  changed(job: Job, urgent: boolean): void {
    if (!this.#open) return;
    const slot = this.#slotOf(job);
    slot.heardAt ??= Date.now();
    slot.urgent ||= urgent;
    this.#schedule(slot);
  }

  /** The workflow is there, even if it seemed to be gone. */
  resume(job: Job): void {
    const slot = this.#slotOf(job);
    if (!slot.closed) return;
    slot.closed = false;
    slot.sent = undefined;
    this.changed(job, false);
  }

  #slotOf(job: Job): Slot {
    const known = this.#slots.get(job);
    if (known) return known;
    const slot: Slot = {
      job,
      closed: false,
      urgent: false,
      at: Number.NEGATIVE_INFINITY,
      failures: 0,
      streak: 0,
      state: 'resting',
    };
    this.#slots.set(job, slot);
    return slot;
  }

  #schedule(slot: Slot): void {
    if (!this.#open || slot.state === 'inFlight' || slot.state === 'queued') return;
    this.#wakeAt(slot, dueAt(slot));
  }

  #wakeAt(slot: Slot, time: number): void {
    clearTimeout(slot.timer);
    slot.state = 'timed';
    this.#timed.add(slot);
    // Also when it is due at once: events that arrive together become one digest.
    slot.timer = setTimeout(() => this.#enqueue(slot), Math.max(0, time - Date.now()));
  }

  #enqueue(slot: Slot): void {
    this.#timed.delete(slot);
    slot.state = 'queued';
    this.#queue.add(slot);
    this.#pump();
  }

  #pump(): void {
    for (const slot of this.#queue) {
      if (this.#inFlight.size >= (this.#options.concurrency ?? 50)) return;
      this.#queue.delete(slot);
      slot.state = 'resting';
      const turn = this.#turn(slot);
      if (!turn) continue;
      slot.state = 'inFlight';
      const sending = turn.finally(() => {
        this.#inFlight.delete(sending);
        slot.state = 'resting';
        if (slot.heardAt !== undefined) this.#schedule(slot);
        this.#pump();
      });
      this.#inFlight.add(sending);
    }
  }

  /** Builds the digest and sends it, if it says anything new. */
  #turn(slot: Slot): Promise<void> | undefined {
    const { anchor } = slot.job;
    if (!anchor || anchor.final || this.#isClosed(slot, anchor)) return this.#rest(slot);
    const digest = this.#options.digest(slot.job, anchor);
    const { turnover, revision } = slot.job;
    const look = { content: contentOf(digest), turnover, revision };
    const next = { ...look, wasNews: isNews(slot.sent, look), at: Date.now() };
    const worth = worthSendingAt(slot.sent, next, anchor.watch.rules?.everyMs);
    if (worth === undefined) return this.#rest(slot);
    if (worth > Date.now()) {
      this.#rest(slot);
      this.#wakeAt(slot, worth);
      return undefined;
    }
    return this.#send(slot, digest, next);
  }

  #rest(slot: Slot): undefined {
    slot.heardAt = undefined;
    slot.urgent = false;
  }

  #isClosed(slot: Slot, anchor: AnchorFacts): boolean {
    if (!slot.run || !isSameRun(slot.run, anchor)) {
      slot.run = anchor;
      slot.sent = undefined;
      slot.closed = false;
    }
    return slot.closed;
  }

  async #send(slot: Slot, digest: Digest, next: Sent): Promise<void> {
    const { heardAt = next.at, run } = slot;
    this.#rest(slot);
    slot.streak = nextStreak(slot, next.at);
    slot.at = next.at;
    try {
      const result = await this.#options.deliver(run!, digest);
      slot.failures = 0;
      slot.sent = next;
      slot.closed = result === 'gone' || digest.anchorDeleted;
      this.#options.told?.(result, { delayMs: Date.now() - heardAt });
      if (result === 'gone') this.#options.gone(slot.job);
    } catch (error) {
      slot.failures++;
      slot.at = Date.now();
      slot.heardAt = heardAt;
      if (this.#open) this.#options.told?.('failed', { delayMs: Date.now() - heardAt, error });
    }
  }
}
