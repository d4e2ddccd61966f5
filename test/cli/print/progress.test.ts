import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createProgress } from '../../../cli/print/progress.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function aStream({ isTTY }: { isTTY: boolean }) {
  const written: string[] = [];
  const stream = { isTTY, columns: 40, write: (text: string) => written.push(text) };
  return { stream: stream as unknown as NodeJS.WriteStream, written };
}

const CLEAR = '\r\u001b[K';

describe('on a terminal', () => {
  it('shows a step in place if it takes long, shortened to the width', () => {
    const { stream, written } = aStream({ isTTY: true });
    const progress = createProgress(stream);
    progress.step('replaying');
    jest.advanceTimersByTime(1_800);
    expect(written).toEqual([]);
    progress.detail('7 of 9 runs');
    jest.advanceTimersByTime(200);
    expect(written).toEqual([`${CLEAR}replaying, 7 of 9 runs (2s)`]);
    progress.detail('of a history with many events');
    jest.advanceTimersByTime(200);
    expect(written.at(-1)).toBe(`${CLEAR}replaying, of a history with many event`);
    progress.end();
  });

  it('is cleared for other lines, and shown again after them', () => {
    const { stream, written } = aStream({ isTTY: true });
    const progress = createProgress(stream);
    progress.step('replaying');
    jest.advanceTimersByTime(2_000);
    progress.clear();
    progress.note('a remark');
    jest.advanceTimersByTime(200);
    progress.end();
    jest.advanceTimersByTime(60_000);
    expect(written).toEqual([
      `${CLEAR}replaying (2s)`,
      CLEAR,
      CLEAR,
      'a remark\n',
      `${CLEAR}replaying (2s)`,
      `${CLEAR}replaying (2s)`,
      `${CLEAR}replaying (2.2s)`,
      CLEAR,
    ]);
  });
});

it('prints a line from time to time where there is no terminal', () => {
  const { stream, written } = aStream({ isTTY: false });
  const progress = createProgress(stream);
  progress.step('replaying');
  jest.advanceTimersByTime(20_000);
  progress.end();
  expect(written).toEqual(['replaying (2s)\n', 'replaying (17s)\n']);
});
