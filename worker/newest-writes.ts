import { Semaphore } from '../activities/support/semaphore.ts';
import { WrongClusterError } from '../activities/support/verify-cluster.ts';
import { ApiError } from '../cluster/errors.ts';
import { BackOff } from '../language/back-off.ts';
import { pause } from '../language/timers.ts';

const CONCURRENCY = 32;
const PAUSE = { firstMs: 500, mostMs: 30_000 };

/** After a write that may be one of many. */
const REST_MS = 1_000;

interface OfJob {
  readonly anchorUid: string;
  readonly isRecount?: true;
}

/**
 * Writes what workflows of this worker hand over to it without an activity: the newest of each job, one write per job at a
 * time, until the API server takes or refuses it. What a process that ends has not written is lost.
 */
export class NewestWrites<Request extends OfJob> {
  readonly #write: (request: Request) => Promise<void>;
  readonly #replacing: (earlier: Request, newer: Request) => Request;
  readonly #free = new Semaphore(CONCURRENCY);
  /** By the uid of the anchor. */
  readonly #waiting = new Map<string, Request>();
  readonly #writing = new Map<string, Promise<void>>();
  readonly #resting = new Map<string, AbortController>();
  readonly #closing = new AbortController();

  /** `replacing`: what is written of two requests. */
  constructor(
    write: (request: Request) => Promise<void>,
    replacing: (earlier: Request, newer: Request) => Request = (_, newer) => newer,
  ) {
    this.#write = write;
    this.#replacing = replacing;
  }

  add(request: Request): void {
    const { anchorUid } = request;
    const earlier = this.#waiting.get(anchorUid);
    this.#waiting.set(anchorUid, earlier ? this.#replacing(earlier, request) : request);
    if (!request.isRecount) this.#resting.get(anchorUid)?.abort();
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
      const { isRecount } = this.#waiting.get(anchorUid)!;
      const isSettled = await this.#free.run(() => this.#tryOnce(anchorUid));
      if (isSettled && isRecount) await this.#rest(anchorUid);
      if (isSettled) continue;
      if (this.#closing.signal.aborted) return;
      await pause(backOff.next(), this.#closing.signal);
    }
  }

  /** Something that is no recount is written at once. */
  async #rest(anchorUid: string): Promise<void> {
    const rest = new AbortController();
    this.#resting.set(anchorUid, rest);
    await pause(REST_MS, AbortSignal.any([rest.signal, this.#closing.signal]));
    this.#resting.delete(anchorUid);
  }

  /** Returns whether it is written, or will never be: something newer is there, it is gone, or it is in another cluster. */
  async #tryOnce(anchorUid: string): Promise<boolean> {
    const request = this.#waiting.get(anchorUid)!;
    this.#waiting.delete(anchorUid);
    try {
      await this.#write(request);
      return true;
    } catch (error) {
      if (error instanceof WrongClusterError) return true;
      if (error instanceof ApiError && REFUSED.has(error.status)) return true;
      const newer = this.#waiting.get(anchorUid);
      this.#waiting.set(anchorUid, newer ? this.#replacing(request, newer) : request);
      return false;
    }
  }
}

/** Forbidden, gone, too large, and a test of the patch that has failed. */
const REFUSED: ReadonlySet<number> = new Set([403, 404, 413, 422]);
