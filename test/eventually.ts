import { setTimeout as delay } from 'node:timers/promises';

/** Gives the answer, or nothing while there is none; an error counts as nothing, and is told if it is the last word. */
export type Ask<T> = () => Promise<T | undefined | false> | T | undefined | false;

/**
 * Asks again and again until there is an answer, and gives it. The time is a bound for a broken system, not a
 * measurement: a fact that holds is found within a poll.
 */
export async function eventually<T>(
  what: string,
  ask: Ask<T>,
  { withinMs = 60_000, everyMs = 50 }: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const until = Date.now() + withinMs;
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
    await delay(everyMs);
  }
}
