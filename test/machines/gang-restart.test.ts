import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from './builders.ts';
import { aRunWithEvidence } from './machine-run.ts';
import {
  allReady,
  draining,
  gangJob,
  oneFailed,
  type RunningMachine,
  running,
  startsAgain,
  threePods,
  withLadder,
} from './three-pods.ts';

describe('a gang that restarts', () => {
  it('takes evidence, drains, and begins a new attempt', () => {
    const run = running(gangJob()).receives(oneFailed(11, { uid: 'u0' }));
    expect(run.effects).toEqual([
      { type: 'capture', attempt: 1, pods: [{ pod: 'resnet-worker-0', uid: 'u0' }] },
    ]);
    expect(run.captures().effects).toMatchObject([{ type: 'drain', attempt: 1 }]);
    expect(run.does('drain').effects).toEqual([{ type: 'createAttempt', attempt: 2 }]);
    expect(run.does('createAttempt', 30).receives(allReady(30, 2)).status).toMatchObject({
      phase: 'Running',
      attempt: 2,
      restarts: 1,
    });
    expect(run.states.slice(-6)).toEqual([
      'Running',
      'Restarting.Capturing',
      'Restarting.Draining',
      'Pending.Creating',
      'Pending.Scheduling',
      'Running',
    ]);
    expect(run.conditions).toEqual(['Created=True', 'Running=True']);
  });

  describe('the rest of which fails while evidence is taken', () => {
    const broken = aDigest(12)
      .master({ ready: 1 })
      .workers({ failed: 2 })
      .failure({ uid: 'u0', exitCode: 1 })
      .failure({ uid: 'u1', index: 1, exitCode: 1 });
    const failing = (plan = gangJob()) =>
      running(plan)
        .receives(oneFailed(11, { uid: 'u0' }))
        .receives(broken)
        .captures();
    const captureOfTheRest = [{ type: 'capture', attempt: 1, pods: [{ pod: 'resnet-worker-1', uid: 'u1' }] }];

    it('drains, which takes evidence of the others before it deletes them', () => {
      expect(failing().effects).toMatchObject([{ type: 'drain', attempt: 1 }]);
    });

    it('has all evidence first if a pattern may decide', () => {
      const plan = gangJob().policy({ failures: { rules: [{ class: 'userCode', pattern: 'NaN' }] } });
      expect(failing(plan).effects).toEqual(captureOfTheRest);
    });

    it('has all evidence first if failed pods are held', () => {
      expect(failing(gangJob().policy({ holdOnFailureMs: 60_000 })).effects).toEqual(captureOfTheRest);
    });
  });

  it('creates nothing before every pod of the old attempt is gone, whatever event arrives', () => {
    const run = draining().receives(aDigest(12).attempt(0)).retryNow().receives(allReady(13));
    expect([run.state, run.effects]).toEqual(['Restarting.Draining', []]);
    expect(run.does('createAttempt', 99).effects).toEqual([]);
    expect(run.does('restorePods', 99).state).toBe('Restarting.Draining');
  });

  it('counts as one restart, however many of its pods failed', () => {
    const all = aDigest(11).master({ failed: 1 }).workers({ failed: 2 });
    const failed = all
      .failure({ role: 'master', exitCode: 1 })
      .failure({ exitCode: 1 })
      .failure({ index: 1, exitCode: 1 });
    expect(running(gangJob()).receives(failed).captures().status.restarts).toBe(1);
  });

  it('also restarts succeeded replicas: the others cannot continue without them', () => {
    const run = running(gangJob());
    run.receives(
      aDigest(11)
        .master({ ready: 1 })
        .workers({ succeeded: 1, failed: 1 })
        .failure({ index: 1, exitCode: 1 }),
    );
    expect(run.context.succeededIndices).toEqual({ worker: '0' });
    run.captures().does('drain');
    expect([run.context.succeededIndices, run.effects]).toEqual([
      {},
      [{ type: 'createAttempt', attempt: 2 }],
    ]);
  });

  it('waits for admission by its scheduler again, where that admits groups', () => {
    const run = aRunWithEvidence(gangJob(), { queued: true }).does('createGroup');
    run.receives(aDigest(5).attempt(0).gang({ scheduled: 'Unknown', admitted: true }));
    run.does('createAttempt', 10).receives(oneFailed(11)).captures().does('drain');
    expect([run.state, run.effects]).toEqual(['Pending.Queued', [{ type: 'createGroup', attempt: 2 }]]);
  });

  it('makes its launcher wait for the workers again', () => {
    const plan = aPlan()
      .workers(2)
      .launcher()
      .policy({ restart: { ladder: [{ scope: 'gang' }] } });
    const ready = (resourceVersion: number, attempt: number) =>
      aDigest(resourceVersion).attempt(attempt).workers({ ready: 2 });
    const run = aRunWithEvidence(plan).does('createAttempt', 10).receives(ready(10, 1)).does('launch', 20);
    run.receives(
      aDigest(21).launcher({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure({ exitCode: 1 }),
    );
    run.captures().does('drain');
    expect(run.effects).toEqual([{ type: 'createAttempt', attempt: 2, roles: ['Worker'] }]);
    run.does('createAttempt', 30).receives(ready(30, 2));
    expect(run.effects).toMatchObject([{ type: 'launch', attempt: 2, roles: ['Launcher'] }]);
  });

  it('is not caused by missing pods of a role whose failures are ignored', () => {
    const plan = aPlan()
      .master()
      .workersWith(2, { onFailure: { do: 'ignore', rule: 'spec.kind' } })
      .policy({ restart: { ladder: [{ scope: 'gang' }] } });
    const run = aRunWithEvidence(plan).does('createAttempt', 10);
    run.receives(aDigest(11).master({ ready: 1 }).workers({ ready: 1 }));
    expect([run.effects.map(({ type }) => type), run.status.restarts]).toEqual([['restorePods'], 0]);
  });

  it('keeps its start time', () => {
    const run = running(gangJob());
    const { startTime } = run.status;
    expect(startsAgain(run.receives(oneFailed(11)).captures(), 30).status.startTime).toBe(startTime);
  });

  it('ends when its anchor is deleted while it drains', () => {
    expect(draining().receives(aDigest(12).withoutAnchor()).status).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'AnchorDeleted' },
    });
  });

  it('fails when it cannot be drained', () => {
    const run = draining().failsTo('drain', { reason: 'ClusterRefused', message: 'pods is forbidden' });
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'ClusterRefused' } });
  });
});

describe('the back-off of a gang', () => {
  const failedTwice = () =>
    startsAgain(draining(), 30)
      .receives(oneFailed(31, {}, 2))
      .captures();

  it('runs while the gang drains, and the rest of it after that', () => {
    const run = failedTwice();
    expect(run.secondsTo('backOff')).toBe(10);
    run.waits(6).does('drain');
    expect([run.state, run.effects, run.secondsTo('backOff')]).toEqual(['Restarting.Drained', [], 3]);
    expect(run.reaches('backOff').effects).toEqual([{ type: 'createAttempt', attempt: 3 }]);
  });

  it('has ended before a gang that drains slowly is gone', () => {
    const run = failedTwice().reaches('backOff');
    expect([run.state, run.effects]).toEqual(['Restarting.Draining', []]);
    expect(run.does('drain').effects).toEqual([{ type: 'createAttempt', attempt: 3 }]);
  });

  it.each([
    ['while it drains', (run: RunningMachine) => run.retryNow().does('drain')],
    ['when it is drained', (run: RunningMachine) => run.does('drain').retryNow()],
  ])('is ended by a request to retry now: %s', (_, retry) => {
    const run = retry(failedTwice());
    expect(run.effects).toEqual([{ type: 'createAttempt', attempt: 3 }]);
    expect(run.status.timeline.map(({ cause }) => cause)).toContain('retried at once by ana');
  });

  it('counts the time already waited, when only a pod was to be replaced before', () => {
    const run = running(withLadder({ scope: 'pod' }))
      .receives(oneFailed(11))
      .captures();
    run.does('restorePods', 20).receives(oneFailed(20)).captures().waits(4);
    expect([run.state, run.secondsTo('backOff')]).toEqual(['Restarting.BackingOff', 6]);
    expect([run.amend(gangJob()).state, run.secondsTo('backOff')]).toEqual(['Restarting.Draining', 5]);
  });

  it('that ends while evidence is taken is not waited for again', () => {
    const run = running(withLadder({ scope: 'pod' }))
      .receives(oneFailed(11))
      .captures();
    run
      .does('restorePods', 20)
      .receives(oneFailed(20, { uid: 'u0' }))
      .captures();
    const both = aDigest(21).master({ ready: 1 }).workers({ failed: 2 });
    run.receives(both.failure({ uid: 'u1', exitCode: 1 }).failure({ index: 1, uid: 'u2', exitCode: 1 }));
    expect(run.state).toBe('Restarting.BackingOff');
    expect(run.amend(gangJob()).state).toBe('Restarting.Capturing');
    const [capture] = run.effects;
    expect(capture).toMatchObject({ type: 'capture', pods: [{ uid: 'u1' }, { uid: 'u2' }] });
    run.reaches('backOff').does('capture').does('drain');
    expect(run.effects).toEqual([{ type: 'createAttempt', attempt: 2 }]);
  });

  it('grows with each restart, and starts at zero after a long time without restarts', () => {
    const run = startsAgain(failedTwice().reaches('backOff'), 40)
      .receives(oneFailed(41, {}, 3))
      .captures();
    expect(run.secondsTo('backOff')).toBe(20);
    startsAgain(run.reaches('backOff'), 50)
      .waits(600)
      .receives(oneFailed(51, {}, 4))
      .captures();
    expect(run.secondsTo('backOff')).toBeUndefined();
  });
});

describe('a gang that is stopped', () => {
  it.each([
    ['while it drains', (run: RunningMachine) => run],
    ['when it is drained', (run: RunningMachine) => startsAgain(run, 30).receives(oneFailed(31, {}, 2)).captures().does('drain')], // biome-ignore format: one line
  ])('%s does not restart', (_, arrive) => {
    const run = arrive(draining()).stop();
    expect(run.effects).toEqual([{ type: 'cleanUp', outcome: 'Stopped', scope: 'Everything' }]);
    expect(run.does('drain').effects).toEqual([]);
    expect(run.does('cleanUp').state).toBe('Stopped');
  });

  it('does not exceed its deadline twice', () => {
    const run = draining(gangJob().deadline(60)).reaches('activeDeadline');
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'DeadlineExceeded' } });
    expect(run.deadlines).toEqual({});
  });
});

it('a job without a policy replaces single pods by default', () => {
  const run = running(threePods()).receives(oneFailed(11)).captures();
  expect(run.effects).toMatchObject([{ type: 'restorePods', attempt: 1 }]);
});
