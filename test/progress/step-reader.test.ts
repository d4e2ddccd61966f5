import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isWithoutSteps, StepReader } from '../../progress/step-reader.ts';

const SEQUENCES = new URL('./sequences/', import.meta.url);

interface Sequence {
  readonly why: string;
  readonly lines: readonly { readonly at: number; readonly text: string }[];
  readonly right: {
    readonly form: string;
    readonly step?: number;
    readonly total?: number;
    readonly epoch?: number;
    readonly interval?: number;
    readonly askedAt?: number;
    readonly stalled?: boolean;
    readonly silentSince?: number;
    readonly phase?: string;
    readonly wentBack?: boolean;
    readonly lossNaNSince?: number;
    readonly resumed?: number;
    readonly lost?: number;
    readonly repeated?: number;
    readonly before?: { readonly best: number };
    readonly saved?: number;
    readonly notSavedBefore?: number;
  };
}

const readSequence = (file: string) => JSON.parse(readFileSync(new URL(file, SEQUENCES), 'utf8')) as Sequence;

function readAll(lines: Sequence['lines']): StepReader {
  const reader = new StepReader();
  for (const { at, text } of lines) reader.read({ at: at * 1000, text });
  return reader;
}

describe.each(readdirSync(SEQUENCES))('%s', (file) => {
  const { why, lines, right } = readSequence(file);

  it(why, () => {
    const reader = readAll(lines);
    const steps = reader.steps!;
    const { form, step, total, epoch, phase } = right;
    const told = Object.entries({ form, step, total, epoch, phase }).filter(
      ([, value]) => value !== undefined,
    );
    expect(steps).toMatchObject(Object.fromEntries(told));
    const now = (right.askedAt ?? lines.at(-1)!.at) * 1000;
    if (right.stalled !== undefined) expect(isWithoutSteps(steps, now)).toBe(right.stalled);
    if (right.interval) expect((steps.stepMs ?? steps.newsMs)! / 1000).toBeCloseTo(right.interval, 1);
    if (right.silentSince) expect(steps.at).toBe(right.silentSince * 1000);
    if (right.wentBack === false) expect(steps).not.toHaveProperty('wentBackFrom');
    expect(steps.notANumber?.step).toBe(right.lossNaNSince);
    expect(reader.resumed?.step).toBe(right.resumed);
    if (right.before) {
      expect(right.before.best - reader.resumed!.step!).toBe(right.lost);
      expect(steps.step! - reader.resumed!.step!).toBe(right.repeated);
    }
    if (right.saved) expect(reader.saved).toEqual({ step: right.saved, at: right.notSavedBefore! * 1000 });
  });

  it('says nothing of it before it is certain, and never that a running job is silent', () => {
    const reader = new StepReader();
    for (const { at, text } of lines) {
      const { steps } = reader;
      if (steps) expect(isWithoutSteps(steps, at * 1000)).toBe(false);
      reader.read({ at: at * 1000, text });
      if (at - lines[0]!.at < 10) expect(reader.steps).toBeUndefined();
    }
  });
});
