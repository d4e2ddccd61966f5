import { BackOff } from '../language/back-off.ts';

interface Entry {
  readonly backOffs: Readonly<Record<Exclude<WorkResult, 'done'>, BackOff>>;
  isRunning: boolean;
  /** Something has changed since it last began to run. */
  isDue: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Whether the work on a key is done, or is to be repeated after a pause that grows. `unlessAdded`: an event will add it, and it
 * is only repeated in case that none comes. `soon`: no event says when, and a client waits for it.
 */
export type WorkResult = 'done' | 'soon' | 'later' | 'unlessAdded';

const PAUSES = {
  soon: { firstMs: 250, mostMs: 2_000 },
  later: { firstMs: 250, mostMs: 30_000 },
  unlessAdded: { firstMs: 1_000, mostMs: 30_000 },
};

/**
 * Runs work for each key that was added, as often as needed and never twice at once. A key that is added while its work runs is
 * due again afterwards.
 */
export class WorkQueue {
  readonly #work: (key: string) => Promise<WorkResult>;
  readonly #most: number;
  readonly #signal: AbortSignal;
  readonly #entries = new Map<string, Entry>();
  readonly #due = new Set<string>();
  #running = 0;

  /** `work` must not throw. At most `most` keys are worked on at once. */
  constructor(
    work: (key: string) => Promise<WorkResult>,
    { most, signal }: { readonly most: number; readonly signal: AbortSignal },
  ) {
    this.#work = work;
    this.#most = most;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#clear(), { once: true });
  }

  /** Keys whose work is due, runs, or waits to be repeated. */
  get size(): number {
    return this.#entries.size;
  }

  add(key: string): void {
    if (this.#signal.aborted) return;
    const entry = this.#entries.get(key) ?? newEntry();
    this.#entries.set(key, entry);
    clearTimeout(entry.timer);
    for (const backOff of Object.values(entry.backOffs)) backOff.reset();
    if (entry.isRunning) entry.isDue = true;
    else this.#due.add(key);
    this.#next();
  }

  #repeat(key: string): void {
    this.#due.add(key);
    this.#next();
  }

  #next(): void {
    for (const key of this.#due) {
      if (this.#running >= this.#most || this.#signal.aborted) return;
      this.#due.delete(key);
      void this.#run(key, this.#entries.get(key)!);
    }
  }

  async #run(key: string, entry: Entry): Promise<void> {
    this.#running++;
    entry.isRunning = true;
    entry.isDue = false;
    const result = await this.#work(key);
    this.#running--;
    entry.isRunning = false;
    if (this.#signal.aborted) return;
    if (entry.isDue) this.#due.add(key);
    else if (result === 'done') this.#entries.delete(key);
    else entry.timer = setTimeout(() => this.#repeat(key), entry.backOffs[result].next());
    this.#next();
  }

  #clear(): void {
    for (const { timer } of this.#entries.values()) clearTimeout(timer);
    this.#entries.clear();
    this.#due.clear();
  }
}

const newEntry = (): Entry => ({
  backOffs: {
    soon: new BackOff(PAUSES.soon),
    later: new BackOff(PAUSES.later),
    unlessAdded: new BackOff(PAUSES.unlessAdded),
  },
  ...{ isRunning: false, isDue: false, timer: undefined },
});
