import { describe, expect, it } from '@jest/globals';
import { aDigest, type PlanBuilder } from './builders.ts';
import {
  type ALife,
  allPlaced,
  allReady,
  oneFailed,
  running,
  startsAgain,
  withLadder,
} from './three-pods.ts';

/** Every rung once. */
const everyRung = () =>
  withLadder(
    { scope: 'container', times: 1 },
    { scope: 'pod', times: 1 },
    { scope: 'role', times: 1 },
    { scope: 'gang', times: 1 },
    { scope: 'gangElsewhere', times: 1 },
  );

/** Worker 1 was restarted in place, and is not ready. */
const restarted = (revision: number, restarts: number, attempt = 1) =>
  aDigest(revision)
    .attempt(attempt)
    .master({ ready: 1 })
    .workers({ ready: 1, scheduled: 1 })
    .restarts(restarts)
    .restarted({ index: 1, uid: `u1-${attempt}`, node: 'node-3', restarts });

const waitsOut = (life: ALife) => (life.secondsTo('backOff') === undefined ? life : life.reaches('backOff'));

describe('escalation by count', () => {
  it('goes from containers to pods, roles, the gang, the gang elsewhere, and the end', () => {
    const life = running(everyRung());
    const seen: string[] = [];
    const note = () => seen.push(`${life.state} ${life.effects.map(({ type }) => type).join(' ')}`.trim());

    life.hears(restarted(11, 1));
    note();
    life.hears(restarted(12, 2));
    note();
    life.does('restorePods', 20).hears(allReady(20)).hears(oneFailed(21)).captures();
    waitsOut(life);
    note();
    life
      .does('restorePods', 30)
      .hears(allReady(30))
      .hears(oneFailed(31, { node: 'node-1' }))
      .captures();
    note();
    startsAgain(waitsOut(life), 40)
      .hears(oneFailed(41, { node: 'node-2' }, 2))
      .captures();
    note();
    startsAgain(waitsOut(life), 50)
      .hears(oneFailed(51, {}, 3))
      .captures();
    note();

    expect(seen).toEqual([
      'Starting.Waiting',
      'Restarting.Replacing restorePods',
      'Restarting.Replacing restorePods',
      'Restarting.Draining drain',
      'Restarting.Draining drain',
      'Finishing.CleaningUp cleanUp',
    ]);
    expect(life.status.cause).toMatchObject({
      reason: 'RestartsExhausted',
      rule: 'signalbox.dev/policy restart.ladder: container, pod, role, gang, gangElsewhere',
      pod: 'resnet-worker-0',
    });
    expect(life.status.restarts).toBe(6);
  });

  it('replaces the pod whose containers were restarted too often, not the others', () => {
    const life = running(everyRung()).hears(restarted(11, 2));
    expect(life.effects).toMatchObject([
      { type: 'restorePods', replace: [{ pod: 'resnet-worker-1', uid: 'u1-1' }] },
    ]);
    expect(life.lastWord).toBe(
      'containers of resnet-worker-1 were restarted in place as often as the ladder allows',
    );
  });

  it('has no patience with restarts in place any more once a larger one followed', () => {
    const life = running(everyRung()).hears(restarted(11, 2)).does('restorePods', 20).hears(allReady(20));
    life.hears(restarted(21, 1));
    expect(waitsOut(life).effects).toMatchObject([{ type: 'restorePods', restartRoles: ['worker'] }]);
  });

  it('leaves restarts in place to the kubelet where nothing bounds them', () => {
    const life = running(withLadder({ scope: 'container' }, { scope: 'pod', times: 1 }));
    life.hears(oneFailed(11)).captures().does('restorePods', 20).hears(restarted(21, 1000));
    expect(life.state).toBe('Starting.Waiting');
  });

  it('forgets the restarts in place that were before the last larger one', () => {
    const again = (revision: number) =>
      aDigest(revision)
        .master({ ready: 1 })
        .workers({ ready: 1, scheduled: 1 })
        .restarts(1)
        .restarted({ uid: 'u0' });
    const life = running(everyRung())
      .hears(again(11))
      .hears(oneFailed(12, { index: 1 }).restarts(1))
      .captures();
    life.does('restorePods', 20).hears(again(20));
    expect([life.state, life.effects]).toEqual(['Starting.Waiting', []]);
  });

  it('does not count what was merely deleted by hand against containers', () => {
    const life = running(everyRung()).hears(aDigest(11).master({ ready: 1 }).workers({ ready: 1 }));
    expect(life.effects).toMatchObject([{ type: 'restorePods', replace: [] }]);
    expect(life.does('restorePods', 20).hears(allReady(20)).state).toBe('Running');
  });

  it('begins anew after a long time without restarts', () => {
    const once = withLadder({ scope: 'pod', times: 1 });
    const twice = (life: ALife, rest: number) =>
      waitsOut(
        life
          .hears(oneFailed(11))
          .captures()
          .does('restorePods', 20)
          .hears(allReady(20))
          .rests(rest)
          .hears(oneFailed(21))
          .captures(),
      );
    expect(twice(running(once), 500).status.cause?.reason).toBe('RestartsExhausted');
    expect(twice(running(once), 600).state).toBe('Restarting.Replacing');
  });

  it('begins anew on a ladder that is another one now', () => {
    const once = () => withLadder({ scope: 'pod', times: 1 });
    const failsAgainAfter = (amended: PlanBuilder) =>
      running(once())
        .hears(oneFailed(11))
        .captures()
        .does('restorePods', 20)
        .hears(allReady(20))
        .amend(amended)
        .hears(oneFailed(21))
        .captures();
    expect(failsAgainAfter(once()).status.cause?.reason).toBe('RestartsExhausted');
    const another = failsAgainAfter(withLadder({ scope: 'role', times: 1 }));
    expect([another.state, another.context.backOff?.inRow]).toEqual(['Restarting.BackingOff', 2]);
    expect(waitsOut(another).effects).toMatchObject([{ restartRoles: ['worker'] }]);
  });

  it('keeps its place through a new run of the workflow', () => {
    const life = running(withLadder({ scope: 'pod', times: 1 }))
      .hears(oneFailed(11))
      .captures();
    life.continueAsNew().does('restorePods', 20).hears(oneFailed(21)).captures();
    expect(life.status.cause?.reason).toBe('RestartsExhausted');
  });
});

describe('escalation by time', () => {
  const timed = () =>
    withLadder(
      { scope: 'pod', withinMs: 60_000 },
      { scope: 'gang', withinMs: 120_000 },
      { scope: 'gangElsewhere', withinMs: 120_000 },
    );
  const replaced = (plan: PlanBuilder = timed()) =>
    running(plan).hears(oneFailed(11, { node: 'node-1' })).captures().does('restorePods', 20).hears(allPlaced(20)); // biome-ignore format: one line

  it('goes on to the next rung when the job is not back in time', () => {
    const life = replaced().reaches('recovery');
    expect(life.captures().effects).toEqual([{ type: 'drain', attempt: 1 }]);
    waitsOut(life).does('drain').does('createAttempt', 30).hears(allPlaced(30, 2));
    expect(life.secondsTo('recovery')).toBeCloseTo(119);
    life.reaches('recovery').captures();
    expect(life.state).toBe('Restarting.Draining');
    expect(life.context.restarting).toMatchObject({ scope: 'gangElsewhere' });
    waitsOut(life)
      .does('drain')
      .does('createAttempt', 40)
      .hears(allPlaced(40, 3))
      .reaches('recovery')
      .captures();
    expect(life.status.cause).toMatchObject({ reason: 'RestartsExhausted' });
    expect(life.status.cause?.message).toContain('the job did not run again in time');
  });

  it('is over when the next rung has helped, though that is not the gang’s', () => {
    const life = replaced(withLadder({ scope: 'pod', withinMs: 60_000 }, { scope: 'role' })).reaches(
      'recovery',
    );
    expect(waitsOut(life.captures()).effects).toMatchObject([{ restartRoles: ['master', 'worker'] }]);
    expect(life.does('restorePods', 30).hears(allReady(30)).state).toBe('Running');
  });

  it('keeps away from where something failed, although nothing of that is left', () => {
    const life = replaced().reaches('recovery').captures();
    waitsOut(life)
      .does('drain')
      .does('createAttempt', 30)
      .hears(allPlaced(30, 2))
      .reaches('recovery')
      .captures();
    waitsOut(life).does('drain');
    expect(life.effects).toMatchObject([{ type: 'createAttempt', attempt: 3, avoid: [{ node: 'node-1' }] }]);
  });

  it('goes on also when that took longer than the ladder remembers a restart', () => {
    const life = replaced(withLadder({ scope: 'pod', withinMs: 1_500_000 }, { scope: 'gang' }));
    life.reaches('recovery').captures();
    expect(life.state).toBe('Restarting.Draining');
  });

  it('is content with a job that is back', () => {
    const life = replaced();
    expect(life.secondsTo('recovery')).toBeDefined();
    expect(life.hears(allReady(21)).secondsTo('recovery')).toBeUndefined();
  });

  it('gives the next restart its own time', () => {
    const life = replaced().rests(30).hears(oneFailed(21)).captures();
    expect([life.state, life.secondsTo('recovery')]).toEqual(['Restarting.BackingOff', undefined]);
    life.reaches('backOff').does('restorePods', 30);
    expect(life.secondsTo('recovery')).toBe(59);
  });

  it('does not judge a gang that nobody has seen', () => {
    const life = running(timed()).hears(oneFailed(11)).captures().does('restorePods', 20);
    life.reaches('recovery');
    expect([life.state, life.effects, life.secondsTo('recovery')]).toEqual(['Pending.Scheduling', [], 30]);
    life.hears(allPlaced(20)).reaches('recovery');
    expect(life.state).toBe('Restarting.Capturing');
  });

  it('does not count the time in which a scheduler has not let the group in', () => {
    const life = running(withLadder({ scope: 'gang', withinMs: 60_000 }));
    life.hears(oneFailed(11)).captures().does('drain');
    expect([life.state, life.secondsTo('recovery')]).toEqual(['Pending.Creating', undefined]);
    expect(life.rests(3600).does('createAttempt', 30).secondsTo('recovery')).toBe(60);
  });

  it('goes on while a pod does not go', () => {
    const life = running(timed()).hears(oneFailed(11)).captures();
    expect(life.state).toBe('Restarting.Replacing');
    life.hears(oneFailed(12)).reaches('recovery').captures();
    expect([life.state, life.effects]).toEqual(['Restarting.Draining', [{ type: 'drain', attempt: 1 }]]);
  });
});
