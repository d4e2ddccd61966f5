import { describe, expect, it } from '@jest/globals';
import { type DrillTrial, timesOf } from '../../../scripts/worth/recovery-times.ts';

const trial = (
  fault: string,
  more: Partial<DrillTrial> & { ms?: number; lostSteps?: number },
): DrillTrial => {
  const { ms, lostSteps = 25, ...rest } = more;
  const recovery = ms === undefined ? undefined : { trainedMs: ms, lostSteps };
  return { fault, system: 'jobset', settings: 'best', findings: { recovery }, ...rest };
};
const kindsOf = (trials: readonly DrillTrial[]) => timesOf(trials)[0]!.kinds;

describe('times of a system', () => {
  it('are those of its trials, with what they kept of the work since the last checkpoint', () => {
    const kinds = kindsOf([trial('crash', { ms: 4_000 }), trial('drain', { ms: 9_000, lostSteps: 0 })]);
    expect(kinds.crash).toEqual({
      basis: 'measured',
      trials: [{ seconds: 4, kept: 0, waitsForPerson: false }],
    });
    expect(kinds.drain!.trials).toEqual([{ seconds: 9, kept: 1, waitsForPerson: false }]);
  });

  it('lose nothing only where the program saves before it stops: elsewhere that is chance', () => {
    const lucky = { ms: 4_000, lostSteps: 0 };
    expect(kindsOf([trial('crash', lucky)]).crash!.trials[0]!.kept).toBe(0);
    expect(kindsOf([trial('drain', { ...lucky, settings: 'shipped' })]).drain!.trials[0]!.kept).toBe(0);
  });

  it('wait for a person, and then recover as from a crash, where a trial missed the cap', () => {
    const { hang } = kindsOf([trial('crash', { ms: 4_000 }), trial('hang', {})]);
    expect(hang!.trials).toEqual([{ seconds: 4, kept: 0, waitsForPerson: true }]);
  });

  it('of kinds that were not measured follow from the source: JobSet never replaces a pod of a silent node', () => {
    const lost = kindsOf([trial('crash', { ms: 4_000 })])['node-silent']!;
    expect(lost).toMatchObject({ basis: 'calculated', trials: [{ waitsForPerson: true }] });
    expect(lost.note).toContain('never by itself');
  });

  it('are those of trials where there are some, and no trial without a result', () => {
    const shipped = { system: 'signalbox', settings: 'shipped' };
    const crash = trial('crash', { ms: 4_000, ...shipped });
    expect(kindsOf([crash]).hang).toMatchObject({ basis: 'calculated', trials: [{ seconds: 604 }] });
    const hang = trial('hang', { ms: 90_000, ...shipped });
    expect(kindsOf([crash, hang]).hang).toMatchObject({ basis: 'measured', trials: [{ seconds: 90 }] });
    expect(kindsOf([trial('crash', { findings: undefined })])).toEqual({});
  });
});
