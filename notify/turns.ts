import { DeliveryError } from './delivery/delivery-error.ts';

/**
 * So many messages are on their way to one receiver. A receiver that hangs keeps each for as long as an answer may take: with
 * more, those of all others would wait for a slot of the process.
 */
const MOST_AT_ONCE = 2;
/** When to come again where the receiver is busy. */
const AGAIN_MS = 5_000;

/** Whose turn it is, by receiver. Times are of a clock that does not jump, in milliseconds. */
export class Turns {
  readonly #next = new Map<string, number>();
  readonly #busy = new Map<string, number>();

  /** Runs `send`, with a pause of at least `leastMs` after the message before. Throws `AwaitsTurn` instead of waiting. */
  async take<T>(
    to: string,
    { leastMs, now }: { readonly leastMs: number; readonly now: number },
    send: () => Promise<T>,
  ): Promise<T> {
    const busy = this.#busy.get(to) ?? 0;
    if (busy >= MOST_AT_ONCE) throw new AwaitsTurn(AGAIN_MS);
    const next = this.#next.get(to) ?? 0;
    if (next > now) throw new AwaitsTurn(next - now);
    this.#next.set(to, now + leastMs);
    this.#busy.set(to, busy + 1);
    try {
      return await send();
    } finally {
      this.#busy.set(to, this.#busy.get(to)! - 1);
    }
  }
}

/** Not a failure: other messages go to the receiver just now. */
export class AwaitsTurn extends DeliveryError {
  constructor(ms: number) {
    super('the receiver gets other messages first', { retryAfterMs: ms });
  }
}
