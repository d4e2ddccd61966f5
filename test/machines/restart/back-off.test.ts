import { describe, expect, it } from '@jest/globals';
import { DEFAULT_POLICY } from '../../../contracts/policy.ts';
import type { BackOffRules } from '../../../contracts/types.ts';
import type { BackOffState } from '../../../machines/model/restart.ts';
import { nextBackOff } from '../../../machines/restart/back-off.ts';

const MINUTE = 60_000;
const USUAL = DEFAULT_POLICY.restart.backOff;

describe('the back-off between replacements', () => {
  it('is nothing at first, then doubles from 10 s up to 5 min', () => {
    expect(waits(8)).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
  });

  it('is zero again when the pods have run for ten minutes', () => {
    const last = { inRow: 6, at: 0 };
    expect(nextBackOff(last, 10 * MINUTE - 1)).toEqual({ inRow: 7, at: 15 * MINUTE - 1 });
    expect(nextBackOff(last, 10 * MINUTE)).toEqual({ inRow: 1, at: 10 * MINUTE });
  });
});

describe('the back-off of a policy', () => {
  const table: readonly [says: string, rules: Partial<BackOffRules>, seconds: number[]][] = [
    ['may begin with the first restart', { firstAtOnce: false }, [10, 20, 40, 80]],
    ['may be as long each time', { factor: 1 }, [0, 10, 10, 10]],
    ['may grow faster', { initialMs: 1_000, factor: 10 }, [0, 1, 10, 100]],
    ['is never longer than its cap', { maxMs: 15_000 }, [0, 10, 15, 15]],
    ['may be nothing', { initialMs: 0 }, [0, 0, 0, 0]],
  ];
  it.each(table)('%s', (_, rules, seconds) => {
    expect(waits(4, { ...USUAL, ...rules })).toEqual(seconds);
  });

  it('is zero again after the time of the policy', () => {
    const rules = { ...USUAL, resetAfterMs: 1_000 };
    expect(nextBackOff({ inRow: 3, at: 0 }, 999, { rules }).inRow).toBe(4);
    expect(nextBackOff({ inRow: 3, at: 0 }, 1_000, { rules }).inRow).toBe(1);
  });
});

describe('jitter', () => {
  const rules = { ...USUAL, jitter: 0.2 };
  const delayAt = (now: number, seed: string) =>
    nextBackOff({ inRow: 1, at: now }, now, { rules, seed }).at - now;
  const delays = Array.from({ length: 500 }, (_, index) => delayAt(index * 997, `anchor-${index}`));

  it('changes a pause by at most the configured fraction', () => {
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(8_000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(12_000);
  });

  it('is distributed evenly', () => {
    expect(Math.min(...delays)).toBeLessThan(8_200);
    expect(Math.max(...delays)).toBeGreaterThan(11_800);
    const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
    expect(Math.abs(mean - 10_000)).toBeLessThan(250);
  });

  it('differs for jobs that fail at the same moment', () => {
    const together = Array.from({ length: 100 }, (_, index) => delayAt(5_000, `anchor-${index}`));
    expect(new Set(together).size).toBeGreaterThan(90);
  });

  it('is the same for the same job and time, because a replay must decide alike', () => {
    expect(delayAt(1_234, 'anchor-1')).toBe(delayAt(1_234, 'anchor-1'));
  });

  it('does not delay an immediate restart', () => {
    expect(nextBackOff(undefined, 7, { rules, seed: 'anchor-1' })).toEqual({ inRow: 1, at: 7 });
  });

  it('does not exceed the maximum', () => {
    const capped = { ...rules, maxMs: 10_000 };
    const at = (seed: string) => nextBackOff({ inRow: 9, at: 0 }, 0, { rules: capped, seed }).at;
    const longest = Math.max(...Array.from({ length: 200 }, (_, index) => at(`anchor-${index}`)));
    expect(longest).toBeLessThanOrEqual(10_000);
  });
});

/** Seconds of each wait, of pods that fail a second after they were replaced. */
function waits(count: number, rules: BackOffRules = USUAL): number[] {
  const found: number[] = [];
  let last: BackOffState | undefined;
  let now = 0;
  for (let replaced = 0; replaced < count; replaced++) {
    last = nextBackOff(last, now, { rules });
    found.push((last.at - now) / 1000);
    now = last.at + 1_000;
  }
  return found;
}
