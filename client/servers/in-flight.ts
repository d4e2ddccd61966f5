import { asError } from '../../language/error-message.ts';
import { ServerAwayError, WorkerAwayError } from '../errors/errors.ts';
import { orAborted } from './abort.ts';

/**
 * How many calls about different jobs a program has under way at once. On two busy cores Temporal's development server
 * started 190 jobs a second with 8, and some 210 with 32 and with 100: more would only queue there.
 */
export const MOST_IN_FLIGHT = 32;

/** What became of one of many. */
export type Settled<T, R> = { readonly item: T; readonly index: number } & (
  | { readonly value: R; readonly error?: undefined }
  | { readonly error: Error; readonly value?: undefined }
);

/**
 * Works on each item, with at most `MOST_IN_FLIGHT` at once, and yields what became of each as it is known. The error of
 * one is that one's. Takes no more items after the caller has left the loop. Throws if a server is away, as then all
 * others would fail, too, and the signal's reason.
 */
export async function* inFlight<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<R>,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<Settled<T, R>> {
  const source = numbered(items);
  const lanes = Array.from({ length: MOST_IN_FLIGHT }, () => attempts(source, work));
  const steps = new Map(lanes.map((lane) => [lane, stepOf(lane)]));
  try {
    while (steps.size > 0) {
      const { lane, next } = await orAborted(Promise.race(steps.values()), signal);
      steps.delete(lane);
      if (next.done) continue;
      if (isAway(next.value.error)) throw next.value.error;
      steps.set(lane, stepOf(lane));
      yield next.value;
    }
  } finally {
    source.return(undefined).catch(() => undefined);
  }
}

interface Numbered<T> {
  readonly item: T;
  readonly index: number;
}

async function* numbered<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<Numbered<T>, undefined> {
  let index = 0;
  for await (const item of items) yield { item, index: index++ };
}

/** One after the other; several of these share a source. */
async function* attempts<T, R>(
  source: AsyncGenerator<Numbered<T>>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<Settled<T, R>> {
  for await (const { item, index } of source) {
    try {
      yield { item, index, value: await work(item) };
    } catch (error) {
      yield { item, index, error: asError(error) };
    }
  }
}

function stepOf<T>(lane: AsyncGenerator<T>) {
  const step = lane.next().then((next) => ({ lane, next }));
  // The caller may have left the loop by then.
  step.catch(() => undefined);
  return step;
}

const isAway = (error: Error | undefined) =>
  error instanceof ServerAwayError || error instanceof WorkerAwayError;
