import { describe, expect, it } from '@jest/globals';
import { aDigest, type PlanBuilder } from '../builders.ts';
import { allReady, oneFailed, type RunningMachine, running, startsAgain, withLadder } from '../three-pods.ts';

const refunding = (plan: PlanBuilder = withLadder({ scope: 'pod', times: 1 }), refundOnProgress = true) =>
  plan.policy({ restart: { refundOnProgress }, progress: { log: 'step=(\\d+)' } });
const replaced = (run: RunningMachine, revision: number) => {
  run.receives(oneFailed(revision)).captures();
  if (run.secondsTo('backOff') !== undefined) run.reaches('backOff');
  return run.does('restorePods', revision + 1).receives(allReady(revision + 1));
};
const getsOn = (run: RunningMachine, revision: number, step: number, attempt = 1) =>
  run.receives(allReady(revision, attempt).lastReportAt(step).progress(`step=${step}`, step));

describe('progress', () => {
  it('is shown as it was reported last', () => {
    const run = running();
    expect(run.status).not.toHaveProperty('progress');
    expect(getsOn(run, 11, 5).status.progress).toBe('step=5');
    expect(run.receives(allReady(12)).status.progress).toBe('step=5');
  });

  it('is a new digest although no pod has changed, but only once', () => {
    const run = getsOn(running(), 10, 5);
    const { progress } = run.context;
    expect(getsOn(run.waits(60), 10, 5).context.progress).toBe(progress);
  });
});

describe('repeated steps', () => {
  it('cause no refund: a job that fails at one step again and again exhausts its budget', () => {
    const run = replaced(getsOn(running(refunding(withLadder({ scope: 'pod' }))), 10, 40), 11);
    const spent = run.context.restarts;
    expect(getsOn(run, 13, 20).context.exempt).toBeUndefined();
    expect(getsOn(run, 13, 40).context.exempt).toBeUndefined();
    expect(getsOn(run, 13, 41).context.exempt).toBe(spent.replaced);
  });
});

describe('progress after a restart', () => {
  it('resets the ladder to its first rung', () => {
    const again = (plan: PlanBuilder) =>
      getsOn(replaced(running(plan), 11), 13, 1)
        .receives(oneFailed(14))
        .captures();
    expect(again(refunding()).state).toBe('Restarting.Replacing');
    expect(again(refunding(undefined, false)).status.cause?.reason).toBe('RestartsExhausted');
  });

  it('resets the back-off', () => {
    const twice = () => replaced(running(refunding(withLadder({ scope: 'pod' }))), 11);
    expect(twice().receives(oneFailed(14)).captures().state).toBe('Restarting.BackingOff');
    expect(getsOn(twice(), 13, 1).receives(oneFailed(14)).captures().state).toBe('Restarting.Replacing');
  });

  it('refills the budgets of failure classes', () => {
    const budget = refunding(withLadder({ scope: 'pod' })).policy({ failures: { classes: { userCode: { budget: 1 } } } }); // biome-ignore format: one line
    const run = replaced(running(budget), 11);
    expect(run.status.budgets).toEqual({ userCode: { used: 1, allowed: 1 } });
    expect(getsOn(run, 13, 1).status.budgets).toEqual({ userCode: { used: 0, allowed: 1 } });
  });

  it('resets the count of backoffLimit, but not that of the status', () => {
    const run = getsOn(replaced(running(refunding(withLadder({ scope: 'pod' }).backoffLimit(1))), 11), 13, 1);
    expect(run.status.restarts).toBe(1);
    expect(run.receives(oneFailed(14)).captures().state).toBe('Restarting.Replacing');
  });

  it('resets the restarts in place, also if there were no others', () => {
    const bounded = refunding(withLadder({ scope: 'container', times: 2 }, { scope: 'pod' }).backoffLimit(4));
    const restarted = (resourceVersion: number, restarts: number) =>
      aDigest(resourceVersion)
        .master({ ready: 1 })
        .workers({ ready: 1, scheduled: 1 })
        .restarts(restarts)
        .restarted({ restarts });
    const run = running(bounded).receives(restarted(11, 2)).receives(allReady(12).restarts(2));
    run.receives(allReady(12).restarts(2).lastReportAt(1).progress('step=1', 1)).receives(restarted(13, 4));
    expect(run.state).toBe('Starting.Waiting');
    expect(run.receives(restarted(14, 5)).state).toBe('Restarting.Replacing');
  });

  it('has no effect if it was known before', () => {
    const run = getsOn(running(refunding()), 10, 1);
    replaced(run, 11)
      .receives(allReady(13).lastReportAt(1).progress('step=1', 1))
      .receives(oneFailed(14))
      .captures();
    expect(run.status.cause?.reason).toBe('RestartsExhausted');
  });

  it('has no effect while the job has not recovered', () => {
    const run = replaced(running(refunding()), 11);
    run.receives(aDigest(13).master({ scheduled: 1 }).workers({ ready: 2 }).progress('step=1', 1));
    expect(run.receives(oneFailed(14)).captures().status.cause?.reason).toBe('RestartsExhausted');
  });

  it('also has an effect in the next attempt of the gang', () => {
    const run = running(refunding(withLadder({ scope: 'gang', times: 1 })))
      .receives(oneFailed(11))
      .captures();
    getsOn(startsAgain(run, 30), 31, 1, 2)
      .receives(oneFailed(32, {}, 2))
      .captures();
    expect([run.state, run.secondsTo('backOff')]).toEqual(['Restarting.Draining', undefined]);
  });
});
