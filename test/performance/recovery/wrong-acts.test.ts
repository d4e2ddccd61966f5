import { describe, expect, test } from '@jest/globals';
import { pairOf, runOfCourse, START_MS } from './program-course.ts';
import { describeWrongActs } from './trial-text.ts';
import { wrongActsOf } from './wrong-acts.ts';

const SPAN = { injectedAt: START_MS + 20_000, ranks: 2 };
const BEFORE = pairOf({ from: 0, world: 'a', steps: [0, 18], saves: [5, 10] });
const AFTER = pairOf({ from: 24, world: 'b', steps: [10, 20] });
const NONE = { restartsOfHealthy: 0, aliveTwice: 0, skippedSteps: 0, forgottenSteps: 0 };

describe('wrong acts', () => {
  test('are none where one restart follows the fault', () => {
    expect(wrongActsOf([...BEFORE, ...AFTER], SPAN)).toEqual(NONE);
    expect(wrongActsOf(BEFORE, SPAN)).toEqual(NONE);
    expect(describeWrongActs(NONE)).toBe('none');
  });

  test('are none where starts in vain come before the recovery', () => {
    expect(wrongActsOf([...BEFORE, ...pairOf({ from: 21, world: 'x' }), ...AFTER], SPAN)).toEqual(NONE);
  });

  test('are a restart before the fault, and one after the recovery', () => {
    const early = pairOf({ from: -9, world: 'z', steps: [0, 4] });
    const late = pairOf({ from: 60, world: 'c', steps: [10, 12] });
    const acts = wrongActsOf([...early, ...BEFORE, ...AFTER, ...late], SPAN);
    expect(acts).toEqual({ ...NONE, restartsOfHealthy: 2 });
    expect(describeWrongActs(acts)).toBe('2 restarts of a healthy job');
  });

  test('are a process that writes after the next one of its rank has started', () => {
    const survivor = runOfCourse({ rank: 1, from: 0, world: 'a', steps: [0, 23] });
    expect(wrongActsOf([BEFORE[0]!, survivor, ...AFTER], SPAN)).toEqual({ ...NONE, aliveTwice: 1 });
  });

  test('are ranks that train while others already do', () => {
    const old = pairOf({ from: 0, world: 'a', steps: [0, 28], saves: [5, 10] });
    // Both processes of the old world, and the world.
    expect(wrongActsOf([...old, ...AFTER], SPAN)).toEqual({ ...NONE, aliveTwice: 3 });
  });

  test('are steps that nobody trained', () => {
    const ahead = pairOf({ from: 24, world: 'b', steps: [25, 30] });
    expect(wrongActsOf([...BEFORE, ...ahead], SPAN)).toEqual({ ...NONE, skippedSteps: 7 });
  });

  test('are steps of a checkpoint that is not resumed from', () => {
    const behind = pairOf({ from: 24, world: 'b', steps: [5, 20] });
    expect(wrongActsOf([...BEFORE, ...behind], SPAN)).toEqual({ ...NONE, forgottenSteps: 5 });
  });

  test('are not steps that a checkpoint has, and that some rank was killed before it logged', () => {
    const saved = [
      runOfCourse({ rank: 0, from: 0, world: 'a', steps: [0, 18], saves: [18] }),
      runOfCourse({ rank: 1, from: 0, world: 'a', steps: [0, 17] }),
    ];
    const after = pairOf({ from: 24, world: 'b', steps: [18, 20] });
    expect(wrongActsOf([...saved, ...after], SPAN)).toEqual(NONE);
  });
});
