import { describe, expect, it } from '@jest/globals';
import { graceOf, isOverdue } from '../../../activities/deletion/grace-period.ts';
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

describe('the grace period of a pod', () => {
  const of = (own: number | undefined, hook = false) => {
    const lifecycle = hook ? { preStop: { exec: { command: ['true'] } } } : undefined;
    const pod = {
      spec: { containers: [{ name: 'pytorch', lifecycle }], terminationGracePeriodSeconds: own },
    };
    return (given?: Parameters<typeof graceOf>[1]) => graceOf(pod as unknown as Pod, given);
  };
  const survivors = { seconds: 2, unlessAsked: true };

  it('is its own, or that of Kubernetes', () => {
    expect([of(undefined)(), of(45)(), of(30)()]).toEqual([30, 45, 30]);
  });

  it('is that of a survivor, unless the pod asks for its own', () => {
    const given = [of(undefined), of(30), of(45), of(30, true)].map((grace) => grace({ survivors }));
    expect(given).toEqual([2, 2, 45, 30]);
  });

  it('is that of a survivor whatever the pod asks for, where the policy says it', () => {
    expect([of(45), of(30, true)].map((grace) => grace({ survivors: { seconds: 7 } }))).toEqual([7, 7]);
  });

  it('is that of the request first', () => {
    expect(of(45)({ graceSeconds: 1, survivors })).toBe(1);
  });
});
