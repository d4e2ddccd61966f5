import { expect, it } from '@jest/globals';
import { countEnded } from '../../../machines/gang/ended-pods.ts';
import { aDigest, aPlan } from '../builders.ts';
import { aRun } from '../machine-run.ts';

const endedUnder = (policy: Parameters<ReturnType<typeof aPlan>['policy']>[0]): number => {
  const digest = aDigest(11).master({ ready: 1 }).workers({ ready: 1, succeeded: 2 });
  const plan = aPlan().master().workers(3).policy(policy);
  return countEnded(aRun(plan).does('createAttempt', 10).receives(digest).context);
};

it('replicas that have succeeded have ended for good', () => {
  expect(endedUnder({})).toBe(2);
});

it('nothing has, where a restart of its role makes it anew in the same attempt', () => {
  const restart = (scope: 'role' | 'gang') => ({ restart: { ladder: [{ scope }] } });
  expect([endedUnder(restart('gang')), endedUnder(restart('role'))]).toEqual([2, 0]);
});
