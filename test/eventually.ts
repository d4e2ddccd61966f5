import { setTimeout as delay } from 'node:timers/promises';

/** Gives the answer, or nothing while there is none; an error counts as nothing, and is told if it is the last word. */
export type Ask<T> = () => Promise<T | undefined | false> | T | undefined | false;

/**
 * Asks again and again until there is an answer, and gives it. The time is a bound for a broken system, not a
 * measurement. Without `everyMs` the pauses grow with the time waited: whoever asks a workflow twenty times a second
 * takes the processor from what is waited for.
 */
export async function eventually<T>(
  what: string,
  ask: Ask<T>,
  { withinMs = 120_000, everyMs }: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const since = Date.now();
  const until = since + withinMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > until) {
      const why = last instanceof Error ? `: ${last.message}` : '';
      throw new Error(`timed out after ${withinMs / 1000} s waiting until ${what}${why}`);
    }
    await delay(everyMs ?? pauseAfter(Date.now() - since));
  }
}

/** A tenth of the time waited, within limits: the answer is seen that much later at most. */
const pauseAfter = (waitedMs: number) => Math.min(Math.max(waitedMs / 10, PAUSE.leastMs), PAUSE.mostMs);

const PAUSE = { leastMs: 20, mostMs: 250 } as const;
