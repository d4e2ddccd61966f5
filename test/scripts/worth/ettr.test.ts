import { describe, expect, it, test } from '@jest/globals';
import { bestInterval, exactEttr, type FaultKind, firstOrderEttr } from '../../../scripts/worth/ettr.ts';
import { simulatedEttr } from './simulated-training.ts';

const MINUTE = 60;
const HOUR = 3_600;

const crash = (recoverySeconds: number): FaultKind => ({
  ...{ share: 1, waitSeconds: 0, recoverySeconds, kept: 0 },
});
const run = (hours: number, intervalMinutes: number, saveSeconds = 10) => ({
  secondsBetweenFaults: hours * HOUR,
  intervalSeconds: intervalMinutes * MINUTE,
  saveSeconds,
});

describe('the exact ratio', () => {
  test.each([
    [7.9, 30, 1],
    [7.9, 30, 68],
    [3.1, 30, 3],
    [3.1, 30, 68],
    [3.1, 10, 10],
    [0.3, 30, 60],
  ])(
    "is the textbook's for one kind: a fault per %d h, checkpoints each %d min, %d min to recover",
    (...row) => {
      const [mean, interval, recovery] = [row[0] * 60, row[1], row[2]];
      const segment = mean * Math.exp(recovery / mean) * Math.expm1((interval + 1 / 6) / mean);
      expect(exactEttr([crash(recovery * MINUTE)], run(row[0], interval))).toBeCloseTo(interval / segment, 9);
    },
  );

  it('is that of the first order where faults are rare', () => {
    const rare = run(1_000, 30);
    expect(exactEttr([crash(600)], rare)).toBeCloseTo(firstOrderEttr([crash(600)], rare), 4);
  });

  it('is above it where faults are frequent, as no work is lost that was never done', () => {
    const often = run(3.1, 30);
    expect(firstOrderEttr([crash(68 * MINUTE)], often)).toBeCloseTo(0.55, 2);
    expect(exactEttr([crash(68 * MINUTE)], often)).toBeGreaterThan(0.63);
  });

  it('is what checkpoints leave of the time where nothing ever fails', () => {
    expect(exactEttr([crash(600)], run(1e9, 30, 60))).toBeCloseTo(30 / 31, 6);
  });

  it('loses nothing but the recovery where the program always saves before it stops', () => {
    const saving = { ...crash(600), kept: 1 };
    expect(exactEttr([saving], run(3, 30, 0))).toBeCloseTo(Math.exp(-600 / (3 * HOUR)), 6);
  });

  it('is greatest near the interval of Young', () => {
    const best = bestInterval({ secondsBetweenFaults: 3 * HOUR, saveSeconds: 10 }) / MINUTE;
    const at = (minutes: number) => exactEttr([crash(60)], run(3, minutes));
    expect(best).toBeCloseTo(7.75, 2);
    expect(at(best)).toBeGreaterThan(Math.max(at(best * 1.3), at(best / 1.3)));
  });
});

describe('a simulated job agrees with the exact ratio', () => {
  const hang = { share: 0.24, waitSeconds: 0, recoverySeconds: 11 * MINUTE, kept: 0 };
  const drain = { share: 0.08, waitSeconds: 0, recoverySeconds: 200, kept: 1 };
  const lost = { share: 0.03, waitSeconds: 8 * HOUR, recoverySeconds: 180, kept: 0 };
  const ends = { share: 0.65, waitSeconds: 0, recoverySeconds: 180, kept: 0.2 };

  test.each([
    ['one kind', [crash(180)], run(3.1, 30)],
    ['recoveries that often fail', [crash(2 * HOUR)], run(1, 10, 60)],
    ['kinds that differ, and one that waits for a person', [hang, drain, lost, ends], run(3.1, 30)],
    ['checkpoints that take long', [hang, drain, lost, ends], run(6, 20, 300)],
  ] as const)('%s', (_name, faults, training) => {
    const simulated = simulatedEttr(faults, training, { days: 20_000, seed: 7 });
    expect(Math.abs(simulated - exactEttr(faults, training))).toBeLessThan(0.002);
  });
});
