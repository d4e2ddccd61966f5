import { describe, expect, it } from '@jest/globals';
import { ServerAwayError } from '../../../client/errors/errors.ts';
import { inFlight, MOST_IN_FLIGHT } from '../../../client/servers/in-flight.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Work that ends when the test says so. */
function aWorkplace() {
  const waiting = new Map<number, PromiseWithResolvers<string>>();
  const taken: number[] = [];
  return {
    taken,
    work: (item: number): Promise<string> => {
      taken.push(item);
      const work = Promise.withResolvers<string>();
      waiting.set(item, work);
      return work.promise;
    },
    finish: (item: number) => waiting.get(item)?.resolve(`done ${item}`),
    fail: (item: number, error: unknown) => waiting.get(item)?.reject(error),
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

describe('work in flight', () => {
  it('yields what became of each as it is known, with its place among the items', async () => {
    const { work, finish } = aWorkplace();
    const attempts = inFlight([10, 20, 30], work);
    const first = attempts.next();
    await Promise.resolve();
    for (const item of [30, 10, 20]) {
      setImmediate(() => finish(item));
      const { value } = item === 30 ? await first : await attempts.next();
      expect(value).toEqual({ item, index: item / 10 - 1, value: `done ${item}` });
    }
    expect(await attempts.next()).toEqual({ done: true, value: undefined });
  });

  it('is bounded, and an item is taken only when there is room', async () => {
    const { work, finish, taken } = aWorkplace();
    const attempts = inFlight(numbers(MOST_IN_FLIGHT + 10), work);
    const first = attempts.next();
    await settled();
    expect(taken).toHaveLength(MOST_IN_FLIGHT);
    finish(3);
    await first;
    await settled();
    expect(taken).toEqual(numbers(MOST_IN_FLIGHT + 1));
    await attempts.return(undefined);
  });

  it('continues with the others after an error of one', async () => {
    const boom = new Error('boom');
    const ended = await all(
      inFlight(numbers(50), (item) => (item % 10 === 3 ? Promise.reject(boom) : Promise.resolve(item))),
    );
    expect(ended).toHaveLength(50);
    expect(
      ended
        .filter(({ error }) => error === boom)
        .map(({ index }) => index)
        .sort(),
    ).toEqual([13, 23, 3, 33, 43]);
  });

  it('ends when a server is away, and takes no more items', async () => {
    const { work, fail, taken } = aWorkplace();
    const attempts = inFlight(numbers(100), work);
    const first = attempts.next();
    await settled();
    fail(0, new ServerAwayError('Temporal', 'here'));
    await expect(first).rejects.toThrow('Temporal does not answer at here.');
    for (const item of numbers(MOST_IN_FLIGHT)) fail(item, new Error('late'));
    await settled();
    expect(taken).toHaveLength(MOST_IN_FLIGHT);
  });

  it('ends with the reason of its signal at once', async () => {
    const { work, taken } = aWorkplace();
    const ended = new AbortController();
    const attempts = inFlight(numbers(100), work, { signal: ended.signal });
    const first = attempts.next();
    await settled();
    ended.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    expect(taken).toHaveLength(MOST_IN_FLIGHT);
  });

  it('reads items as they come, and yields results before the last one has come', async () => {
    const second = Promise.withResolvers<void>();
    async function* items() {
      yield 1;
      await second.promise;
      yield 2;
    }
    const attempts = inFlight(items(), async (item) => item * 2);
    expect(await attempts.next()).toMatchObject({ value: { item: 1, value: 2 } });
    second.resolve();
    expect(await attempts.next()).toMatchObject({ value: { item: 2, value: 4 } });
    expect((await attempts.next()).done).toBe(true);
  });

  it('throws the error of the items, after what was taken before', async () => {
    async function* items() {
      yield 1;
      throw new Error('no more');
    }
    await expect(all(inFlight(items(), async (item) => item))).rejects.toThrow('no more');
  });
});

/** Everything that can go on has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
