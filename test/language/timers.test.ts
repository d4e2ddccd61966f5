import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { callAfter, pause, timeoutSignal, unlessLate } from '../../language/timers.ts';

const DAY_MS = 86_400_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a signal aborts after a time that is longer than the limit of Node’s timers', async () => {
  const signal = timeoutSignal(60 * DAY_MS);
  await jest.advanceTimersByTimeAsync(59 * DAY_MS);
  expect(signal.aborted).toBe(false);
  await jest.advanceTimersByTimeAsync(DAY_MS);
  expect(signal.aborted).toBe(true);
});

test('a signal without an end never aborts', async () => {
  const signal = timeoutSignal(Number.POSITIVE_INFINITY);
  await jest.advanceTimersByTimeAsync(100 * DAY_MS);
  expect(signal.aborted).toBe(false);
});

test('a callback runs after the whole time, or never if it is cancelled', async () => {
  const calls: string[] = [];
  callAfter(30 * DAY_MS, () => calls.push('made'));
  const cancel = callAfter(30 * DAY_MS, () => calls.push('cancelled'));
  await jest.advanceTimersByTimeAsync(29 * DAY_MS);
  expect(calls).toEqual([]);
  cancel();
  await jest.advanceTimersByTimeAsync(DAY_MS);
  expect(calls).toEqual(['made']);
});

test('a pause lasts as long as requested, or until its signal aborts', async () => {
  const stop = new AbortController();
  const ended: string[] = [];
  void pause(30 * DAY_MS, new AbortController().signal).then(() => ended.push('long'));
  void pause(60 * DAY_MS, stop.signal).then(() => ended.push('aborted'));
  await jest.advanceTimersByTimeAsync(29 * DAY_MS);
  expect(ended).toEqual([]);
  stop.abort();
  await jest.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(['aborted']);
  await jest.advanceTimersByTimeAsync(DAY_MS);
  expect(ended).toEqual(['aborted', 'long']);
});

test('work that is done in time gives what it returns, and leaves no timer; late work gives nothing', async () => {
  expect(await unlessLate(Promise.resolve('done'), 1_000)).toBe('done');
  expect(jest.getTimerCount()).toBe(0);
  const late = unlessLate(new Promise<string>(() => undefined), 1_000);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await late).toBeUndefined();
});

test('work that fails in time throws', async () => {
  await expect(unlessLate(Promise.reject(new Error('refused')), 1_000)).rejects.toThrow('refused');
});
