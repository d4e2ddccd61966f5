import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { callAfter, pause, timeoutSignal } from '../../language/timers.ts';

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
