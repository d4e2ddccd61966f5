import { describe, expect, it } from '@jest/globals';
import { stallsAt, stallTrouble } from '../../../machines/timeouts/stall.ts';
import { aDigest, type PlanBuilder } from '../builders.ts';
import { START } from '../life.ts';
import { allReady, oneFailed, running, startsAgain, threePods, withLadder } from '../three-pods.ts';

const watched = (plan: PlanBuilder = threePods(), stalledAfterMs = 60_000) =>
  plan.policy({ progress: { log: 'step=(\\d+)', stalledAfterMs } });
const says = (revision: number, step: number, attempt = 1) =>
  allReady(revision, attempt).progressRevision(step).progress(`step=${step}`, step);

describe('when a job has stalled', () => {
  const progress = { value: 'step=7', count: 7, at: START };

  it('is so long after it fell silent, or after the watcher began to follow it', () => {
    const context = { ...watched().context(), silentSince: 5 };
    expect(stallsAt(context)).toBe(60_005);
    expect(stallsAt({ ...context, progress })).toBe(60_005);
    expect(stallsAt({ ...context, followedSince: 7 })).toBe(60_007);
    expect(stallsAt({ ...context, followedSince: 3 })).toBe(60_005);
  });

  it('is never without a limit, or before it has run', () => {
    expect(stallsAt(watched().context())).toBeUndefined();
    expect(stallsAt({ ...threePods().context(), silentSince: 5 })).toBeUndefined();
    const unlimited = threePods().policy({ progress: { log: 'step' } });
    expect(stallsAt({ ...unlimited.context(), silentSince: 5 })).toBeUndefined();
  });

  it('is told with its last word', () => {
    expect(stallTrouble({ ...watched().context(), progress })).toMatchObject({
      class: 'stalled',
      reason: 'Stalled',
      message:
        'no progress since 2026-01-01T00:00:00Z, when it was step=7; signalbox.dev/policy progress.stalledAfter: 60s',
      least: 'gang',
    });
    expect(stallTrouble(watched().context()).message).toContain('no progress since it started running');
  });
});

describe('a job that says nothing any more', () => {
  it('starts again as a gang, with evidence taken first, whatever its ladder has', () => {
    const life = running(watched());
    expect(life.secondsTo('stall')).toBe(60);
    expect(life.reaches('stall').effects).toEqual([{ type: 'capture', attempt: 1 }]);
    expect(life.captures().effects).toEqual([{ type: 'drain', attempt: 1 }]);
    startsAgain(life, 20);
    expect([life.state, life.secondsTo('stall')]).toEqual(['Running', 60]);
    expect(life.status).toMatchObject({ attempt: 2, restarts: 1 });
  });

  it('is left alone as long as it speaks', () => {
    const life = running(watched()).rests(40).hears(says(11, 1)).rests(10);
    life.reaches('stall');
    expect([life.state, life.effects, life.secondsTo('stall')]).toEqual(['Running', [], 41]);
    expect(life.reaches('stall').state).toBe('Restarting.Capturing');
  });

  it('has spoken also when it says the same again', () => {
    const life = running(watched()).hears(says(11, 1)).rests(50);
    life.hears(allReady(11).progressRevision(2).progress('step=1', 2)).reaches('stall');
    expect(life.state).toBe('Running');
  });

  it('has not spoken when the watcher repeats its last word', () => {
    const life = running(watched()).hears(says(11, 1)).rests(50).hears(allReady(12).progress('step=1', 1));
    life.reaches('stall').reaches('stall');
    expect(life.state).toBe('Restarting.Capturing');
  });

  it('has its time only while it runs', () => {
    const life = running(watched()).hears(
      aDigest(11).master({ ready: 1 }).workers({ ready: 1, scheduled: 1 }),
    );
    expect([life.state, life.secondsTo('stall')]).toEqual(['Starting.Waiting', undefined]);
    expect(life.hears(allReady(12)).secondsTo('stall')).toBe(60);
    expect(life.suspend().secondsTo('stall')).toBeUndefined();
  });

  it('does not inherit a word of the attempt before', () => {
    const life = running(watched()).hears(says(11, 9)).reaches('stall').reaches('stall');
    startsAgain(life.captures(), 20);
    expect([life.status.progress, life.context.trouble]).toEqual([undefined, undefined]);
    expect(life.hears(says(21, 10)).status.progress).toBeUndefined();
  });

  it('can have a pod replaced afterwards as before', () => {
    const life = startsAgain(running(watched()).reaches('stall').captures(), 20);
    expect(
      life
        .hears(oneFailed(21, {}, 2))
        .captures()
        .reaches('backOff').effects,
    ).toMatchObject([{ type: 'restorePods' }]);
  });

  it('tells where it failed in its conditions', () => {
    const life = running(watched()).reaches('stall');
    expect(life.status.conditions.at(-1)).toMatchObject({
      type: 'Restarting',
      status: 'True',
      message: expect.stringContaining('no progress since it started running'),
    });
  });
});

describe('silence that nobody has listened to', () => {
  const silentFor = (seconds: number) => allReady(11).answers({ silentMs: seconds * 1000 });

  it('is no stall: the watcher has only just begun to listen', () => {
    const life = running(watched()).hears(silentFor(20)).reaches('stall');
    expect([life.state, life.secondsTo('stall'), life.effects]).toEqual(['Running', 40, []]);
    life.hears(allReady(12).answers({ silentMs: 60_000 })).reaches('stall');
    expect(life.state).toBe('Restarting.Capturing');
  });

  it('is no stall, and is told, when the program cannot be heard', () => {
    const life = running(watched()).hears(allReady(11).answers({ unheard: 'its log may not be read' }));
    life.reaches('stall').reaches('stall');
    expect([life.state, life.secondsTo('stall')]).toEqual(['Running', 60]);
    expect(life.status.warnings).toEqual([
      'progress cannot be read: its log may not be read; the job does not count as stalled meanwhile',
    ]);
    expect(life.hears(says(12, 1)).status.warnings).toEqual([]);
  });

  it('ends with a word that comes before anything is deleted', () => {
    const life = running(watched()).reaches('stall').hears(says(11, 1)).captures();
    expect([life.state, life.effects, life.secondsTo('stall')]).toEqual(['Running', [], 60]);
    expect(life.status).toMatchObject({ attempt: 1, restarts: 0 });
  });

  it('is a stall all the same when the watcher repeats an old word meanwhile', () => {
    const life = running(watched()).hears(says(11, 1)).reaches('stall').reaches('stall');
    expect(life.hears(allReady(12).progress('step=1', 1)).captures().state).toBe('Restarting.Draining');
  });
});

describe('a stalled job ends', () => {
  const stallsTwice = (plan: PlanBuilder) => {
    const life = startsAgain(running(plan).reaches('stall').captures(), 20);
    return life.reaches('stall').captures();
  };

  it('at once when that class is final', () => {
    const plan = watched().policy({ failures: { classes: { stalled: { final: true } } } });
    const life = running(plan).reaches('stall').captures();
    expect(life.status.cause).toMatchObject({ reason: 'Stalled' });
    expect(life.effects).toMatchObject([{ type: 'cleanUp', outcome: 'Failed', scope: 'Running' }]);
  });

  it('when the budget of the class is used up', () => {
    const plan = watched().policy({ failures: { classes: { stalled: { budget: 1 } } } });
    expect(stallsTwice(plan).status.cause).toMatchObject({ reason: 'FailureBudgetExceeded' });
  });

  it('when its ladder is used up, although it takes long each time', () => {
    const plan = watched(withLadder({ scope: 'gang', times: 1 }), 3_600_000);
    expect(stallsTwice(plan).status.cause).toMatchObject({ reason: 'RestartsExhausted' });
  });

  it('but not when it had got on for long before', () => {
    const plan = watched(withLadder({ scope: 'gang', times: 1 }));
    const life = startsAgain(running(plan).reaches('stall').captures(), 20);
    life
      .rests(40)
      .hears(says(21, 1, 2))
      .rests(700)
      .hears(says(22, 2, 2))
      .reaches('stall')
      .reaches('stall');
    expect(life.captures().state).toBe('Restarting.Draining');
  });

  it('when backoffLimit is reached, which says what was wrong', () => {
    const { cause } = stallsTwice(watched(threePods().backoffLimit(1))).status;
    expect(cause?.reason).toBe('BackoffLimitExceeded');
    expect(cause?.message).toContain('no progress since it started running');
  });
});

describe('a change of the policy', () => {
  it('gives a running job a limit that had none', () => {
    const life = running(threePods()).amend(watched());
    expect(life.secondsTo('stall')).toBe(60);
  });

  it('gives it a longer one, from when it fell silent, or none', () => {
    const life = running(watched()).rests(29).amend(watched(threePods(), 600_000));
    expect(life.secondsTo('stall')).toBe(570);
    expect(life.amend(threePods()).secondsTo('stall')).toBeUndefined();
  });

  it('gives it a shorter one, which may be over already', () => {
    const life = running(watched(threePods(), 600_000)).rests(99).amend(watched());
    expect(life.secondsTo('stall')).toBe(-40);
    expect(life.reaches('stall').state).toBe('Restarting.Capturing');
  });

  it('gives the watcher time to find what it did not look for before', () => {
    const life = running(watched()).rests(29);
    life.amend(threePods().policy({ progress: { log: 'epoch=(\\d+)', stalledAfterMs: 60_000 } }));
    expect(life.secondsTo('stall')).toBe(60);
  });
});
