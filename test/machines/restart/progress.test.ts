import { describe, expect, it } from '@jest/globals';
import { aDigest, type PlanBuilder } from '../builders.ts';
import { type ALife, allReady, oneFailed, running, startsAgain, withLadder } from '../three-pods.ts';

const refunding = (plan: PlanBuilder = withLadder({ scope: 'pod', times: 1 }), refundOnProgress = true) =>
  plan.policy({ restart: { refundOnProgress }, progress: { log: 'step=(\\d+)' } });
const replaced = (life: ALife, revision: number) => {
  life.hears(oneFailed(revision)).captures();
  if (life.secondsTo('backOff') !== undefined) life.reaches('backOff');
  return life.does('restorePods', revision + 1).hears(allReady(revision + 1));
};
const getsOn = (life: ALife, revision: number, step: number, attempt = 1) =>
  life.hears(allReady(revision, attempt).progressRevision(step).progress(`step=${step}`, step));

describe('progress', () => {
  it('is shown as it was told last', () => {
    const life = running();
    expect(life.status).not.toHaveProperty('progress');
    expect(getsOn(life, 11, 5).status.progress).toBe('step=5');
    expect(life.hears(allReady(12)).status.progress).toBe('step=5');
  });

  it('is news although no pod has changed, and only once', () => {
    const life = getsOn(running(), 10, 5);
    const { progress } = life.context;
    expect(getsOn(life.rests(60), 10, 5).context.progress).toBe(progress);
  });
});

describe('the same steps done again', () => {
  it('pay nothing back: a job that fails at one step again and again runs out of its budget', () => {
    const life = replaced(getsOn(running(refunding(withLadder({ scope: 'pod' }))), 10, 40), 11);
    const spent = life.context.restarts;
    expect(getsOn(life, 13, 20).context.exempt).toBeUndefined();
    expect(getsOn(life, 13, 40).context.exempt).toBeUndefined();
    expect(getsOn(life, 13, 41).context.exempt).toBe(spent.replaced);
  });
});

describe('what was spent is paid back when the job gets on', () => {
  it('its ladder begins anew', () => {
    const again = (plan: PlanBuilder) =>
      getsOn(replaced(running(plan), 11), 13, 1)
        .hears(oneFailed(14))
        .captures();
    expect(again(refunding()).state).toBe('Restarting.Replacing');
    expect(again(refunding(undefined, false)).status.cause?.reason).toBe('RestartsExhausted');
  });

  it('its back-off begins anew', () => {
    const twice = () => replaced(running(refunding(withLadder({ scope: 'pod' }))), 11);
    expect(twice().hears(oneFailed(14)).captures().state).toBe('Restarting.BackingOff');
    expect(getsOn(twice(), 13, 1).hears(oneFailed(14)).captures().state).toBe('Restarting.Replacing');
  });

  it('the budgets of its classes are full again', () => {
    const budget = refunding(withLadder({ scope: 'pod' })).policy({ failures: { classes: { userCode: { budget: 1 } } } }); // biome-ignore format: one line
    const life = replaced(running(budget), 11);
    expect(life.status.budgets).toEqual({ userCode: { used: 1, allowed: 1 } });
    expect(getsOn(life, 13, 1).status.budgets).toEqual({ userCode: { used: 0, allowed: 1 } });
  });

  it('backoffLimit does not count what was before, though the status does', () => {
    const life = getsOn(
      replaced(running(refunding(withLadder({ scope: 'pod' }).backoffLimit(1))), 11),
      13,
      1,
    );
    expect(life.status.restarts).toBe(1);
    expect(life.hears(oneFailed(14)).captures().state).toBe('Restarting.Replacing');
  });

  it('restarts in place are forgiven as well, also where there were no others', () => {
    const bounded = refunding(withLadder({ scope: 'container', times: 2 }, { scope: 'pod' }).backoffLimit(4));
    const restarted = (revision: number, restarts: number) =>
      aDigest(revision)
        .master({ ready: 1 })
        .workers({ ready: 1, scheduled: 1 })
        .restarts(restarts)
        .restarted({ restarts });
    const life = running(bounded).hears(restarted(11, 2)).hears(allReady(12).restarts(2));
    life.hears(allReady(12).restarts(2).progressRevision(1).progress('step=1', 1)).hears(restarted(13, 4));
    expect(life.state).toBe('Starting.Waiting');
    expect(life.hears(restarted(14, 5)).state).toBe('Restarting.Replacing');
  });

  it('not by a word that was known before', () => {
    const life = getsOn(running(refunding()), 10, 1);
    replaced(life, 11)
      .hears(allReady(13).progressRevision(1).progress('step=1', 1))
      .hears(oneFailed(14))
      .captures();
    expect(life.status.cause?.reason).toBe('RestartsExhausted');
  });

  it('not by a word of a job that is not back', () => {
    const life = replaced(running(refunding()), 11);
    life.hears(aDigest(13).master({ scheduled: 1 }).workers({ ready: 2 }).progress('step=1', 1));
    expect(life.hears(oneFailed(14)).captures().status.cause?.reason).toBe('RestartsExhausted');
  });

  it('by the next attempt of the gang', () => {
    const life = running(refunding(withLadder({ scope: 'gang', times: 1 })))
      .hears(oneFailed(11))
      .captures();
    getsOn(startsAgain(life, 30), 31, 1, 2)
      .hears(oneFailed(32, {}, 2))
      .captures();
    expect([life.state, life.secondsTo('backOff')]).toEqual(['Restarting.Draining', undefined]);
  });
});
