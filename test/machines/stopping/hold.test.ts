import { describe, expect, it } from '@jest/globals';
import { holdTime, isHeldOnFailure } from '../../../machines/stopping/hold.ts';
import { aDigest, aPlan } from '../builders.ts';
import { aRunWithEvidence } from '../machine-run.ts';
import { oneFailed, type RunningMachine, running, threePods } from '../three-pods.ts';

const HOUR = 3_600_000;
const held = () => threePods().policy({ holdOnFailureMs: HOUR });
const restarting = (plan = held()) => running(plan).receives(oneFailed(11)).captures();
const failing = () =>
  running(aPlan().master('Never').workers(2, 'Never').policy({ holdOnFailureMs: HOUR }))
    .receives(oneFailed(11))
    .captures();

describe('how long failed pods are kept', () => {
  it('follows the policy, unless there is a request', () => {
    expect(holdTime(threePods().context())).toBe(0);
    expect(holdTime(held().context())).toBe(HOUR);
    expect(holdTime({ ...held().context(), holdMs: 5 })).toBe(5);
    expect(holdTime({ ...held().context(), holdMs: 0 })).toBe(0);
  });

  const failed = () => aDigest().master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure();
  const gone = () => aDigest().master({ ready: 1 }).workers({ ready: 1 });
  it('is zero without a failed pod', () => {
    expect(isHeldOnFailure(held().context(failed()))).toBe(true);
    expect(isHeldOnFailure({ ...held().context(failed()), released: true })).toBe(false);
    expect(isHeldOnFailure(threePods().context(failed()))).toBe(false);
    expect(isHeldOnFailure(held().context(gone()))).toBe(false);
    expect(isHeldOnFailure(held().context())).toBe(false);
  });
});

describe.each([
  ['before it restarts', restarting, 'Restarting.Holding', 'Restarting.Replacing', 'restorePods'],
  ['before it has failed', failing, 'Finishing.Holding', 'Finishing.CleaningUp', 'cleanUp'],
] as const)('a job that is held %s', (_, arrive, holding, next, effect) => {
  const goesOn = (run: RunningMachine) => {
    expect([run.state, run.effects.map(({ type }) => type)]).toEqual([next, [effect]]);
    expect(run.secondsTo('hold')).toBeUndefined();
  };

  it('deletes nothing, and says until when', () => {
    const run = arrive();
    expect([run.state, run.secondsTo('hold')]).toEqual([holding, 3600]);
    expect(run.effects.filter(({ type }) => type !== 'capture')).toEqual([]);
    expect(run.status.cause?.message).toMatch(/resnet-worker-0: exited with code 1.*; the failed pods are kept until 2026-01-01T01:00:0.Z/); // biome-ignore format: one line
  });

  it('continues when its time has expired', () => goesOn(arrive().reaches('hold')));

  it('continues when it is released, and says by whom', () => {
    const run = arrive().release('released by ben: seen enough');
    goesOn(run);
    expect(run.lastCause).toBe('released by ben: seen enough');
  });

  it('is held for longer, counted from the request', () => {
    const run = arrive().waits(3000).hold(7200, 'kept by ben');
    expect([run.state, run.effects, run.secondsTo('hold')]).toEqual([holding, [], 7200]);
    expect(run.lastCause).toBe('kept by ben');
  });

  it('is stopped at once', () => {
    const run = arrive().stop();
    expect(run.effects).toMatchObject([{ type: 'cleanUp' }]);
    expect(run.does('cleanUp').status.phase).toBe(holding.startsWith('Fin') ? 'Failed' : 'Stopped');
  });

  it('is held through a new run of the workflow', () => {
    const run = arrive().continueAsNew();
    expect([run.state, run.secondsTo('hold')]).toEqual([holding, 3600]);
    goesOn(run.release());
  });

  it('has nothing left to hold when its anchor is deleted', () => {
    const run = arrive().receives(aDigest(12).withoutAnchor());
    expect(run.effects).toMatchObject([{ type: 'cleanUp' }]);
  });
});

describe('a hold', () => {
  it('is the cause of waiting', () => {
    expect(restarting().status.cause).toMatchObject({ reason: 'HeldForDebugging' });
  });

  it('occurs once for each failure', () => {
    const run = restarting().release().does('restorePods', 20).receives(oneFailed(20)).captures();
    expect(run.state).toBe('Restarting.Holding');
  });

  it('does not occur again when the released job has failed', () => {
    const run = restarting();
    run.amend(held().policy({ failures: { classes: { userCode: { final: true } } } }));
    expect([run.state, run.release().state]).toEqual(['Restarting.Holding', 'Finishing.CleaningUp']);
  });

  it('can be requested before a failure, and called off', () => {
    expect(running(threePods()).hold(60).receives(oneFailed(11)).captures().secondsTo('hold')).toBe(60);
    expect(running(held()).hold(0).receives(oneFailed(11)).captures().state).toBe('Restarting.Replacing');
  });

  it('is followed by the back-off, except after a request to retry now', () => {
    const twice = () => restarting().release().does('restorePods', 20).receives(oneFailed(20)).captures();
    expect(twice().release().state).toBe('Restarting.BackingOff');
    expect(twice().retryNow().state).toBe('Restarting.Replacing');
    const third = twice().retryNow().does('restorePods', 30).receives(oneFailed(30)).captures().release();
    expect(third.state).toBe('Restarting.BackingOff');
  });

  it('does not keep the pods of a stopped job, or of one that exceeded its deadline without a failure', () => {
    expect(running(held()).stop().state).toBe('Finishing.CleaningUp');
    expect(running(held().deadline(60)).reaches('activeDeadline').state).toBe('Finishing.CleaningUp');
  });

  it('does not apply to objects that could not be created', () => {
    const run = aRunWithEvidence(held());
    run.failsTo('createAttempt', { reason: 'ClusterRefused', message: 'quota' });
    expect(run.state).toBe('Finishing.CleaningUp');
  });

  it('does not exceed the deadline of the job', () => {
    const run = restarting(held().deadline(600)).reaches('activeDeadline');
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'DeadlineExceeded' } });
  });

  it('does not need the timer of a restart that failed before', () => {
    const timed = held().policy({ restart: { ladder: [{ scope: 'pod', withinMs: 60_000 }] } });
    const run = restarting(timed).release().does('restorePods', 20).receives(oneFailed(20)).captures();
    expect(Object.keys(run.deadlines)).toEqual(['hold']);
  });
});
