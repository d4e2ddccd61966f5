import { describe, expect, it } from '@jest/globals';
import { isOverdue } from '../../../activities/deletion/grace-period.ts';
import type { Pod } from '../../../contracts/kubernetes.ts';

const seconds = (from: number) => new Date(Date.now() + from * 1000).toISOString();

/** `deletedIn`: when its grace period is over, in seconds from now. */
const aPod = ({ deletedIn, given }: { deletedIn?: number; given?: number } = {}) =>
  ({
    metadata: {
      name: 'train-worker-0',
      ...(deletedIn === undefined ? {} : { deletionTimestamp: seconds(deletedIn) }),
      ...(given === undefined ? {} : { deletionGracePeriodSeconds: given }),
    },
    spec: { containers: [] },
  }) as unknown as Pod;

describe('a pod whose end is overdue', () => {
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
