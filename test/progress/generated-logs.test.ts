import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isWithoutSteps, StepReader, type TimedLine } from '../../progress/step-reader.ts';

/** Logs as programs write them, made at random, and what is right to say of them. */

const bar = (n: number, total: number, desc = '') =>
  `\r${desc}${Math.floor((100 * n) / total)}%|██▏  | ${n}/${total} [00:31<16:50,  2.60s/it, loss=1.2]`;

const readAll = (lines: readonly TimedLine[], reader = new StepReader()): StepReader => {
  for (const line of lines) reader.read(line);
  return reader;
};

const seconds = fc.integer({ min: 1, max: 120 });
const steps = fc.integer({ min: 15, max: 200 });

it('a bar is read to its last step and never late while it goes on, in whatever blocks it arrives', () => {
  fc.assert(
    fc.property(seconds, steps, fc.integer({ min: 1, max: 80 }), fc.nat(120), (pace, count, block, torn) => {
      const lines = Array.from({ length: count }, (_, n) => ({
        at: Math.ceil((n + 1) / block) * block * pace * 1000,
        // What a block cuts begins in the midst of a frame.
        text: block > 3 && n % block === 0 && n > 0 ? bar(n, 10_000).slice(torn % 30) : bar(n, 10_000),
      }));
      const reader = new StepReader();
      for (const line of lines) {
        const before = reader.steps;
        // Nothing is known of blocks before the third one has come.
        if (before && line.at > 4 * block * pace * 1000) expect(isWithoutSteps(before, line.at)).toBe(false);
        reader.read(line);
      }
      const found = reader.steps;
      // The last frame may be torn.
      if (lines.at(-2)!.at - lines[0]!.at < 10_000) return;
      expect(found?.step).toBeGreaterThanOrEqual(count - 2);
      expect(found).toMatchObject({ form: 'tqdm', total: 10_000 });
      expect(found).not.toHaveProperty('wentBackFrom');
      if (found?.stepMs) expect(found.stepMs / (pace * 1000)).toBeCloseTo(1, 0);
    }),
  );
});

it('evaluations of up to half an hour between epochs, with or without a name, are neither steps nor a hang', () => {
  const names = fc.constantFrom('', 'Evaluating: ', 'Validation DataLoader 0: ');
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 80 }),
      fc.integer({ min: 12, max: 40 }),
      names,
      (pace, length, name) => {
        const lines: TimedLine[] = [];
        let at = 0;
        for (let epoch = 0; epoch < 3; epoch++) {
          for (let n = 1; n <= length; n++) {
            at += pace * 1000;
            lines.push({ at, text: bar(epoch * length + n, 3 * length) });
          }
          for (let n = 1; n <= length / 2; n++) {
            at += pace * 1000;
            lines.push({ at, text: bar(n, Math.floor(length / 2) + 1, name) });
          }
        }
        const reader = new StepReader();
        for (const line of lines) {
          if (reader.steps) expect(isWithoutSteps(reader.steps, line.at)).toBe(false);
          reader.read(line);
        }
        expect(reader.steps).toMatchObject({ step: 3 * length, total: 3 * length, stepMs: pace * 1000 });
      },
    ),
  );
});

it('bars of batches in a bar of epochs count steps of the run', () => {
  fc.assert(
    fc.property(
      seconds,
      fc.integer({ min: 5, max: 30 }),
      fc.integer({ min: 2, max: 6 }),
      (pace, length, epochs) => {
        const lines: TimedLine[] = [{ at: 0, text: bar(0, epochs, 'Epochs: ') }];
        for (let n = 1; n <= epochs * length; n++) {
          const at = n * pace * 1000;
          lines.push({ at, text: bar(((n - 1) % length) + 1, length, 'Batches: ') });
          if (n % length === 0) lines.push({ at, text: bar(n / length, epochs, 'Epochs: ') });
        }
        if (pace * length < 10) return;
        const { step, total } = readAll(lines).steps!;
        expect({ step, total }).toEqual({ step: epochs * length, total: epochs * length });
      },
    ),
  );
});

it('a run that goes back by itself is told, and counts from there', () => {
  fc.assert(
    fc.property(seconds, steps, fc.nat(), (pace, count, salt) => {
      const back = salt % count;
      const line = (step: number, index: number) => ({
        at: index * pace * 1000,
        text: `iter ${step}: loss 2.1, time 300.00ms, mfu 40.00%`,
      });
      const first = Array.from({ length: count }, (_, step) => line(step, step));
      const again = Array.from({ length: 10 }, (_, n) => line(back + n, count + n));
      if (count * pace < 10) return;
      const found = readAll([...first, ...again]).steps!;
      expect(found.step).toBe(back + 9);
      expect(found.wentBackFrom).toBe(back < count - 1 ? count - 1 : undefined);
    }),
  );
});

it('a hang is told after the limit, and not before', () => {
  fc.assert(
    fc.property(seconds, steps, (pace, count) => {
      const lines = Array.from({ length: count }, (_, step) => ({
        at: step * pace * 1000,
        text: `step: ${step}  loss:  3.1  memory: 61GiB`,
      }));
      const found = readAll(lines).steps;
      if (!found) return;
      const limit = Math.max(60_000, Math.min(40 * pace * 1000, 1_800_000), 3 * pace * 1000);
      expect(found.limitMs).toBe(limit);
      expect(isWithoutSteps(found, lines.at(-1)!.at + limit)).toBe(false);
      expect(isWithoutSteps(found, lines.at(-1)!.at + limit + 1)).toBe(true);
    }),
  );
});

it('no text at all is read as steps unless it tells some, and none throws', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 200, unit: 'binary' })), (texts) => {
      const { steps: found } = readAll(texts.map((text, n) => ({ at: n * 10_000, text })));
      expect(found).toBeUndefined();
    }),
    { numRuns: 20 },
  );
});
