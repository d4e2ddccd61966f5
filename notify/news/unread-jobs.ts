import { BackOff } from '../../language/back-off.ts';

const PAUSE = { firstMs: 2_000, mostMs: 10 * 60_000 } as const;
/** So long a job that cannot be read keeps later looks from going on behind it. */
const HOLD_MS = 60 * 60_000;

interface Unread {
  readonly since: number;
  readonly pauses: BackOff;
  readonly nextAt: number;
  readonly isGivenUp: boolean;
}

/** Jobs whose histories cannot be read: they are tried with longer and longer pauses, and in the end given up. */
export class UnreadJobs {
  /** By run. Times in epoch milliseconds. */
  readonly #runs = new Map<string, Unread>();

  /** Whether it is not to be tried yet. */
  waits(runId: string, now: number): boolean {
    return (this.#runs.get(runId)?.nextAt ?? now) > now;
  }

  /** Returns whether it is given up with this: what it is about may be lost, or told later. */
  failed(runId: string, now: number): boolean {
    const before = this.#runs.get(runId);
    const { since = now, pauses = new BackOff(PAUSE) } = before ?? {};
    const isGivenUp = now - since >= HOLD_MS;
    this.#runs.set(runId, { since, pauses, nextAt: now + pauses.next(), isGivenUp });
    return isGivenUp && !before?.isGivenUp;
  }

  read(runId: string): void {
    this.#runs.delete(runId);
  }

  keepOnly(runs: ReadonlySet<string>): void {
    for (const runId of this.#runs.keys()) if (!runs.has(runId)) this.#runs.delete(runId);
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Whether a look has to come back to one of them. */
  get areAwaited(): boolean {
    return [...this.#runs.values()].some(({ isGivenUp }) => !isGivenUp);
  }
}
