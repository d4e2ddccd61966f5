import { describe, expect, it } from '@jest/globals';
import { behind, type CostQuestion, estimate } from '../../../scripts/worth/estimate.ts';
import { exactEttr } from '../../../scripts/worth/ettr.ts';
import { llama3Mix, secondsBetweenFaults } from '../../../scripts/worth/failure-mixes.ts';
import type { SystemTimes } from '../../../scripts/worth/recovery-times.ts';
import { after, timesWithHang } from './known-times.ts';

const QUESTION: CostQuestion = {
  ...{ gpus: 16_384, mix: llama3Mix(0.2), intervalSeconds: 1_800, saveSeconds: 10 },
  ...{ startSeconds: 0, personSeconds: 3_600 },
};

describe('an estimate', () => {
  it('is the ratio of the mix with the times of the trials, within its band', () => {
    const { ettr, low, high } = estimate(timesWithHang(70), QUESTION)!;
    const share = (count: number) => count / 413;
    const faults = [
      { share: share(265.6 / 2), waitSeconds: 0, recoverySeconds: 4, kept: 0 },
      { share: share(265.6 / 2), waitSeconds: 0, recoverySeconds: 6, kept: 0 },
      { share: share(101.4), waitSeconds: 0, recoverySeconds: 70, kept: 0 },
      { share: share(14), waitSeconds: 0, recoverySeconds: 360, kept: 0 },
      { share: share(32), waitSeconds: 0, recoverySeconds: 10, kept: 1 },
    ];
    const mean = secondsBetweenFaults(QUESTION.mix, QUESTION.gpus);
    expect(ettr).toBeCloseTo(exactEttr(faults, { ...QUESTION, secondsBetweenFaults: mean }), 9);
    expect(low).toBeLessThan(ettr);
    expect(high).toBeGreaterThan(ettr);
    expect(high - low).toBeLessThan(0.03);
  });

  it('differs from another by less than both vary, as both meet the same faults', () => {
    const [fast, slow] = [estimate(timesWithHang(70), QUESTION)!, estimate(timesWithHang(610), QUESTION)!];
    const { low, high } = behind(slow, fast);
    expect(low).toBeGreaterThan(0);
    expect(high - low).toBeLessThan((fast.high - fast.low) / 2);
    expect(behind(fast, fast)).toEqual({ low: 0, high: 0 });
  });

  it('is the same for the same question', () => {
    expect(estimate(timesWithHang(70), QUESTION)).toEqual(estimate(timesWithHang(70), QUESTION));
  });

  it('falls with a longer hang, a person who comes later, and a program that starts slowly', () => {
    const ratio = (one: SystemTimes, more: Partial<CostQuestion> = {}) =>
      estimate(one, { ...QUESTION, ...more })!.ettr;
    const needsPerson = timesWithHang(70, { ...after(6), waitsForPerson: true });
    expect(ratio(timesWithHang(610))).toBeLessThan(ratio(timesWithHang(70)));
    expect(ratio(needsPerson, { personSeconds: 28_800 })).toBeLessThan(ratio(needsPerson));
    expect(ratio(timesWithHang(70), { startSeconds: 300 })).toBeLessThan(ratio(timesWithHang(70)));
  });

  it('has a wider band where fewer faults were counted', () => {
    const tenth = Object.fromEntries(
      Object.entries(QUESTION.mix.counts).map(([name, count]) => [name, count / 10]),
    ) as CostQuestion['mix']['counts'];
    const few = { ...QUESTION, mix: { counts: tenth, nodeDays: QUESTION.mix.nodeDays / 10 } };
    const width = (question: CostQuestion) => {
      const { low, high } = estimate(timesWithHang(70), question)!;
      return high - low;
    };
    expect(width(few)).toBeGreaterThan(2 * width(QUESTION));
  });

  it('is not known where a kind of the mix has no time', () => {
    const { hang: _, ...kinds } = timesWithHang(70).kinds;
    expect(estimate({ ...timesWithHang(70), kinds }, QUESTION)).toBeUndefined();
  });
});
