import { expect, it } from '@jest/globals';
import type { Pod } from '../../contracts/kubernetes.ts';
import { Course, isWell } from './observed.ts';

function aCourse(): Course {
  const course = new Course();
  course.restart([['node', true]], 10_000);
  course.note('node', true, 20_000);
  course.note('node', false, 50_000);
  course.note('node', true, 60_000);
  return course;
}

it.each([
  ['before anything was seen', 0, 5, false],
  ['after the first look', 12, 40, true],
  ['while it was not', 45, 55, false],
  ['since it was again', 61, 100, true],
])('a ready object is known %s', (_, from, to, isWell) => {
  expect(aCourse().wasWell('node', from * 1_000, to * 1_000)).toBe(isWell);
});

it('what happened in a gap is unknown, but not what was before and after it', () => {
  const course = aCourse();
  course.interrupt(80_000);
  course.note('other node', true, 85_000);
  expect(course.wasWell('node', 61_000, 79_000)).toBe(true);
  expect(course.wasWell('node', 61_000, 81_000)).toBe(false);
  expect(course.wasWell('node', 87_000, 90_000)).toBe(true);
});

it('an object that a later list lacks was not ready', () => {
  const course = aCourse();
  course.restart([], 70_000);
  expect(course.wasWell('node', 75_000, 80_000)).toBe(false);
});

it.each([
  ['Running', 'True', true],
  ['Running', 'False', false],
  ['Succeeded', 'False', true],
  ['Failed', 'False', false],
] as const)('a pod that is %s and whose condition Ready is %s: well is %s', (phase, ready, expected) => {
  const conditions = [{ type: 'Ready', status: ready }];
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'train-0' },
    spec: { containers: [] },
    status: { phase, conditions },
  };
  expect(isWell(pod)).toBe(expected);
});
