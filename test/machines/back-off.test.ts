import { describe, expect, it } from '@jest/globals';
import { type BackOff, nextBackOff } from '../../machines/back-off.ts';

const MINUTE = 60_000;

describe('the back-off between replacements', () => {
  it('is nothing at first, then doubles from 10 s up to 5 min', () => {
    const waits: number[] = [];
    let last: BackOff | undefined;
    let now = 0;
    for (let replaced = 0; replaced < 8; replaced++) {
      last = nextBackOff(last, now);
      waits.push((last.at - now) / 1000);
      now = last.at + 1_000;
    }
    expect(waits).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
  });

  it('begins afresh when the pods have held for ten minutes', () => {
    const last = { inRow: 6, at: 0 };
    expect(nextBackOff(last, 10 * MINUTE - 1)).toEqual({ inRow: 7, at: 15 * MINUTE - 1 });
    expect(nextBackOff(last, 10 * MINUTE)).toEqual({ inRow: 1, at: 10 * MINUTE });
  });
});
