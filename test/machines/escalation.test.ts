import { describe, expect, it } from '@jest/globals';
import { aDigest, type PlanBuilder } from './builders.ts';
import {
  allPlaced,
  allReady,
  oneFailed,
  type RunningMachine,
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
const restarted = (resourceVersion: number, restarts: number, attempt = 1) =>
  aDigest(resourceVersion)
    .attempt(attempt)
    .master({ ready: 1 })
    .workers({ ready: 1, scheduled: 1 })
    .restarts(restarts)
    .restarted({ index: 1, uid: `u1-${attempt}`, node: 'node-3', restarts });

const waitsOut = (run: RunningMachine) =>
  run.secondsTo('backOff') === undefined ? run : run.reaches('backOff');

describe('escalation by count', () => {
  it('continues from containers to pods, roles, the gang, the gang elsewhere, and the end', () => {
    const run = running(everyRung());
    const seen: string[] = [];
    const note = () => seen.push(`${run.state} ${run.effects.map(({ type }) => type).join(' ')}`.trim());

    run.receives(restarted(11, 1));
    note();
    run.receives(restarted(12, 2));
    note();
    run.does('restorePods', 20).receives(allReady(20)).receives(oneFailed(21)).captures();
    waitsOut(run);
    note();
    run
      .does('restorePods', 30)
      .receives(allReady(30))
      .receives(oneFailed(31, { node: 'node-1' }))
      .captures();
    note();
    startsAgain(waitsOut(run), 40)
      .receives(oneFailed(41, { node: 'node-2' }, 2))
      .captures();
    note();
    startsAgain(waitsOut(run), 50)
      .receives(oneFailed(51, {}, 3))
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
    expect(run.status.cause).toMatchObject({
      reason: 'RestartsExhausted',
      rule: 'signalbox.dev/policy restart.ladder: container, pod, role, gang, gangElsewhere',
      pod: 'resnet-worker-0',
    });
    expect(run.status.restarts).toBe(6);
  });

  it('replaces the pod whose containers were restarted too often, and no other', () => {
    const run = running(everyRung()).receives(restarted(11, 2));
    expect(run.effects).toMatchObject([
      { type: 'restorePods', replace: [{ pod: 'resnet-worker-1', uid: 'u1-1' }] },
    ]);
    expect(run.lastCause).toBe(
      'containers of resnet-worker-1 were restarted in place as often as is allowed',
    );
  });

  it('allows no more restarts in place after a larger restart', () => {
    const run = running(everyRung())
      .receives(restarted(11, 2))
      .does('restorePods', 20)
      .receives(allReady(20));
    run.receives(restarted(21, 1));
    expect(waitsOut(run).effects).toMatchObject([{ type: 'restorePods', restartRoles: ['worker'] }]);
  });

  it('leaves unlimited restarts in place to the kubelet', () => {
    const run = running(withLadder({ scope: 'container' }, { scope: 'pod', times: 1 }));
    run.receives(oneFailed(11)).captures().does('restorePods', 20).receives(restarted(21, 1000));
    expect(run.state).toBe('Starting.Waiting');
  });

  it('ignores restarts in place before the last larger restart', () => {
    const again = (resourceVersion: number) =>
      aDigest(resourceVersion)
        .master({ ready: 1 })
        .workers({ ready: 1, scheduled: 1 })
        .restarts(1)
        .restarted({ uid: 'u0' });
    const run = running(everyRung())
      .receives(again(11))
      .receives(oneFailed(12, { index: 1 }).restarts(1))
      .captures();
    run.does('restorePods', 20).receives(again(20));
    expect([run.state, run.effects]).toEqual(['Starting.Waiting', []]);
  });

  it('does not count deleted pods as container restarts', () => {
    const run = running(everyRung()).receives(aDigest(11).master({ ready: 1 }).workers({ ready: 1 }));
    expect(run.effects).toMatchObject([{ type: 'restorePods', replace: [] }]);
    expect(run.does('restorePods', 20).receives(allReady(20)).state).toBe('Running');
  });

  it('starts at the first rung after a long time without restarts', () => {
    const once = withLadder({ scope: 'pod', times: 1 });
    const twice = (run: RunningMachine, rest: number) =>
      waitsOut(
        run
          .receives(oneFailed(11))
          .captures()
          .does('restorePods', 20)
          .receives(allReady(20))
          .waits(rest)
          .receives(oneFailed(21))
          .captures(),
      );
    expect(twice(running(once), 500).status.cause?.reason).toBe('RestartsExhausted');
    expect(twice(running(once), 600).state).toBe('Restarting.Replacing');
  });

  it('starts at the first rung of a changed ladder', () => {
    const once = () => withLadder({ scope: 'pod', times: 1 });
    const failsAgainAfter = (amended: PlanBuilder) =>
      running(once())
        .receives(oneFailed(11))
        .captures()
        .does('restorePods', 20)
        .receives(allReady(20))
        .amend(amended)
        .receives(oneFailed(21))
        .captures();
    expect(failsAgainAfter(once()).status.cause?.reason).toBe('RestartsExhausted');
    const another = failsAgainAfter(withLadder({ scope: 'role', times: 1 }));
    expect([another.state, another.context.backOff?.inRow]).toEqual(['Restarting.BackingOff', 2]);
    expect(waitsOut(another).effects).toMatchObject([{ restartRoles: ['worker'] }]);
  });

  it('keeps its place through a new run of the workflow', () => {
    const run = running(withLadder({ scope: 'pod', times: 1 }))
      .receives(oneFailed(11))
      .captures();
    run.continueAsNew().does('restorePods', 20).receives(oneFailed(21)).captures();
    expect(run.status.cause?.reason).toBe('RestartsExhausted');
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
    running(plan).receives(oneFailed(11, { node: 'node-1' })).captures().does('restorePods', 20).receives(allPlaced(20)); // biome-ignore format: one line

  it('continues with the next rung when the job has not recovered in time', () => {
    const run = replaced().reaches('recovery');
    expect(run.captures().effects).toMatchObject([{ type: 'drain', attempt: 1 }]);
    waitsOut(run).does('drain').does('createAttempt', 30).receives(allPlaced(30, 2));
    expect(run.secondsTo('recovery')).toBeCloseTo(119);
    run.reaches('recovery').captures();
    expect(run.state).toBe('Restarting.Draining');
    expect(run.context.restarting).toMatchObject({ scope: 'gangElsewhere' });
    waitsOut(run)
      .does('drain')
      .does('createAttempt', 40)
      .receives(allPlaced(40, 3))
      .reaches('recovery')
      .captures();
    expect(run.status.cause).toMatchObject({ reason: 'RestartsExhausted' });
    expect(run.status.cause?.message).toContain('the job did not run again in time');
  });

  it('ends when a smaller rung than the gang’s has helped', () => {
    const run = replaced(withLadder({ scope: 'pod', withinMs: 60_000 }, { scope: 'role' })).reaches(
      'recovery',
    );
    expect(waitsOut(run.captures()).effects).toMatchObject([{ restartRoles: ['master', 'worker'] }]);
    expect(run.does('restorePods', 30).receives(allReady(30)).state).toBe('Running');
  });

  it('still avoids the node of a failure, although nothing is left there', () => {
    const run = replaced().reaches('recovery').captures();
    waitsOut(run)
      .does('drain')
      .does('createAttempt', 30)
      .receives(allPlaced(30, 2))
      .reaches('recovery')
      .captures();
    waitsOut(run).does('drain');
    expect(run.effects).toMatchObject([{ type: 'createAttempt', attempt: 3, avoid: [{ node: 'node-1' }] }]);
  });

  it('continues, although that took longer than the reset time of the ladder', () => {
    const run = replaced(withLadder({ scope: 'pod', withinMs: 1_500_000 }, { scope: 'gang' }));
    run.reaches('recovery').captures();
    expect(run.state).toBe('Restarting.Draining');
  });

  it('ends when the job has recovered', () => {
    const run = replaced();
    expect(run.secondsTo('recovery')).toBeDefined();
    expect(run.receives(allReady(21)).secondsTo('recovery')).toBeUndefined();
  });

  it('gives the next restart its own time', () => {
    const run = replaced().waits(30).receives(oneFailed(21)).captures();
    expect([run.state, run.secondsTo('recovery')]).toEqual(['Restarting.BackingOff', undefined]);
    run.reaches('backOff').does('restorePods', 30);
    expect(run.secondsTo('recovery')).toBe(59);
  });

  it('does not judge a gang that was not observed', () => {
    const run = running(timed()).receives(oneFailed(11)).captures().does('restorePods', 20);
    run.reaches('recovery');
    expect([run.state, run.effects, run.secondsTo('recovery')]).toEqual(['Pending.Scheduling', [], 30]);
    run.receives(allPlaced(20)).reaches('recovery');
    expect(run.state).toBe('Restarting.Capturing');
  });

  it('does not count the time in which a scheduler has not admitted the group', () => {
    const run = running(withLadder({ scope: 'gang', withinMs: 60_000 }));
    run.receives(oneFailed(11)).captures().does('drain');
    expect([run.state, run.secondsTo('recovery')]).toEqual(['Pending.Creating', undefined]);
    expect(run.waits(3600).does('createAttempt', 30).secondsTo('recovery')).toBe(60);
  });

  it('does not judge a job whose pods have all recovered, although the worker has not finished the replacement', () => {
    const run = running(timed()).receives(oneFailed(11)).captures();
    run.receives(allReady(12)).reaches('recovery');
    expect([run.state, run.secondsTo('recovery')]).toEqual(['Restarting.Replacing', 30]);
    expect(run.does('restorePods', 12).receives(allReady(13)).state).toBe('Running');
  });

  it('continues while a pod stays', () => {
    const run = running(timed()).receives(oneFailed(11)).captures();
    expect(run.state).toBe('Restarting.Replacing');
    run.receives(oneFailed(12)).reaches('recovery').captures();
    expect([run.state, run.effects]).toMatchObject(['Restarting.Draining', [{ type: 'drain', attempt: 1 }]]);
  });
});
