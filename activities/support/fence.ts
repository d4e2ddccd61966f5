import { asyncLocalStorage, type Context } from '@temporalio/activity';
import {
  ActivityCancelledError,
  ActivityNotFoundError,
  ActivityPausedError,
  ActivityResetError,
  type Client,
} from '@temporalio/client';
import { FencedError } from '../../cluster/errors.ts';

/**
 * Temporal gives an activity to another worker when it has heard nothing of it for 10 s (workflows/activity-options.ts).
 * Writes end before: what is on its way to the API server by then has the rest of that time to arrive.
 */
const TRUSTED_MS = 6_000;
/** Asked again so often, beside the work. */
const RENEW_MS = 2_000;
const ANSWER_MS = 3_000;

/**
 * Lets an activity write only while Temporal acknowledges that it is still its own. The SDK's heartbeats cannot tell:
 * they count as sent, whether or not the server has heard them, and a process that was stopped for a while goes on where
 * it was. Gives, before a write, a check to be made as it is sent: it may have waited for a connection.
 */
export function fenceBy(temporal: Client): () => Promise<() => void> {
  const leases = new WeakMap<Context, Lease>();
  return async () => {
    const context = asyncLocalStorage.getStore();
    if (!context) return () => undefined;
    const lease = leases.get(context) ?? new Lease(temporal, context);
    leases.set(context, lease);
    await lease.hold();
    return () => lease.check();
  };
}

class Lease {
  readonly #temporal: Client;
  readonly #taskToken: Uint8Array;
  #heard: Moment;
  #asking: Promise<void> | undefined;
  #lost: FencedError | undefined;

  constructor(temporal: Client, { info }: Context) {
    this.#temporal = temporal;
    this.#taskToken = info.taskToken;
    // It may have lain in a process that was stopped before it began.
    this.#heard = { ...momentOf(), wall: Math.min(Date.now(), info.currentAttemptScheduledTimestampMs) };
  }

  /** Asks Temporal where its last word is too old. */
  async hold(): Promise<void> {
    if (this.#lost) throw this.#lost;
    if (ageOf(this.#heard) > TRUSTED_MS) await this.#ask();
    else if (ageOf(this.#heard) > RENEW_MS) void this.#ask();
    this.check();
  }

  check(): void {
    if (this.#lost) throw this.#lost;
    if (ageOf(this.#heard) <= TRUSTED_MS) return;
    throw new FencedError(
      'nothing was written: Temporal does not acknowledge that the activity is still this worker’s',
    );
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#renew().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #renew(): Promise<void> {
    const asked = momentOf();
    const { activity } = this.#temporal;
    try {
      await this.#temporal.withDeadline(Date.now() + ANSWER_MS, () => activity.heartbeat(this.#taskToken));
      this.#heard = asked;
    } catch (error) {
      if (error instanceof ActivityNotFoundError) {
        this.#lost = new FencedError(
          'nothing was written: Temporal has given the activity to another worker',
        );
      } else if (isAnswer(error)) this.#heard = asked;
    }
  }
}

/** It is to be cancelled, paused or reset: known, and heard of by the SDK. */
const isAnswer = (error: unknown) =>
  error instanceof ActivityCancelledError ||
  error instanceof ActivityPausedError ||
  error instanceof ActivityResetError;

/** A machine that was suspended shows on one of the clocks, or on none: then on the next answer. */
interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

const momentOf = (): Moment => ({ monotonic: performance.now(), wall: Date.now() });

const ageOf = ({ monotonic, wall }: Moment) => Math.max(performance.now() - monotonic, Date.now() - wall);
