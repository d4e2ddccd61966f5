import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan, type DigestBuilder, type PlanBuilder } from './builders.ts';
import { aLife, type Life } from './life.ts';

const threePods = () => aPlan().master().workers(2);
const allReady = (revision: number) => aDigest(revision).master({ ready: 1 }).workers({ ready: 2 });
const running = (plan: PlanBuilder = threePods()) =>
  aLife(plan).does('createAttempt', 10).hears(allReady(10));
const oneFailed = (revision: number, failure: Parameters<DigestBuilder['failure']>[0] = {}) =>
  aDigest(revision).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure(failure);

describe('a job that succeeds', () => {
  it('is created, scheduled, started, run, cleaned up', () => {
    const life = aLife(threePods());
    expect(life.effects).toEqual([{ type: 'createAttempt', attempt: 1 }]);
    life.does('createAttempt', 10);
    life.hears(aDigest(10).master({ unscheduled: 1 }).workers({ unscheduled: 2 }));
    life.hears(aDigest(11).master({ scheduled: 1 }).workers({ scheduled: 2 }));
    life.hears(allReady(12));
    expect(life.effects).toEqual([]);
    life.hears(aDigest(13).master({ succeeded: 1 }).workers({ ready: 2 }));
    expect(life.effects).toEqual([{ type: 'cleanUp', outcome: 'Completed', scope: 'None' }]);
    life.does('cleanUp');
    expect(life.states).toEqual([
      'Pending.Creating',
      'Pending.Scheduling',
      'Starting.Waiting',
      'Running',
      'Finishing.CleaningUp',
      'Completed',
    ]);
    expect(life.conditions).toEqual(['Created=True', 'Running=False', 'Succeeded=True']);
  });

  it('may be over before it was seen to run', () => {
    const life = aLife(threePods())
      .hears(aDigest(5).master({ succeeded: 1 }))
      .does('createAttempt', 4);
    expect(life.states).toEqual(['Pending.Creating', 'Finishing.CleaningUp']);
    expect(life.conditions).toEqual(['Created=True', 'Succeeded=True']);
  });
});

describe('a pod that fails', () => {
  it('ends the job when its policy is Never', () => {
    const life = running(aPlan().master('Never').workers(2, 'Never'));
    life.hears(oneFailed(11, { exitCode: 1 }));
    expect(life.effects).toEqual([{ type: 'cleanUp', outcome: 'Failed', scope: 'None' }]);
    expect(life.does('cleanUp').status).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed' } });
  });

  const byExitCode: readonly [exitCode: number | undefined, state: string][] = [
    [1, 'Finishing.CleaningUp'],
    [137, 'Restarting.Replacing'],
    [undefined, 'Restarting.Replacing'],
  ];
  it.each(byExitCode)('with policy ExitCode and code %s leads to %s', (exitCode, state) => {
    const life = running(aPlan().master().workers(2, 'ExitCode'));
    expect(life.hears(oneFailed(11, { exitCode })).state).toBe(state);
  });

  it('is replaced when it was evicted, and the job runs again', () => {
    const life = running().hears(oneFailed(11, { index: 1, uid: 'u1', reason: 'Evicted' }));
    expect(life.conditions).toEqual(['Created=True', 'Restarting=True']);
    expect(life.effects).toEqual([
      {
        type: 'restorePods',
        attempt: 1,
        replace: [{ pod: 'resnet-worker-1', uid: 'u1' }],
        succeededIndices: {},
        asGang: true,
      },
    ]);
    life.does('restorePods', 20).hears(allReady(20));
    expect(life.states.slice(-3)).toEqual(['Restarting.Replacing', 'Pending.Scheduling', 'Running']);
    expect(life.conditions).toEqual(['Created=True', 'Running=True']);
    expect(life.status.restarts).toBe(1);
  });

  it('is replaced outside of the gang once a member has succeeded, even if its pod is gone', () => {
    const life = running();
    life.hears(aDigest(11).master({ ready: 1 }).workers({ ready: 1, succeeded: 1 }));
    life.hears(aDigest(12).master({ ready: 1 }).workers({ failed: 1 }).failure({ index: 1 }));
    expect(life.effects).toMatchObject([
      { type: 'restorePods', succeededIndices: { worker: '0' }, asGang: false },
    ]);
  });

  it('ends the job when the backoff limit is reached', () => {
    const life = running(threePods().backoffLimit(1)).hears(oneFailed(11)).does('restorePods', 20);
    life.hears(oneFailed(20, { uid: 'second' }));
    expect(life.effects).toEqual([{ type: 'cleanUp', outcome: 'Failed', scope: 'Running' }]);
    expect(life.status.cause?.reason).toBe('BackoffLimitExceeded');
    expect(life.conditions).toEqual(['Created=True', 'Restarting=False', 'Failed=True']);
  });
});

describe('a pod deleted by hand', () => {
  it('is replaced, not failed, and counted as a restart', () => {
    const life = running().hears(aDigest(11).master({ ready: 1 }).workers({ ready: 1, terminating: 1 }));
    expect(life.state).toBe('Starting.Waiting');
    life.hears(aDigest(12).master({ ready: 1 }).workers({ ready: 1 }));
    expect(life.effects).toMatchObject([{ type: 'restorePods', replace: [] }]);
    expect(life.status.restarts).toBe(1);
  });

  it('is not run again when it had succeeded', () => {
    const life = running().hears(aDigest(11).master({ ready: 1 }).workers({ ready: 1, succeeded: 1 }));
    life.hears(aDigest(12).master({ ready: 1 }).workers({ ready: 1 }));
    expect(life.state).toBe('Running');
  });
});

describe('a pod that fails again soon after it was replaced', () => {
  const failedTwice = () =>
    running(threePods().deadline(600)).hears(oneFailed(11)).does('restorePods', 20).hears(oneFailed(21));

  it('waits for the back-off before it is replaced again', () => {
    const life = failedTwice();
    expect([life.state, life.status.phase, life.effects]).toEqual([
      'Restarting.BackingOff',
      'Restarting',
      [],
    ]);
    expect(life.status.restarts).toBe(1);
    expect(life.status.cause?.message).toContain('the next replacement is at 2026-01-01T00:00:1');
    expect(life.backsOff().effects).toMatchObject([{ type: 'restorePods' }]);
    expect(life.status.restarts).toBe(2);
    expect(Object.keys(life.deadlines)).toEqual(['activeDeadline']);
  });

  it('does not wait when the job has ended meanwhile', () => {
    expect(failedTwice().hears(aDigest(22).master({ succeeded: 1 }).workers({ ready: 1 })).state).toBe(
      'Finishing.CleaningUp',
    );
    expect(failedTwice().stop().status.phase).toBe('Stopped');
    expect(failedTwice().reachesDeadline().status.cause?.reason).toBe('DeadlineExceeded');
  });

  it('is replaced at once when it was deleted by hand', () => {
    const life = running().hears(oneFailed(11)).does('restorePods', 20);
    life.hears(aDigest(21).master({ ready: 1 }).workers({ ready: 1 }));
    expect(life.state).toBe('Restarting.Replacing');
  });
});

describe('old words', () => {
  it('from before a replacement decide nothing', () => {
    const life = running().hears(oneFailed(11)).does('restorePods', 20);
    life.hears(oneFailed(19));
    expect([life.state, life.effects]).toEqual(['Pending.Scheduling', []]);
    expect(life.hears(allReady(20)).state).toBe('Running');
  });

  it('that came while the pods were being replaced decide nothing either', () => {
    const life = running().hears(oneFailed(11));
    life.hears(aDigest(15).master({ ready: 1 }).workers({ ready: 1 })).does('restorePods', 20);
    expect([life.state, life.effects, life.status.restarts]).toEqual(['Pending.Scheduling', [], 1]);
  });

  it('of an effect that was cancelled are not taken for the end of the clean-up', () => {
    const life = aLife(threePods()).stop().does('createAttempt', 10);
    expect(life.state).toBe('Finishing.CleaningUp');
    life.failsTo('createAttempt', { reason: 'ClusterRefused', message: 'quota' });
    expect([life.state, life.effects, life.status.phase]).toEqual(['Finishing.CleaningUp', [], 'Stopped']);
    expect(life.does('cleanUp').state).toBe('Stopped');
  });
});

describe('a stop', () => {
  const places: readonly [state: string, life: () => Life][] = [
    ['Pending.Creating', () => aLife(threePods())],
    ['Pending.Scheduling', () => aLife(threePods()).does('createAttempt')],
    ['Starting.Waiting', () => running().hears(aDigest(11).master({ scheduled: 1 }).workers({ ready: 2 }))],
    ['Running', () => running()],
    ['Restarting.Replacing', () => running().hears(oneFailed(11))],
  ];
  it.each(places)('in %s removes everything and ends in Stopped', (state, arrive) => {
    const life = arrive();
    expect(life.state).toBe(state);
    life.stop();
    expect(life.effects).toEqual([{ type: 'cleanUp', outcome: 'Stopped', scope: 'Everything' }]);
    life.does('cleanUp');
    expect([life.state, life.effects]).toEqual(['Stopped', []]);
  });

  it('does not change an outcome that is decided', () => {
    const life = running()
      .hears(aDigest(11).master({ succeeded: 1 }))
      .stop();
    expect(life.effects).toEqual([]);
    expect(life.does('cleanUp').stop().state).toBe('Completed');
  });
});

describe('the deadline', () => {
  it('counts from when the objects exist, and is set once', () => {
    const life = aLife(threePods().deadline(60));
    expect(life.deadlines).toEqual({});
    life.does('createAttempt', 10).hears(allReady(10));
    const { deadlines } = life;
    expect(deadlines).toEqual({ activeDeadline: Date.parse('2026-01-01T00:01:01Z') });
    life.hears(oneFailed(11)).does('restorePods', 20);
    expect(life.deadlines).toEqual(deadlines);
  });

  it('fails the job, stops its pods, and rings no more', () => {
    const life = running(threePods().deadline(60)).reachesDeadline();
    expect(life.effects).toEqual([{ type: 'cleanUp', outcome: 'Failed', scope: 'Running' }]);
    expect(life.deadlines).toEqual({});
    expect(life.does('cleanUp').status).toMatchObject({
      phase: 'Failed',
      cause: { reason: 'DeadlineExceeded', rule: 'spec.runPolicy.activeDeadlineSeconds: 60' },
    });
  });

  it('does nothing to a job that is being cleaned up', () => {
    const life = running(threePods().deadline(60)).stop().reachesDeadline();
    expect([life.effects, life.status.phase]).toEqual([[], 'Stopped']);
  });
});

describe('an effect that fails', () => {
  it.each([
    ['createAttempt', 'Everything', () => aLife(threePods())],
    ['restorePods', 'Running', () => running().hears(oneFailed(11))],
  ] as const)('fails the job: %s', (effect, scope, arrive) => {
    const life = arrive().failsTo(effect, { reason: 'ClusterRefused', message: 'exceeded quota' });
    expect(life.effects).toEqual([{ type: 'cleanUp', outcome: 'Failed', scope }]);
    expect(life.status.cause).toEqual({ reason: 'ClusterRefused', message: 'exceeded quota' });
  });

  it('does not change the outcome when it is the clean-up', () => {
    const life = running().stop().failsTo('cleanUp', { reason: 'EngineFault', message: 'oops' });
    expect([life.state, life.status.cause?.reason]).toEqual(['Finishing.CleaningUp', 'StopRequested']);
    expect(life.reaches('look').does('cleanUp').state).toBe('Stopped');
  });
});

describe('a deleted anchor', () => {
  it('stops the job at once', () => {
    const life = running().hears(aDigest(0).withoutAnchor());
    expect(life.effects).toEqual([{ type: 'cleanUp', outcome: 'Stopped', scope: 'Everything' }]);
    expect(life.status.cause?.reason).toBe('AnchorDeleted');
  });

  it('is remembered while objects are being created', () => {
    const life = aLife(threePods()).hears(aDigest(1).withoutAnchor()).hears(allReady(2));
    expect([life.state, life.effects]).toEqual(['Pending.Creating', []]);
    expect(life.does('createAttempt').status.cause?.reason).toBe('AnchorDeleted');
  });
});

describe('a job that goes on in another run', () => {
  const events: readonly ((life: Life) => Life)[] = [
    (life) => life.does('createAttempt', 10),
    (life) => life.hears(aDigest(10).master({ unscheduled: 1 }).workers({ scheduled: 2 })),
    (life) => life.hears(allReady(11).restarts(1)),
    (life) => life.hears(aDigest(12).master({ ready: 1 }).workers({ ready: 1, succeeded: 1 })),
    (life) => life.hears(aDigest(13).master({ failed: 1 }).workers({ ready: 1 }).failure({ role: 'master' })),
    (life) => life.does('restorePods', 20),
    (life) => life.hears(oneFailed(19)),
    (life) => life.hears(aDigest(21).master({ ready: 1 }).workers({ ready: 1 })),
    (life) => life.hears(aDigest(22).master({ succeeded: 1 })),
    (life) => life.does('cleanUp'),
  ];

  it.each(events.map((_, index) => index))('after event %i has the same future', (place) => {
    const plan = () => threePods().deadline(600).backoffLimit(9);
    const stayed = aLife(plan());
    const moved = aLife(plan());
    for (const [index, happens] of events.entries()) {
      happens(stayed);
      if (index === place) moved.continueAsNew();
      happens(moved);
      expect(moved.effects).toEqual(stayed.effects);
      expect(moved.status).toEqual(stayed.status);
    }
    expect(moved.state).toBe('Completed');
  });
});
