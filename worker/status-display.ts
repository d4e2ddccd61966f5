import type { InjectedSinks } from '@temporalio/worker';
import { type ShowStatusRequest, type StatusSink, showStatus } from '../activities/record-status.ts';
import type { Dependencies } from '../activities/support/dependencies.ts';
import { Semaphore } from '../activities/support/semaphore.ts';
import { WrongClusterError } from '../activities/support/verify-cluster.ts';
import { ApiError } from '../cluster/errors.ts';
import { BackOff } from '../language/back-off.ts';
import { pause } from '../language/timers.ts';

const CONCURRENCY = 32;
const PAUSE = { firstMs: 500, mostMs: 30_000 };

/**
 * Writes to anchors what workflows of this worker show (`workflows/publisher.ts`): the newest status of each job, one write
 * per job at a time, until the API server takes or refuses it. What a process that ends has not written is lost: the
 * watcher notices, and tells the workflow.
 */
export class StatusDisplay {
  readonly #tools: Pick<Dependencies, 'cluster' | 'clusterId'>;
  readonly #free = new Semaphore(CONCURRENCY);
  /** By the uid of the anchor. */
  readonly #waiting = new Map<string, ShowStatusRequest>();
  readonly #writing = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(tools: Pick<Dependencies, 'cluster' | 'clusterId'>) {
    this.#tools = tools;
  }

  /** A workflow that is replayed shows nothing. */
  get sinks(): InjectedSinks<{ readonly status: StatusSink }> {
    return { status: { show: { fn: (_, request) => this.show(request), callDuringReplay: false } } };
  }

  show(request: ShowStatusRequest): void {
    const { anchorUid } = request;
    this.#waiting.set(anchorUid, replacing(this.#waiting.get(anchorUid), request));
    if (this.#writing.has(anchorUid)) return;
    const writing = this.#writeAll(anchorUid).finally(() => this.#writing.delete(anchorUid));
    this.#writing.set(anchorUid, writing);
  }

  /** Resolves when everything is written that the API server takes now. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#writing.values());
  }

  async #writeAll(anchorUid: string): Promise<void> {
    const backOff = new BackOff(PAUSE);
    while (this.#waiting.has(anchorUid)) {
      const isSettled = await this.#free.run(() => this.#write(anchorUid));
      if (isSettled) continue;
      if (this.#closing.signal.aborted) return;
      await pause(backOff.next(), this.#closing.signal);
    }
  }

  /** Returns whether it is written, or will never be: the anchor says something newer, is gone, or is in another cluster. */
  async #write(anchorUid: string): Promise<boolean> {
    const request = this.#waiting.get(anchorUid)!;
    this.#waiting.delete(anchorUid);
    try {
      await showStatus(this.#tools, request);
      return true;
    } catch (error) {
      if (error instanceof WrongClusterError) return true;
      if (error instanceof ApiError && REFUSED.has(error.status)) return true;
      this.#waiting.set(anchorUid, replacing(request, this.#waiting.get(anchorUid) ?? request));
      return false;
    }
  }
}

/** The newer one, over what the earlier one would have replaced. */
const replacing = (earlier: ShowStatusRequest | undefined, newer: ShowStatusRequest): ShowStatusRequest =>
  earlier ? { ...newer, over: earlier.over } : newer;

/** Forbidden, gone, too large, and a test of the patch that has failed. */
const REFUSED: ReadonlySet<number> = new Set([403, 404, 413, 422]);
