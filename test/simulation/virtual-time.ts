import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

/** Who set a timer: timers of a dead process never fire, and those of a paused one fire when it goes on. */
export interface Owner {
  readonly isDead: boolean;
  readonly isPaused: boolean;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly owner: Owner | undefined;
  readonly fire: () => void;
  readonly everyMs?: number;
}

/** Within `run`, everything belongs to this process. */
export const processNow = new AsyncLocalStorage<Owner>();

/** What setTimeout returns. */
class Handle {
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }

  ref = () => this;
  unref = () => this;
  hasRef = () => true;
  refresh = () => this;
  [Symbol.toPrimitive] = () => this.id;
}

const REAL = {
  Date,
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  random: Math.random,
  elapsed: performance.now,
  delay: timersPromises.setTimeout,
};

/** The clock, the timers and the dice of everything in this process, in place of the machine's. */
export class VirtualTime {
  /** Epoch milliseconds. */
  now: number;
  readonly #startedAt: number;
  readonly #random: () => number;
  readonly #timers = new Map<number, Timer>();
  #lastId = 0;

  constructor(now: number, random: () => number) {
    this.now = now;
    this.#startedAt = now;
    this.#random = random;
  }

  install(): void {
    const time = this;
    class VirtualDate extends REAL.Date {
      constructor(...given: unknown[]) {
        super(...((given.length > 0 ? given : [time.now]) as [number]));
      }
      static override now = () => time.now;
    }
    globalThis.Date = VirtualDate as DateConstructor;
    const set =
      (everyMs?: number) =>
      (fire: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
        new Handle(
          this.#add(() => fire(...args), Number(ms), everyMs === undefined ? undefined : Number(ms)),
        );
    globalThis.setTimeout = set() as unknown as typeof setTimeout;
    globalThis.setInterval = set(1) as unknown as typeof setInterval;
    globalThis.clearTimeout = this.#clear as typeof clearTimeout;
    globalThis.clearInterval = this.#clear as typeof clearInterval;
    performance.now = () => this.now - this.#startedAt;
    Math.random = this.#random;
    timersPromises.setTimeout = this.#delay as typeof timersPromises.setTimeout;
    syncBuiltinESMExports();
  }

  uninstall(): void {
    globalThis.Date = REAL.Date;
    globalThis.setTimeout = REAL.setTimeout;
    globalThis.setInterval = REAL.setInterval;
    globalThis.clearTimeout = REAL.clearTimeout;
    globalThis.clearInterval = REAL.clearInterval;
    performance.now = REAL.elapsed;
    Math.random = REAL.random;
    timersPromises.setTimeout = REAL.delay;
    syncBuiltinESMExports();
    this.#timers.clear();
  }

  /** When the next timer fires of a process that is able to; undefined without one. */
  nextAt(): number | undefined {
    let next: number | undefined;
    for (const { at, owner } of this.#timers.values()) {
      if (owner?.isPaused || owner?.isDead) continue;
      if (next === undefined || at < next) next = at;
    }
    return next;
  }

  /** Runs what is due at the present time, the earliest first. Returns whether anything was. */
  fireDue(): boolean {
    const due = [...this.#timers]
      .filter(([, { at, owner }]) => at <= this.now && !owner?.isPaused)
      .sort(([, one], [, other]) => one.at - other.at || one.order - other.order);
    for (const [id, timer] of due) this.#fire(id, timer);
    return due.length > 0;
  }

  #fire(id: number, { everyMs, owner, fire, ...timer }: Timer): void {
    // An earlier one may have cleared it.
    if (!this.#timers.has(id)) return;
    this.#timers.delete(id);
    if (owner?.isDead) return;
    if (everyMs !== undefined)
      this.#timers.set(id, { ...timer, everyMs, owner, fire, at: this.now + Math.max(1, everyMs) });
    fire();
  }

  #add(fire: () => void, ms: number, everyMs?: number): number {
    const id = ++this.#lastId;
    const at = this.now + Math.max(0, Number.isFinite(ms) ? ms : 0);
    const owner = processNow.getStore();
    // Whoever waits goes on in its own process.
    const bound = AsyncLocalStorage.bind(fire);
    this.#timers.set(id, { at, order: id, owner, fire: bound, everyMs });
    return id;
  }

  #clear = (handle: unknown): void => {
    const id = handle instanceof Handle ? handle.id : Number(handle);
    this.#timers.delete(id);
  };

  #delay = <T>(ms = 0, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      const abort = () => {
        this.#timers.delete(id);
        reject(
          Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }),
        );
      };
      const id = this.#add(() => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      }, ms);
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
}

/** Lets everything run that waits for nothing but its turn. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
