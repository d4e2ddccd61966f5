import { describe, expect, test } from '@jest/globals';
import { clusterCourseOf, type PodSighting } from './pod-sightings.ts';

const SPAN = { injectedAt: 1_000, trainedAt: 9_000 };
const NAMES = ['j-master-0', 'j-worker-0'];

const sighting = (at: number, name: string, more: Partial<PodSighting> = {}): PodSighting => ({
  ...{ at, name, uid: 'old', isGone: false, isDeleting: false, isRunning: true, restarts: 0 },
  ...more,
});
const RUNNING = NAMES.map((name) => sighting(100, name));

describe('what the cluster shows of a recovery', () => {
  test('in place: programs run again, and nobody decided', () => {
    const seen = NAMES.flatMap((name, index) => [
      sighting(1_200 + index, name, { isRunning: false }),
      sighting(1_500 + index, name, { restarts: 1 }),
    ]);
    expect(clusterCourseOf([...RUNNING, ...seen], SPAN)).toEqual({
      seenMs: 200,
      decidedMs: undefined,
      goneMs: undefined,
      runningMs: 501,
    });
  });

  test('of a gang: pods are deleted, are gone, and others run', () => {
    const seen = NAMES.flatMap((name, index) => [
      sighting(1_100 + index, name, { isRunning: false }),
      sighting(1_400 + index, name, { isDeleting: true }),
      sighting(2_000 + index, name, { isGone: true, isRunning: false }),
      sighting(2_500 + index, name, { uid: 'new', isRunning: false }),
      sighting(3_000 + index, name, { uid: 'new' }),
    ]).sort((a, b) => a.at - b.at);
    expect(clusterCourseOf([...RUNNING, ...seen], SPAN)).toEqual({
      seenMs: 100,
      decidedMs: 400,
      goneMs: 1_001,
      runningMs: 2_001,
    });
  });

  test('of an eviction: the deletion of the evicted pod is the fault itself', () => {
    const [, evicted = ''] = NAMES;
    const seen = [
      sighting(1_001, evicted, { isDeleting: true }),
      sighting(2_000, evicted, { isGone: true, isRunning: false }),
      sighting(2_300, evicted, { uid: 'new', isRunning: false }),
      sighting(2_900, evicted, { uid: 'new' }),
    ];
    expect(clusterCourseOf([...RUNNING, ...seen], { ...SPAN, deleted: [evicted] })).toEqual({
      seenMs: 1,
      decidedMs: 1_300,
      goneMs: 1_000,
      runningMs: 1_900,
    });
  });

  test('after the ranks train again does not count', () => {
    const late = sighting(9_001, NAMES[0]!, { isDeleting: true });
    expect(clusterCourseOf([...RUNNING, late], SPAN).seenMs).toBeUndefined();
  });
});
