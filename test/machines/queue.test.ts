import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from './builders.ts';
import { aQueuedRun } from './machine-run.ts';

const queued = () => aQueuedRun(aPlan().workers(3));
const seen = (resourceVersion: number, admitted: boolean, message?: string) =>
  aDigest(resourceVersion).groups(resourceVersion).gang({ scheduled: 'Unknown', admitted, message });

describe('a job whose scheduler admits the group before there are pods', () => {
  it('creates the group alone', () => {
    const run = queued();
    expect(run.state).toBe('Pending.Queued');
    expect(run.effects).toEqual([{ type: 'createGroup', attempt: 1 }]);
  });

  it('creates no pods while the group waits, and shows the message of the scheduler', () => {
    const run = queued()
      .does('createGroup')
      .receives(seen(5, false, 'the queue is full'));
    expect(run.effects).toEqual([]);
    expect(run.status).toMatchObject({
      phase: 'Pending',
      cause: { reason: 'WaitingForGang', message: 'no pods yet: the queue is full' },
    });
  });

  it('says that the queue can never admit it', () => {
    const never = {
      scheduled: 'False',
      admitted: false,
      reason: 'NeverFits',
      message: 'Kueue: too much',
    } as const;
    const run = queued().does('createGroup').receives(aDigest(5).groups(5).gang(never));
    expect(run.status.cause).toEqual({ reason: 'NeverFits', message: 'no pods yet: Kueue: too much' });
  });

  it('has a cause that says so when its group cannot be read', () => {
    const run = queued().does('createGroup').receives(aDigest(5));
    expect(run.status.cause).toEqual({
      reason: 'WaitingForGang',
      message:
        'no pods yet: the watcher cannot read the groups of volcano: its API is not served, or listing them fails',
    });
  });

  it('creates them when the group is admitted, and runs as any other', () => {
    const run = queued().does('createGroup').receives(seen(5, true));
    expect(run.effects).toMatchObject([{ type: 'createAttempt', attempt: 1 }]);
    run.does('createAttempt', 10).receives(seen(11, true).workers({ ready: 3 }));
    expect(run.state).toBe('Running');
  });

  it('gets another size while it waits, with its group', () => {
    const run = queued().does('createGroup').receives(seen(5, false));
    run.amend(aPlan().workers(2), 'Worker scaled to 2 by ana');
    expect(run.effects).toEqual([{ type: 'createGroup', attempt: 1 }]);
    expect([run.state, run.lastCause]).toEqual(['Pending.Queued', 'Worker scaled to 2 by ana']);
    run.does('createGroup').receives(seen(6, true)).does('createAttempt', 10);
    expect(run.receives(seen(11, true).workers({ ready: 2 })).state).toBe('Running');
  });

  it('asks again, as the next attempt, when it is evicted before it has pods', () => {
    const run = queued().does('createGroup').receives(seen(5, false).evicted());
    expect([run.state, run.effects]).toEqual(['Pending.Queued', [{ type: 'createGroup', attempt: 2 }]]);
    run.does('createGroup').receives(seen(6, true).attempt(2));
    expect(run.effects).toMatchObject([{ type: 'createAttempt', attempt: 2 }]);
  });

  it('asks again when it is no longer admitted while its pods are created', () => {
    const run = queued().does('createGroup').receives(seen(5, true));
    run.does('createAttempt', { resourceVersion: 0, isUnadmitted: true });
    expect([run.state, run.effects]).toEqual(['Pending.Queued', [{ type: 'createGroup', attempt: 2 }]]);
    expect(run.status.restarts).toBe(0);
  });

  it('has not started before it has pods', () => {
    const run = queued().does('createGroup').receives(seen(5, false));
    expect(run.status.startTime).toBeUndefined();
    run.receives(seen(6, true)).does('createAttempt', 10);
    expect(run.status.startTime).toBeDefined();
  });

  it('can be stopped while it waits', () => {
    expect(queued().does('createGroup').stop().effects).toMatchObject([
      { type: 'cleanUp', outcome: 'Stopped' },
    ]);
  });

  it('fails if the group cannot be created', () => {
    const cause = { reason: 'ClusterRefused', message: 'no such queue' } as const;
    expect(queued().failsTo('createGroup', cause).status).toMatchObject({ phase: 'Failed', cause });
  });
});
