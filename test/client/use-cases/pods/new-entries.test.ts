import { describe, expect, it } from '@jest/globals';
import { newEntries } from '../../../../client/use-cases/pods/new-entries.ts';
import type { TimelineEntry } from '../../../../contracts/types.ts';

const entry = (n: number): TimelineEntry => ({
  at: new Date(n * 1000).toISOString(),
  phase: 'Running',
  state: 'Running',
  attempt: n,
  cause: 'all pods are ready',
});
const entries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => entry(from + index));

describe('new entries of a timeline', () => {
  it('are all of it at first, and then the later ones', () => {
    const read = newEntries();
    expect(read(entries(0, 3))).toEqual(entries(0, 3));
    expect(read(entries(0, 3))).toEqual([]);
    expect(read(entries(0, 5))).toEqual(entries(3, 5));
  });

  it('are found also when the oldest entries are dropped', () => {
    const read = newEntries();
    read(entries(0, 100));
    expect(read(entries(2, 102))).toEqual(entries(100, 102));
  });

  it('are all that is left, if more was dropped than was read', () => {
    const read = newEntries();
    read(entries(0, 100));
    expect(read(entries(150, 250))).toEqual(entries(150, 250));
  });
});
