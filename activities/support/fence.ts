import { asyncLocalStorage, type Context } from '@temporalio/activity';
import {
  ActivityCancelledError,
  ActivityNotFoundError,
  ActivityPausedError,
  ActivityResetError,
  type Client,
} from '@temporalio/client';
import { FencedError } from '../../cluster/errors.ts';
import { FENCE } from '../../contracts/timing.ts';

/**
 * Lets an activity write only while Temporal confirms that the activity is still its own. The SDK's heartbeats do not
 * prove that: they count as sent even if the server did not receive them, and a paused process resumes where it was.
 * Resolves before a write to a check to run when the request is sent, because the write may wait for a connection. A process
 * that is paused just before it sends a request still sends it when it continues: the watcher removes what that creates
 * for an ended job.
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
  #confirmedAt: Moment;
  #asking: Promise<void> | undefined;
  #lost: FencedError | undefined;

  constructor(temporal: Client, { info }: Context) {
    this.#temporal = temporal;
    this.#taskToken = info.taskToken;
    // The process may have been paused between the scheduling of the activity and its start.
    this.#confirmedAt = {
      ...momentOf(),
      wall: Math.min(Date.now(), info.currentAttemptScheduledTimestampMs),
    };
  }

  /** Asks Temporal if its last confirmation is too old. */
  async hold(): Promise<void> {
    if (this.#lost) throw this.#lost;
    if (ageOf(this.#confirmedAt) > FENCE.trustedMs) await this.#ask();
    else if (ageOf(this.#confirmedAt) > FENCE.renewMs) void this.#ask();
    this.check();
  }

  check(): void {
    if (this.#lost) throw this.#lost;
    if (ageOf(this.#confirmedAt) <= FENCE.trustedMs) return;
    throw new FencedError(
      'nothing was written: Temporal has not confirmed that this worker still owns the activity',
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
      await this.#temporal.withDeadline(Date.now() + FENCE.answerMs, () =>
        activity.heartbeat(this.#taskToken),
      );
      this.#confirmedAt = asked;
    } catch (error) {
      if (error instanceof ActivityNotFoundError) {
        this.#lost = new FencedError(
          'nothing was written: Temporal has assigned the activity to another worker',
        );
      } else if (isAnswer(error)) this.#confirmedAt = asked;
    }
  }
}

/** The activity is to be cancelled, paused or reset: Temporal still knows it, and the SDK handles the request. */
const isAnswer = (error: unknown) =>
  error instanceof ActivityCancelledError ||
  error instanceof ActivityPausedError ||
  error instanceof ActivityResetError;

/** A suspended machine shows on one of the clocks, or on neither: then the next response shows it. */
interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

const momentOf = (): Moment => ({ monotonic: performance.now(), wall: Date.now() });

const ageOf = ({ monotonic, wall }: Moment) => Math.max(performance.now() - monotonic, Date.now() - wall);
