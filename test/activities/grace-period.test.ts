import { describe, expect, it } from '@jest/globals';
import { isOverdue, remainingGraceOf } from '../../activities/grace-period.ts';
import type { Pod } from '../../contracts/kubernetes.ts';

const seconds = (from: number) => new Date(Date.now() + from * 1000).toISOString();

/** `deletedIn`: when its grace period is over, in seconds from now. */
const aPod = ({ grace, deletedIn, given }: { grace?: number; deletedIn?: number; given?: number } = {}) =>
  ({
    metadata: {
      name: 'train-worker-0',
      ...(deletedIn === undefined ? {} : { deletionTimestamp: seconds(deletedIn) }),
      ...(given === undefined ? {} : { deletionGracePeriodSeconds: given }),
    },
    spec: { containers: [], terminationGracePeriodSeconds: grace },
  }) as unknown as Pod;

describe('the time until pods have ended', () => {
  const table: readonly [
    what: string,
    pods: readonly Pod[],
    graceSeconds: number | undefined,
    wanted: number,
  ][] = [
    ['none for no pods', [], undefined, 0],
    ['that of Kubernetes where a pod says nothing', [aPod()], undefined, 30],
    ['the longest', [aPod({ grace: 5 }), aPod({ grace: 90 })], undefined, 90],
    ['what is asked for instead of their own', [aPod({ grace: 90 })], 5, 5],
    ['what is left of it once they were told', [aPod({ grace: 90, deletedIn: 20 })], undefined, 20],
    ['no more than was left before', [aPod({ grace: 90, deletedIn: 20 })], 60, 20],
    ['none once it is over', [aPod({ grace: 90, deletedIn: -20 })], undefined, 0],
  ];
  it.each(table)('is %s', (_, pods, graceSeconds, wanted) => {
    expect(remainingGraceOf(pods, graceSeconds) / 1000).toBeCloseTo(wanted, 0);
  });
});

describe('a pod whose node should have said that it ended', () => {
  it.each([
    ['is one whose grace period was over 10 s ago', aPod({ deletedIn: -12, given: 30 }), true],
    ['is none whose node has just killed it', aPod({ deletedIn: -5, given: 30 }), false],
    ['is none that may still end by itself', aPod({ deletedIn: 5, given: 30 }), false],
    ['is none that was never told to', aPod(), false],
    ['is none that was forced already', aPod({ deletedIn: -60, given: 0 }), false],
  ])('%s', (_, pod, wanted) => {
    expect(isOverdue(pod)).toBe(wanted);
  });
});
