import { describe, expect, it } from '@jest/globals';
import { ServerClock } from '../../cluster/server-clock.ts';

const START = Date.parse('2026-01-01T00:00:00Z');

/** A machine whose own clock says nothing of the time, and answers of a server. */
function aMachine() {
  let elapsed = 5_000;
  const clock = new ServerClock(() => elapsed);
  return {
    clock,
    /** `at`: when the server answers, in milliseconds after the start; `after`: how long the request is under way. */
    answers: (at: number, after = 20) => {
      elapsed = 5_000 + at - after;
      const begunAt = clock.begin();
      elapsed += after;
      clock.note(new Date(Math.floor((START + at) / 1_000) * 1_000).toUTCString(), begunAt);
      return clock.now() - START - at;
    },
  };
}

describe('the clock of the API server', () => {
  it('is known to a second after one answer, and more exactly after several', () => {
    const { answers } = aMachine();
    expect(Math.abs(answers(900))).toBeLessThanOrEqual(1_000);
    for (const at of [1_150, 2_400, 3_010, 4_980]) answers(at);
    expect(Math.abs(answers(6_500))).toBeLessThanOrEqual(60);
  });

  it('is not changed by an answer that took long', () => {
    const { answers } = aMachine();
    for (const at of [1_000, 1_990, 3_005]) answers(at);
    expect(Math.abs(answers(30_500, 25_000))).toBeLessThanOrEqual(60);
  });

  it('is that of the machine until a server has said its time', () => {
    const { clock } = aMachine();
    clock.note(undefined, clock.begin());
    clock.note('yesterday', clock.begin());
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000);
  });
});
