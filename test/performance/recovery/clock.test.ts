import { describe, expect, test } from '@jest/globals';
import { recoveryOf } from './clock.ts';
import { pairOf, runOfCourse, START_MS } from './program-course.ts';
import { programRunOf } from './program-log.ts';

/** The fault comes at second 20: the first world has finished step 18 then, and a checkpoint of step 10. */
const SPAN = { injectedAt: START_MS + 20_000, ranks: 2 };
const BEFORE = pairOf({ from: 0, world: 'a', steps: [0, 18], saves: [10] });

describe('the clock of a recovery', () => {
  test('ends when every rank has finished a new step with the others', () => {
    const slow = runOfCourse({ rank: 1, from: 26, world: 'b', steps: [10, 30] });
    const fast = runOfCourse({ rank: 0, from: 24, world: 'b', steps: [10, 30] });
    expect(recoveryOf([...BEFORE, fast, slow], SPAN)).toEqual({
      joinedMs: 7_000,
      loadedMs: 8_000,
      trainedMs: 9_000,
      caughtUpMs: 16_000,
      idleMs: 9_000,
      lostSteps: 8,
      lostMs: 8_000,
      vainStarts: 0,
    });
  });

  test('has not ended while one rank has finished no step', () => {
    const [fast, slow] = pairOf({ from: 24, world: 'b', steps: [10, 11] });
    const still = runOfCourse({ rank: 1, from: 24, world: 'b', steps: [10, 10] });
    expect(recoveryOf([...BEFORE, fast!, still], SPAN)).toBeUndefined();
    expect(recoveryOf([...BEFORE, fast!, slow!], SPAN)?.trainedMs).toBe(7_000);
  });

  test('does not count steps of those who trained on after the fault', () => {
    const evicted = pairOf({ from: 0, world: 'a', steps: [0, 28], saves: [10] });
    expect(recoveryOf(evicted, SPAN)).toBeUndefined();
    const after = pairOf({ from: 32, world: 'b', steps: [10, 12] });
    expect(recoveryOf([...evicted, ...after], SPAN)).toMatchObject({
      trainedMs: 15_000,
      idleMs: 5_000,
      lostSteps: 18,
      caughtUpMs: undefined,
    });
  });

  test('goes on over starts in vain, and finds the lost steps in the second one', () => {
    const vain = pairOf({ from: 22, world: 'b' });
    const after = pairOf({ from: 30, world: 'c', steps: [10, 18] });
    expect(recoveryOf([...BEFORE, ...vain, ...after], SPAN)).toMatchObject({
      vainStarts: 1,
      trainedMs: 13_000,
      caughtUpMs: 20_000,
    });
  });

  test('does not end with a rendezvous that a rank misses', () => {
    const alone = runOfCourse({ rank: 0, from: 22, world: 'b', steps: [10, 12] });
    expect(recoveryOf([...BEFORE, alone], SPAN)).toBeUndefined();
  });
});

describe('the log of a process', () => {
  test('is read without the half line that a killed process leaves', () => {
    const text = '{"at":1,"what":"started","rank":2,"pid":7,"pod":"a"}\n{"at":2,"what":"joi';
    expect(programRunOf(text)).toEqual([
      { rank: 2, pid: 7, pod: 'a', startedAt: 1, world: undefined, events: [expect.anything()] },
    ]);
    expect(programRunOf('{"at":1,"wh')).toEqual([]);
  });

  test('that another program wrote is refused', () => {
    expect(() => programRunOf('{"at":1,"what":"danced"}\n')).toThrow('what');
  });
});
