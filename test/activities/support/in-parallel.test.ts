import { expect, it } from '@jest/globals';
import { allOrAbort, inParallel } from '../../../activities/support/in-parallel.ts';

const items = Array.from({ length: 20 }, (_, index) => index);
const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('runs everything, with no more in progress than the limit allows', async () => {
  let underWay = 0;
  let most = 0;
  const done: number[] = [];
  await inParallel(items, { limit: 4, signal: never }, async (item) => {
    most = Math.max(most, ++underWay);
    await turn();
    underWay--;
    done.push(item);
  });
  expect(most).toBe(4);
  expect(done.sort((a, b) => a - b)).toEqual(items);
});

it('starts nothing after a failure, and awaits what is in progress before it throws', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = inParallel(items, { limit: 3, signal: never }, async (item) => {
    begun.push(item);
    await turn();
    if (item === 1) throw new Error('no');
    await turn();
    ended.push(item);
  });
  await expect(work).rejects.toThrow('no');
  expect(begun).toEqual([0, 1, 2]);
  expect(ended).toEqual([0, 2]);
});

it('starts nothing after it is aborted', async () => {
  const abort = new AbortController();
  const begun: number[] = [];
  const work = inParallel(items, { limit: 2, signal: abort.signal }, async (item) => {
    begun.push(item);
    abort.abort(new Error('cancelled'));
    await turn();
  });
  await expect(work).rejects.toThrow('cancelled');
  expect(begun).toEqual([0]);
});

it('resolves for an empty list', async () => {
  await inParallel([], { limit: 4, signal: never }, () => Promise.reject(new Error('called')));
});

it('awaits all parts that were started together, also when one fails', async () => {
  const ended: string[] = [];
  const slow = turn()
    .then(turn)
    .then(() => ended.push('slow'));
  await expect(allOrAbort(Promise.reject(new Error('no')), slow)).rejects.toThrow('no');
  expect(ended).toEqual(['slow']);
  await expect(allOrAbort(Promise.resolve(1), Promise.resolve('a'))).resolves.toEqual([1, 'a']);
});
