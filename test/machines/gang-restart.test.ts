import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from './builders.ts';
import { aLifeWithEvidence } from './life.ts';
import {
  type ALife,
  allReady,
  oneFailed,
  running,
  startsAgain,
  threePods,
  withLadder,
} from './three-pods.ts';

const gang = () => withLadder({ scope: 'gang' });
const draining = (plan = gang()) => running(plan).hears(oneFailed(11)).captures();

describe('a gang that starts again', () => {
  it('has evidence taken, is drained, and begins a new attempt', () => {
    const life = running(gang()).hears(oneFailed(11, { uid: 'u0' }));
    expect(life.effects).toEqual([
      { type: 'capture', attempt: 1, pods: [{ pod: 'resnet-worker-0', uid: 'u0' }] },
    ]);
    expect(life.captures().effects).toEqual([{ type: 'drain', attempt: 1 }]);
    expect(life.does('drain').effects).toEqual([{ type: 'createAttempt', attempt: 2 }]);
    expect(life.does('createAttempt', 30).hears(allReady(30, 2)).status).toMatchObject({
      phase: 'Running',
      attempt: 2,
      restarts: 1,
    });
    expect(life.states.slice(-6)).toEqual([
      'Running',
      'Restarting.Capturing',
      'Restarting.Draining',
      'Pending.Creating',
      'Pending.Scheduling',
      'Running',
    ]);
    expect(life.conditions).toEqual(['Created=True', 'Running=True']);
  });

  it('makes nothing before every pod of the old attempt is gone, whatever is heard', () => {
    const life = draining().hears(aDigest(12).attempt(0)).retryNow().hears(allReady(13));
    expect([life.state, life.effects]).toEqual(['Restarting.Draining', []]);
    expect(life.does('createAttempt', 99).effects).toEqual([]);
    expect(life.does('restorePods', 99).state).toBe('Restarting.Draining');
  });

  it('counts as one restart, however many of its pods failed', () => {
    const all = aDigest(11).master({ failed: 1 }).workers({ failed: 2 });
    const failed = all
      .failure({ role: 'master', exitCode: 1 })
      .failure({ exitCode: 1 })
      .failure({ index: 1, exitCode: 1 });
    expect(running(gang()).hears(failed).captures().status.restarts).toBe(1);
  });

  it('runs again also what had succeeded: the others cannot go on without it', () => {
    const life = running(gang());
    life.hears(
      aDigest(11)
        .master({ ready: 1 })
        .workers({ succeeded: 1, failed: 1 })
        .failure({ index: 1, exitCode: 1 }),
    );
    expect(life.context.succeededIndices).toEqual({ worker: '0' });
    life.captures().does('drain');
    expect([life.context.succeededIndices, life.effects]).toEqual([
      {},
      [{ type: 'createAttempt', attempt: 2 }],
    ]);
  });

  it('waits for its scheduler again, where that lets groups in', () => {
    const life = aLifeWithEvidence(gang(), { queued: true }).does('createGroup');
    life.hears(aDigest(5).attempt(0).gang({ scheduled: 'Unknown', admitted: true }));
    life.does('createAttempt', 10).hears(oneFailed(11)).captures().does('drain');
    expect([life.state, life.effects]).toEqual(['Pending.Queued', [{ type: 'createGroup', attempt: 2 }]]);
  });

  it('has its launcher wait for the workers again', () => {
    const plan = aPlan()
      .workers(2)
      .launcher()
      .policy({ restart: { ladder: [{ scope: 'gang' }] } });
    const ready = (revision: number, attempt: number) =>
      aDigest(revision).attempt(attempt).workers({ ready: 2 });
    const life = aLifeWithEvidence(plan).does('createAttempt', 10).hears(ready(10, 1)).does('launch', 20);
    life.hears(aDigest(21).launcher({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure({ exitCode: 1 }));
    life.captures().does('drain');
    expect(life.effects).toEqual([{ type: 'createAttempt', attempt: 2, roles: ['Worker'] }]);
    life.does('createAttempt', 30).hears(ready(30, 2));
    expect(life.effects).toMatchObject([{ type: 'launch', attempt: 2, roles: ['Launcher'] }]);
  });

  it('is not made to by pods that are gone of a role whose failures are ignored', () => {
    const plan = aPlan()
      .master()
      .workersWith(2, { onFailure: { do: 'ignore', rule: 'spec.kind' } })
      .policy({ restart: { ladder: [{ scope: 'gang' }] } });
    const life = aLifeWithEvidence(plan).does('createAttempt', 10);
    life.hears(aDigest(11).master({ ready: 1 }).workers({ ready: 1 }));
    expect([life.effects.map(({ type }) => type), life.status.restarts]).toEqual([['restorePods'], 0]);
  });

  it('keeps its start time: it is one job', () => {
    const life = running(gang());
    const { startTime } = life.status;
    expect(startsAgain(life.hears(oneFailed(11)).captures(), 30).status.startTime).toBe(startTime);
  });

  it('ends when its anchor is deleted while it drains', () => {
    expect(draining().hears(aDigest(12).withoutAnchor()).status).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'AnchorDeleted' },
    });
  });

  it('fails when it cannot be drained', () => {
    const life = draining().failsTo('drain', { reason: 'ClusterRefused', message: 'pods is forbidden' });
    expect(life.status).toMatchObject({ phase: 'Failed', cause: { reason: 'ClusterRefused' } });
  });
});

describe('the back-off of a gang', () => {
  const failedTwice = () =>
    startsAgain(draining(), 30)
      .hears(oneFailed(31, {}, 2))
      .captures();

  it('runs while the gang drains, and what is left of it is waited for after that', () => {
    const life = failedTwice();
    expect(life.secondsTo('backOff')).toBe(10);
    life.rests(6).does('drain');
    expect([life.state, life.effects, life.secondsTo('backOff')]).toEqual(['Restarting.Drained', [], 3]);
    expect(life.reaches('backOff').effects).toEqual([{ type: 'createAttempt', attempt: 3 }]);
  });

  it('is over before a gang that takes long to drain is gone', () => {
    const life = failedTwice().reaches('backOff');
    expect([life.state, life.effects]).toEqual(['Restarting.Draining', []]);
    expect(life.does('drain').effects).toEqual([{ type: 'createAttempt', attempt: 3 }]);
  });

  it.each([
    ['while it drains', (life: ALife) => life.retryNow().does('drain')],
    ['when it is drained', (life: ALife) => life.does('drain').retryNow()],
  ])('is ended by whoever wants it to retry now: %s', (_, retry) => {
    const life = retry(failedTwice());
    expect(life.effects).toEqual([{ type: 'createAttempt', attempt: 3 }]);
    expect(life.status.timeline.map(({ cause }) => cause)).toContain('retried at once by ana');
  });

  it('is the one that was waited for already, when only a pod was to be replaced before', () => {
    const life = running(withLadder({ scope: 'pod' }))
      .hears(oneFailed(11))
      .captures();
    life.does('restorePods', 20).hears(oneFailed(20)).captures().rests(4);
    expect([life.state, life.secondsTo('backOff')]).toEqual(['Restarting.BackingOff', 6]);
    expect([life.amend(gang()).state, life.secondsTo('backOff')]).toEqual(['Restarting.Draining', 5]);
  });

  it('that is over while evidence is taken is over', () => {
    const life = running(withLadder({ scope: 'pod' }))
      .hears(oneFailed(11))
      .captures();
    life
      .does('restorePods', 20)
      .hears(oneFailed(20, { uid: 'u0' }))
      .captures();
    const both = aDigest(21).master({ ready: 1 }).workers({ failed: 2 });
    life.hears(both.failure({ uid: 'u0', exitCode: 1 }).failure({ index: 1, uid: 'u1', exitCode: 1 }));
    expect(life.state).toBe('Restarting.BackingOff');
    expect(life.amend(gang()).state).toBe('Restarting.Capturing');
    const [capture] = life.effects;
    expect(capture).toMatchObject({ type: 'capture', pods: [{ uid: 'u1' }] });
    life.reaches('backOff').does('capture').does('drain');
    expect(life.effects).toEqual([{ type: 'createAttempt', attempt: 2 }]);
  });

  it('grows with each restart, and begins anew after a long rest', () => {
    const life = startsAgain(failedTwice().reaches('backOff'), 40)
      .hears(oneFailed(41, {}, 3))
      .captures();
    expect(life.secondsTo('backOff')).toBe(20);
    startsAgain(life.reaches('backOff'), 50)
      .rests(600)
      .hears(oneFailed(51, {}, 4))
      .captures();
    expect(life.secondsTo('backOff')).toBeUndefined();
  });
});

describe('a gang that is told to stop', () => {
  it.each([
    ['while it drains', (life: ALife) => life],
    ['when it is drained', (life: ALife) => startsAgain(life, 30).hears(oneFailed(31, {}, 2)).captures().does('drain')], // biome-ignore format: one line
  ])('%s begins nothing any more', (_, arrive) => {
    const life = arrive(draining()).stop();
    expect(life.effects).toEqual([{ type: 'cleanUp', outcome: 'Stopped', scope: 'Everything' }]);
    expect(life.does('drain').effects).toEqual([]);
    expect(life.does('cleanUp').state).toBe('Stopped');
  });

  it('does not run into its deadline twice', () => {
    const life = draining(gang().deadline(60)).reaches('activeDeadline');
    expect(life.status).toMatchObject({ phase: 'Failed', cause: { reason: 'DeadlineExceeded' } });
    expect(life.deadlines).toEqual({});
  });
});

it('a job without a policy replaces pods one by one, as it always did', () => {
  const life = running(threePods()).hears(oneFailed(11)).captures();
  expect(life.effects).toMatchObject([{ type: 'restorePods', attempt: 1 }]);
});
