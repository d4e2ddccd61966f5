import { describe, expect, it } from '@jest/globals';
import { needsCapture, uncaptured, withCaptured } from '../../../machines/failures/evidence.ts';
import { aDigest, aFailure, aPlan, someEvidence } from '../builders.ts';
import { aRunWithEvidence } from '../machine-run.ts';
import { oneFailed, running, threePods } from '../three-pods.ts';

const PATTERN = { class: 'data', pattern: 'bad record' };
const byPattern = (rules: object) =>
  threePods().policy({ failures: { rules: [PATTERN], classes: { data: rules } } });

describe('evidence', () => {
  const failed = aDigest().workers({ failed: 2 }).failure({ uid: 'u0' }).failure({ index: 1, uid: 'u1' });
  const context = threePods().context(failed);

  it('is needed of every failed pod without it', () => {
    expect(uncaptured(context).map(({ uid }) => uid)).toEqual(['u0', 'u1']);
    expect(uncaptured({ ...context, captured: { u0: [] } })).toEqual([{ pod: 'resnet-worker-1', uid: 'u1' }]);
    expect(needsCapture({ ...context, captured: { u0: [], u1: [] } })).toBe(false);
  });

  it('is needed once of a job in trouble without a failed pod', () => {
    const trouble = { class: 'stalled', reason: 'Stalled', message: '', rule: '', least: 'gang' } as const;
    const stalled = { ...threePods().context(aDigest()), trouble };
    expect(needsCapture(stalled)).toBe(true);
    expect(needsCapture({ ...stalled, ...withCaptured(stalled, []) })).toBe(false);
  });

  it('is dropped together with its pods', () => {
    const captured = withCaptured({ ...context, captured: { gone: [0], u0: [1] }, capturing: ['u1'] }, []);
    expect(captured.captured).toEqual({ u0: [1], u1: [] });
  });

  it('keeps the patterns that were found', () => {
    const { uid } = aFailure({ uid: 'u1' });
    const captured = withCaptured({ ...context, capturing: ['u0', 'u1'] }, [
      someEvidence({ uid, matches: [2] }),
    ]);
    expect(captured.captured).toEqual({ u0: [], u1: [2] });
  });
});

describe('a job with evidence', () => {
  it('waits for it before a pod is replaced', () => {
    const run = running().receives(oneFailed(11, { uid: 'u0' }));
    expect([run.state, run.effects]).toEqual([
      'Restarting.Capturing',
      [{ type: 'capture', attempt: 1, pods: [{ pod: 'resnet-worker-0', uid: 'u0' }] }],
    ]);
    expect(run.captures().effects).toMatchObject([{ type: 'restorePods', replace: [{ uid: 'u0' }] }]);
  });

  it('waits for it before it fails, and is cleaned up after that', () => {
    const run = running(aPlan().master('Never').workers(2, 'Never')).receives(oneFailed(11, { uid: 'u0' }));
    expect([run.state, run.status.phase, run.effects]).toEqual([
      'Finishing.Capturing',
      'Failed',
      [{ type: 'capture', attempt: 1, pods: [{ pod: 'resnet-worker-0', uid: 'u0' }] }],
    ]);
    expect(run.captures().effects).toMatchObject([{ type: 'cleanUp', outcome: 'Failed' }]);
    expect(run.does('cleanUp').status).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed' } });
  });

  it('does not wait for it to succeed or to be stopped', () => {
    const failedAndDone = aDigest(11).master({ succeeded: 1 }).workers({ ready: 1, failed: 1 }).failure();
    expect(running().receives(failedAndDone).state).toBe('Finishing.CleaningUp');
    expect(running().receives(oneFailed(11)).stop().state).toBe('Finishing.CleaningUp');
  });

  it('also takes it of later failures, before anything is deleted', () => {
    const run = running().receives(oneFailed(11, { uid: 'u0' }));
    const both = aDigest(12).master({ ready: 1 }).workers({ failed: 2 }).failure({ uid: 'u0' });
    run
      .receives(both.failure({ index: 1, uid: 'u1' }))
      .does('capture', { evidence: [someEvidence({ uid: 'u0' })] });
    expect([run.state, run.effects]).toEqual([
      'Restarting.Capturing',
      [{ type: 'capture', attempt: 1, pods: [{ pod: 'resnet-worker-1', uid: 'u1' }] }],
    ]);
    expect(run.captures().effects).toMatchObject([{ replace: [{ uid: 'u0' }, { uid: 'u1' }] }]);
  });

  it('continues when it could not be taken, and says why not', () => {
    const run = running().receives(oneFailed(11));
    run.failsTo('capture', { reason: 'EngineFault', message: 'the store is full' });
    expect(run.state).toBe('Restarting.Replacing');
    expect(run.lastCause).toContain('evidence could not be collected: the store is full');
  });

  it('fails for its own reason when it could not be taken', () => {
    const run = running(aPlan().master('Never').workers(2, 'Never')).receives(oneFailed(11));
    run.failsTo('capture', { reason: 'EngineFault', message: 'the store is full' });
    expect([run.state, run.status.cause?.reason]).toEqual(['Finishing.CleaningUp', 'PodFailed']);
    expect(run.lastCause).toContain('evidence could not be collected: the store is full');
  });

  it('shows the last first, once for each pod, and twenty at most', () => {
    const run = running().receives(oneFailed(11));
    const taken = Array.from({ length: 25 }, (_, index) => someEvidence({ index, uid: `u${index}` }));
    run
      .does('capture', { evidence: taken })
      .does('restorePods', { resourceVersion: 20, evidence: [taken[3]!] });
    const uids = run.status.evidence!.map(({ uid }) => uid);
    expect(uids.slice(0, 3)).toEqual(['u3', 'u24', 'u23']);
    expect([uids.length, new Set(uids).size]).toEqual([20, 20]);
  });

  it('also shows evidence taken by later deletions', () => {
    const run = running().suspend();
    run.does('suspend', { evidence: [someEvidence({ uid: 'u0' })] });
    expect(run.status.evidence).toMatchObject([{ uid: 'u0' }]);
    expect(running().status).not.toHaveProperty('evidence');
  });
});

describe('a failure that depends on a pattern', () => {
  const examined = (rules: object, found: readonly number[]) =>
    running(byPattern(rules)).receives(oneFailed(11)).captures({ 'resnet-worker-0': found });

  it('is not decided before its evidence is there', () => {
    expect(running(byPattern({ final: true })).receives(oneFailed(11)).state).toBe('Restarting.Capturing');
  });

  it('ends the job if it is found, and final', () => {
    const run = examined({ final: true }, [0]);
    expect([run.state, run.status.cause?.reason]).toEqual(['Finishing.CleaningUp', 'FinalFailure']);
  });

  it('is treated as any other if it is not found', () => {
    expect(examined({ final: true }, []).state).toBe('Restarting.Replacing');
  });

  it('is charged to the budget of the pattern if it is found', () => {
    expect(examined({ budget: 3 }, [0]).status.budgets).toEqual({ data: { used: 1, allowed: 3 } });
    expect(examined({ budget: 3 }, []).status.budgets).toEqual({ data: { used: 0, allowed: 3 } });
  });

  it('does not end the job if its pattern allows a restart', () => {
    const never = aPlan()
      .workers(1, 'Never')
      .policy({ failures: { rules: [PATTERN], classes: { data: { free: true } } } });
    const failing = () =>
      aRunWithEvidence(never)
        .does('createAttempt', 10)
        .receives(aDigest(11).workers({ failed: 1 }).failure({ exitCode: 1 }));
    expect(failing().state).toBe('Restarting.Capturing');
    expect(failing().captures({ 'resnet-worker-0': [0] }).state).toBe('Restarting.Replacing');
    expect(failing().captures().status).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed' } });
  });

  it('is treated as any other when its log could not be searched', () => {
    const run = running(byPattern({ final: true })).receives(oneFailed(11));
    run.failsTo('capture', { reason: 'EngineFault', message: 'no log' });
    expect(run.state).toBe('Restarting.Replacing');
  });

  it('is also searched if it occurs while another one is', () => {
    const run = running(byPattern({ final: true })).receives(oneFailed(11, { uid: 'u0' }));
    const both = aDigest(12).master({ ready: 1 }).workers({ failed: 2 }).failure({ uid: 'u0', exitCode: 1 });
    run.receives(both.failure({ index: 1, uid: 'u1', exitCode: 1 }));
    run.does('capture', { evidence: [someEvidence({ uid: 'u0' })] });
    expect(run.captures({ 'resnet-worker-1': [0] }).status.cause?.reason).toBe('FinalFailure');
  });
});
