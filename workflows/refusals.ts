import { ActivityFailure, ApplicationFailure, condition } from '@temporalio/workflow';
import { type PassingRefusal, REFUSED_FOR_NOW } from '../contracts/refusals.ts';
import { doubledPause } from '../language/back-off.ts';
import { summarised } from './summaries.ts';

/** Pauses between tries. A quota is often free a moment after the pods that used it are gone. */
const PAUSE = { firstMs: 1_000, mostMs: 60_000 };

interface Waiting {
  /** Called after each refused try. An error that it throws ends the wait. */
  refused(refusal: PassingRefusal): void;
  /** Returns true to end the pause early. */
  isWoken?(): boolean;
}

/**
 * Runs `work` until the API server accepts it, with a durable timer between tries. `again`: it was tried before. Throws
 * any other error.
 */
export async function retryWhileRefused<T>(
  work: (again: boolean) => Promise<T>,
  waiting: Waiting,
): Promise<T> {
  const { refused, isWoken = () => false } = waiting;
  for (let tried = 1; ; tried++) {
    try {
      return await work(tried > 1);
    } catch (error) {
      const refusal = refusalIn(error);
      if (!refusal) throw error;
      refused(refusal);
      const summary = summarised(`Before try ${tried + 1}: ${refusal.reason}: ${refusal.message}`);
      await condition(isWoken, pauseAfter(tried, refusal), { summary });
    }
  }
}

function refusalIn(error: unknown): PassingRefusal | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (!(cause instanceof ApplicationFailure) || cause.type !== REFUSED_FOR_NOW) return undefined;
  return cause.details?.[0] as PassingRefusal;
}

const pauseAfter = (tried: number, { retryAfterMs = 0 }: PassingRefusal) =>
  Math.max(retryAfterMs, doubledPause(PAUSE, tried));
