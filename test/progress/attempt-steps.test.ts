import { describe, expect, it } from '@jest/globals';
import { attemptStepsIn } from '../../progress/attempt-steps.ts';

const lines = (...texts: readonly string[]) => texts.map((text, index) => ({ at: index * 1000, text }));
const step = (n: number) => `step ${n} of 900 loss 0.5`;
const later = (from: number, ...texts: readonly string[]) =>
  lines(...texts).map(({ at, text }) => ({ at: from * 1000 + at, text }));

describe('how far an attempt came', () => {
  it('is told by the begin of its log and its end, with its last complete checkpoint', () => {
    const head = lines('hello', step(1), step(2), step(3));
    const tail = later(500, step(500), 'saving checkpoint at iteration 501 to /c', step(501))
      .concat(later(503, 'successfully saved checkpoint from iteration 501 to /c', step(502), step(503)))
      .concat(later(506, 'saving checkpoint at iteration 503 to /c'));
    expect(attemptStepsIn(head, tail)).toEqual({
      first: { at: 1000, step: 1 },
      last: { at: 505_000, step: 503 },
      saved: { at: 503_000, step: 501 },
    });
  });

  it('begins where it went on from', () => {
    const head = lines('Resuming training from step 400', step(401), step(402), step(403));
    const found = attemptStepsIn(head, later(90, step(490)));
    expect(found).toMatchObject({ first: { step: 401 }, last: { step: 490 }, resumed: { step: 400 } });
  });

  it('is shifted by the step of a checkpoint after which it counts anew', () => {
    const head = lines('Resuming training from step 400', step(1), step(2), step(3));
    const tail = later(90, step(90), 'successfully saved checkpoint from iteration 80 to /c');
    expect(attemptStepsIn(head, tail)).toMatchObject({
      ...{ first: { step: 401 }, last: { step: 490 }, saved: { step: 480 } },
    });
  });

  it.each([
    [
      'it counts anew after a checkpoint without a step',
      ['Resuming training from /c/last.pt', step(1), step(2), step(3)],
    ],
    [
      'it counts the rounds of the attempt alone',
      ['[0]\ttrain-rmse:0.4', '[1]\ttrain-rmse:0.3', '[2]\ttrain-rmse:0.2'],
    ],
    ['it shows no steps', ['hello', 'again']],
  ])('is not known where %s', (_, head) => {
    expect(attemptStepsIn(lines(...head), [])).toBeUndefined();
  });

  it('is the same when the log is as short as its begin', () => {
    const all = lines(step(1), step(2), step(3), step(4));
    expect(attemptStepsIn(all, all.slice(1))).toEqual({
      first: { at: 0, step: 1 },
      last: { at: 3000, step: 4 },
    });
  });
});
