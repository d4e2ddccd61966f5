import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from './builders.ts';
import { aQueuedLife } from './life.ts';

const queued = () => aQueuedLife(aPlan().workers(3));
const seen = (revision: number, admitted: boolean, message?: string) =>
  aDigest(revision).groups(revision).gang({ scheduled: 'Unknown', admitted, message });

describe('a job whose scheduler lets the group in before there are pods', () => {
  it('makes the group alone', () => {
    const life = queued();
    expect(life.state).toBe('Pending.Queued');
    expect(life.effects).toEqual([{ type: 'createGroup', attempt: 1 }]);
  });

  it('makes no pods while the group waits, and says in the scheduler’s words why', () => {
    const life = queued()
      .does('createGroup')
      .hears(seen(5, false, 'the queue is full'));
    expect(life.effects).toEqual([]);
    expect(life.status).toMatchObject({
      phase: 'Pending',
      cause: { reason: 'WaitingForGang', message: 'no pods yet: the queue is full' },
    });
  });

  it('says so when nobody can read its group', () => {
    const life = queued().does('createGroup').hears(aDigest(5));
    expect(life.status.cause).toEqual({
      reason: 'WaitingForGang',
      message:
        'no pods yet: the watcher cannot read the groups of volcano: its API is not served, or listing them fails',
    });
  });

  it('makes them when the group is let in, and runs as any other', () => {
    const life = queued().does('createGroup').hears(seen(5, true));
    expect(life.effects).toMatchObject([{ type: 'createAttempt', attempt: 1 }]);
    life.does('createAttempt', 10).hears(seen(11, true).workers({ ready: 3 }));
    expect(life.state).toBe('Running');
  });

  it('takes another size while it waits, with its group', () => {
    const life = queued().does('createGroup').hears(seen(5, false));
    life.amend(aPlan().workers(2), 'Worker scaled to 2 by ana');
    expect(life.effects).toEqual([{ type: 'createGroup', attempt: 1 }]);
    expect([life.state, life.lastWord]).toEqual(['Pending.Queued', 'Worker scaled to 2 by ana']);
    life.does('createGroup').hears(seen(6, true)).does('createAttempt', 10);
    expect(life.hears(seen(11, true).workers({ ready: 2 })).state).toBe('Running');
  });

  it('has not started before it has pods', () => {
    const life = queued().does('createGroup').hears(seen(5, false));
    expect(life.status.startTime).toBeUndefined();
    life.hears(seen(6, true)).does('createAttempt', 10);
    expect(life.status.startTime).toBeDefined();
  });

  it('can be stopped while it waits', () => {
    expect(queued().does('createGroup').stop().effects).toMatchObject([
      { type: 'cleanUp', outcome: 'Stopped' },
    ]);
  });

  it('fails if the group cannot be made', () => {
    const cause = { reason: 'ClusterRefused', message: 'no such queue' } as const;
    expect(queued().failsTo('createGroup', cause).status).toMatchObject({ phase: 'Failed', cause });
  });
});
