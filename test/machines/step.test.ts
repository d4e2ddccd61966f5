import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan, type DigestBuilder, type PlanBuilder } from './builders.ts';
import { aRun, type MachineRun, START } from './machine-run.ts';
import { allReady, threePods } from './three-pods.ts';

const running = (plan: PlanBuilder = threePods()) =>
  aRun(plan).does('createAttempt', 10).receives(allReady(10));
const oneFailed = (resourceVersion: number, failure: Parameters<DigestBuilder['failure']>[0] = {}) =>
  aDigest(resourceVersion).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure(failure);

describe('a job that succeeds', () => {
  it('is created, scheduled, started, run, cleaned up', () => {
    const run = aRun(threePods());
    expect(run.effects).toEqual([{ type: 'createAttempt', attempt: 1 }]);
    run.does('createAttempt', 10);
    run.receives(aDigest(10).master({ unscheduled: 1 }).workers({ unscheduled: 2 }));
    run.receives(aDigest(11).master({ scheduled: 1 }).workers({ scheduled: 2 }));
    run.receives(allReady(12));
    expect(run.effects).toEqual([]);
    run.receives(aDigest(13).master({ succeeded: 1 }).workers({ ready: 2 }));
    expect(run.effects).toEqual([{ type: 'cleanUp', outcome: 'Completed', scope: 'None' }]);
    run.does('cleanUp');
    expect(run.states).toEqual([
      'Pending.Creating',
      'Pending.Scheduling',
      'Starting.Waiting',
      'Running',
      'Finishing.CleaningUp',
      'Completed',
    ]);
    expect(run.conditions).toEqual(['Created=True', 'Running=False', 'Succeeded=True']);
  });

  it('may end before it was seen running', () => {
    const run = aRun(threePods())
      .receives(aDigest(5).master({ succeeded: 1 }))
      .does('createAttempt', 4);
    expect(run.states).toEqual(['Pending.Creating', 'Finishing.CleaningUp']);
    expect(run.conditions).toEqual(['Created=True', 'Succeeded=True']);
  });
});

describe('a pod that fails', () => {
  it('ends the job when its policy is Never', () => {
    const run = running(aPlan().master('Never').workers(2, 'Never'));
    run.receives(oneFailed(11, { exitCode: 1 }));
    expect(run.effects).toEqual([{ type: 'cleanUp', outcome: 'Failed', scope: 'None' }]);
    expect(run.does('cleanUp').status).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed' } });
  });

  const byExitCode: readonly [exitCode: number | undefined, state: string][] = [
    [1, 'Finishing.CleaningUp'],
    [137, 'Restarting.Replacing'],
    [undefined, 'Restarting.Replacing'],
  ];
  it.each(byExitCode)('with policy ExitCode and code %s leads to %s', (exitCode, state) => {
    const run = running(aPlan().master().workers(2, 'ExitCode'));
    expect(run.receives(oneFailed(11, { exitCode })).state).toBe(state);
  });

  it('is replaced when it was evicted, and the job runs again', () => {
    const run = running().receives(oneFailed(11, { index: 1, uid: 'u1', reason: 'Evicted' }));
    expect(run.conditions).toEqual(['Created=True', 'Restarting=True']);
    expect(run.effects).toEqual([
      {
        type: 'restorePods',
        attempt: 1,
        replace: [{ pod: 'resnet-worker-1', uid: 'u1' }],
        succeededIndices: {},
        asGang: true,
      },
    ]);
    run.does('restorePods', 20).receives(allReady(20));
    expect(run.states.slice(-3)).toEqual(['Restarting.Replacing', 'Pending.Scheduling', 'Running']);
    expect(run.conditions).toEqual(['Created=True', 'Running=True']);
    expect(run.status.restarts).toBe(1);
  });

  it('is replaced outside of the gang once a member has succeeded, even if its pod is gone', () => {
    const run = running();
    run.receives(aDigest(11).master({ ready: 1 }).workers({ ready: 1, succeeded: 1 }));
    run.receives(aDigest(12).master({ ready: 1 }).workers({ failed: 1 }).failure({ index: 1 }));
    expect(run.effects).toMatchObject([
      { type: 'restorePods', succeededIndices: { worker: '0' }, asGang: false },
    ]);
  });

  it('ends the job when the backoff limit is reached', () => {
    const run = running(threePods().backoffLimit(1)).receives(oneFailed(11)).does('restorePods', 20);
    run.receives(oneFailed(20, { uid: 'second' }));
    expect(run.effects).toEqual([{ type: 'cleanUp', outcome: 'Failed', scope: 'Running' }]);
    expect(run.status.cause?.reason).toBe('BackoffLimitExceeded');
    expect(run.conditions).toEqual(['Created=True', 'Restarting=False', 'Failed=True']);
  });
});

describe('a pod deleted by hand', () => {
  it('is replaced, not failed, and counted as a restart', () => {
    const run = running().receives(aDigest(11).master({ ready: 1 }).workers({ ready: 1, terminating: 1 }));
    expect(run.state).toBe('Starting.Waiting');
    run.receives(aDigest(12).master({ ready: 1 }).workers({ ready: 1 }));
    expect(run.effects).toMatchObject([{ type: 'restorePods', replace: [] }]);
    expect(run.status.restarts).toBe(1);
  });

  it('is not recreated when it had succeeded', () => {
    const run = running().receives(aDigest(11).master({ ready: 1 }).workers({ ready: 1, succeeded: 1 }));
    run.receives(aDigest(12).master({ ready: 1 }).workers({ ready: 1 }));
    expect(run.state).toBe('Running');
  });
});

describe('a pod that fails again soon after it was replaced', () => {
  const failedTwice = () =>
    running(threePods().deadline(600))
      .receives(oneFailed(11))
      .does('restorePods', 20)
      .receives(oneFailed(21));

  it('waits for the back-off before it is replaced again', () => {
    const run = failedTwice();
    expect([run.state, run.status.phase, run.effects]).toEqual(['Restarting.BackingOff', 'Restarting', []]);
    expect(run.status.restarts).toBe(1);
    expect(run.status.cause?.message).toContain('the next replacement is at 2026-01-01T00:00:1');
    expect(run.backsOff().effects).toMatchObject([{ type: 'restorePods' }]);
    expect(run.status.restarts).toBe(2);
    expect(Object.keys(run.deadlines)).toEqual(['activeDeadline']);
  });

  it('is not replaced when the job has ended meanwhile', () => {
    expect(failedTwice().receives(aDigest(22).master({ succeeded: 1 }).workers({ ready: 1 })).state).toBe(
      'Finishing.CleaningUp',
    );
    expect(failedTwice().stop().status.phase).toBe('Stopped');
    expect(failedTwice().reachesDeadline().status.cause?.reason).toBe('DeadlineExceeded');
  });

  it('is replaced at once when it was deleted by hand', () => {
    const run = running().receives(oneFailed(11)).does('restorePods', 20);
    run.receives(aDigest(21).master({ ready: 1 }).workers({ ready: 1 }));
    expect(run.state).toBe('Restarting.Replacing');
  });
});

describe('an outdated digest', () => {
  it('from before a replacement decides nothing', () => {
    const run = running().receives(oneFailed(11)).does('restorePods', 20);
    run.receives(oneFailed(19));
    expect([run.state, run.effects]).toEqual(['Pending.Scheduling', []]);
    expect(run.receives(allReady(20)).state).toBe('Running');
  });

  it('that arrived during a replacement decides nothing either', () => {
    const run = running().receives(oneFailed(11));
    run.receives(aDigest(15).master({ ready: 1 }).workers({ ready: 1 })).does('restorePods', 20);
    expect([run.state, run.effects, run.status.restarts]).toEqual(['Pending.Scheduling', [], 1]);
  });

  it('of a cancelled effect does not count as the end of the clean-up', () => {
    const run = aRun(threePods()).stop().does('createAttempt', 10);
    expect(run.state).toBe('Finishing.CleaningUp');
    run.failsTo('createAttempt', { reason: 'ClusterRefused', message: 'quota' });
    expect([run.state, run.effects, run.status.phase]).toEqual(['Finishing.CleaningUp', [], 'Stopped']);
    expect(run.does('cleanUp').state).toBe('Stopped');
  });
});

describe('a stop', () => {
  const places: readonly [state: string, run: () => MachineRun][] = [
    ['Pending.Creating', () => aRun(threePods())],
    ['Pending.Scheduling', () => aRun(threePods()).does('createAttempt')],
    [
      'Starting.Waiting',
      () => running().receives(aDigest(11).master({ scheduled: 1 }).workers({ ready: 2 })),
    ],
    ['Running', () => running()],
    ['Restarting.Replacing', () => running().receives(oneFailed(11))],
  ];
  it.each(places)('in %s removes everything and ends in Stopped', (state, arrive) => {
    const run = arrive();
    expect(run.state).toBe(state);
    run.stop();
    expect(run.effects).toEqual([{ type: 'cleanUp', outcome: 'Stopped', scope: 'Everything' }]);
    run.does('cleanUp');
    expect([run.state, run.effects]).toEqual(['Stopped', []]);
  });

  it('does not change an outcome that is decided', () => {
    const run = running()
      .receives(aDigest(11).master({ succeeded: 1 }))
      .stop();
    expect(run.effects).toEqual([]);
    expect(run.does('cleanUp').stop().state).toBe('Completed');
  });
});

describe('the deadline', () => {
  it('counts from when the objects exist, and is set once', () => {
    const run = aRun(threePods().deadline(60));
    expect(run.deadlines).toEqual({});
    run.does('createAttempt', 10).receives(allReady(10));
    const { deadlines } = run;
    expect(deadlines).toEqual({ activeDeadline: Date.parse('2026-01-01T00:01:01Z') });
    run.receives(oneFailed(11)).does('restorePods', 20);
    expect(run.deadlines).toEqual(deadlines);
  });

  it('fails the job, stops its pods, and does not fire again', () => {
    const run = running(threePods().deadline(60)).reachesDeadline();
    expect(run.effects).toEqual([{ type: 'cleanUp', outcome: 'Failed', scope: 'Running' }]);
    expect(run.deadlines).toEqual({});
    expect(run.does('cleanUp').status).toMatchObject({
      phase: 'Failed',
      cause: { reason: 'DeadlineExceeded', rule: 'spec.runPolicy.activeDeadlineSeconds: 60' },
    });
  });

  it('does nothing to a job that is being cleaned up', () => {
    const run = running(threePods().deadline(60)).stop().reachesDeadline();
    expect([run.effects, run.status.phase]).toEqual([[], 'Stopped']);
  });
});

describe('an effect that fails', () => {
  it.each([
    ['createAttempt', 'Everything', () => aRun(threePods())],
    ['restorePods', 'Running', () => running().receives(oneFailed(11))],
  ] as const)('fails the job: %s', (effect, scope, arrive) => {
    const run = arrive().failsTo(effect, { reason: 'ClusterRefused', message: 'exceeded quota' });
    expect(run.effects).toEqual([{ type: 'cleanUp', outcome: 'Failed', scope }]);
    expect(run.status.cause).toEqual({ reason: 'ClusterRefused', message: 'exceeded quota' });
  });

  it('does not change the outcome when it is the clean-up', () => {
    const run = running().stop().failsTo('cleanUp', { reason: 'EngineFault', message: 'oops' });
    expect([run.state, run.status.cause?.reason]).toEqual(['Finishing.CleaningUp', 'StopRequested']);
    expect(run.reaches('look').does('cleanUp').state).toBe('Stopped');
  });
});

describe('a deleted anchor', () => {
  it('stops the job at once', () => {
    const run = running().receives(aDigest(0).withoutAnchor());
    expect(run.effects).toEqual([{ type: 'cleanUp', outcome: 'Stopped', scope: 'Everything' }]);
    expect(run.status.cause).toEqual({
      reason: 'AnchorDeleted',
      message: expect.stringMatching(
        /^somebody deleted the ConfigMap .* \(its anchor\), so Kubernetes deleted its pods/,
      ),
    });
  });

  it('is kept while objects are being created', () => {
    const run = aRun(threePods()).receives(aDigest(1).withoutAnchor()).receives(allReady(2));
    expect([run.state, run.effects]).toEqual(['Pending.Creating', []]);
    expect(run.does('createAttempt').status.cause?.reason).toBe('AnchorDeleted');
  });
});

describe('a job that continues in another run', () => {
  const events: readonly ((run: MachineRun) => MachineRun)[] = [
    (run) => run.does('createAttempt', 10),
    (run) => run.receives(aDigest(10).master({ unscheduled: 1 }).workers({ scheduled: 2 })),
    (run) => run.receives(allReady(11).restarts(1)),
    (run) => run.receives(aDigest(12).master({ ready: 1 }).workers({ ready: 1, succeeded: 1 })),
    (run) =>
      run.receives(aDigest(13).master({ failed: 1 }).workers({ ready: 1 }).failure({ role: 'master' })),
    (run) => run.does('restorePods', 20),
    (run) => run.receives(oneFailed(19)),
    (run) => run.receives(aDigest(21).master({ ready: 1 }).workers({ ready: 1 })),
    (run) => run.receives(aDigest(22).master({ succeeded: 1 })),
    (run) => run.does('cleanUp'),
  ];

  it.each(events.map((_, index) => index))('after event %i has the same future', (place) => {
    const plan = () => threePods().deadline(600).backoffLimit(9);
    const stayed = aRun(plan());
    const moved = aRun(plan());
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

it('an answer to a question with a later time is ignored: another job has asked it', () => {
  const run = running();
  const later = START + 3_600_000;
  run.receives(allReady(11).answers({}, later));
  expect(run.context.digest).toMatchObject({ resourceVersions: { pods: 11 }, answers: undefined });
  const earlier = START;
  run.receives(allReady(11).answers({}, earlier));
  expect(run.context.digest?.answers).toBe(earlier);
});
