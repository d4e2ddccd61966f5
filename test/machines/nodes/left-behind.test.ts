import { describe, expect, it } from '@jest/globals';
import type { GangFence } from '../../../contracts/training-job.ts';
import type { PlanBuilder } from '../builders.ts';
import { START } from '../machine-run.ts';
import {
  allReady,
  GRACE_FOR_SURVIVORS,
  oneFailed,
  type RunningMachine,
  running,
  threePods,
  withLadder,
} from '../three-pods.ts';

const SILENT = { index: 1, uid: 'u1', node: 'gpu-7', since: START, isSilent: true };

/** Worker 1 is on a node whose kubelet is silent; `told` to stop, e.g. by Kubernetes. */
const silent = (resourceVersion: number, { told = true, attempt = 1 } = {}) => {
  const digest = allReady(resourceVersion, attempt).endangered(SILENT);
  return told ? digest.workers({ ready: 1, terminating: 1 }).terminating(SILENT) : digest;
};

/** Only it is left. */
const onlySilent = (resourceVersion: number) =>
  silent(resourceVersion).master({}).workers({ terminating: 1 });

const STUCK = { stuckPods: [{ pod: 'resnet-worker-1', uid: 'u1', node: 'gpu-7', until: START + 90_000 }] };
const fenced = (plan: PlanBuilder = threePods()) => plan.fenced();
const lost = (plan = fenced()) => running(plan).receives(silent(11)).reaches('nodeLost').captures();

describe('a gang with a pod on a silent node, without a policy', () => {
  it('waits until Kubernetes deletes the pod, and says so', () => {
    const run = running(fenced()).receives(silent(11, { told: false }).workers({ ready: 1, scheduled: 1 }));
    expect(run.deadlines).toEqual({});
    expect(run.status.cause?.message).toBe(
      'node gpu-7 is not ready since 2026-01-01T00:00:00Z; resnet-worker-1 runs there; once Kubernetes deletes its pods, by default after 5 min, the gang restarts without them',
    );
  });

  it('then restarts as a whole, and leaves the pod behind', () => {
    const run = running(fenced()).receives(silent(11));
    expect(run.deadlines).toEqual({ nodeLost: START });
    run.reaches('nodeLost');
    expect(run.effects).toMatchObject([{ type: 'capture', pods: [{ pod: 'resnet-worker-1' }] }]);
    run.captures();
    expect(run.effects).toEqual([
      { type: 'drain', attempt: 1, survivors: GRACE_FOR_SURVIVORS, leavesSilent: true },
    ]);
    expect(run.lastCause).toContain(
      'resnet-worker-1 on node gpu-7: left no exit code (NodeLost: NotReady since 2026-01-01T00:00:00Z; Kubernetes deletes the pod, and its node does not answer)',
    );
  });

  it('looks again as soon as nothing else is left, and once for each digest', () => {
    const run = lost().does('drain', STUCK);
    expect(run.deadlines.forceDelete).toBeUndefined();
    run.receives(onlySilent(13));
    expect(run.secondsTo('forceDelete')).toBeLessThanOrEqual(0);
    run.reaches('forceDelete');
    expect(run.effects).toMatchObject([{ type: 'drain', attempt: 1, again: true, leavesSilent: true }]);
    expect(run.effects).not.toMatchObject([{ force: true }]);
    expect(run.does('drain', STUCK).secondsTo('forceDelete')).toBeUndefined();
  });

  it('meets elsewhere in each later attempt, also when it restarts without such a pod', () => {
    const run = lost().does('drain');
    expect(run.effects).toMatchObject([{ type: 'createAttempt', attempt: 2, meeting: 1 }]);
    run
      .does('createAttempt', 20)
      .receives(oneFailed(21, {}, 2))
      .captures()
      .reaches('backOff');
    expect(run.effects).toMatchObject([{ type: 'restorePods', attempt: 2, meeting: 1 }]);
    run
      .does('restorePods', 22)
      .receives(silent(23, { attempt: 2 }))
      .reaches('nodeLost')
      .captures();
    run.does('drain').reaches('backOff');
    expect(run.effects).toMatchObject([{ type: 'createAttempt', attempt: 3, meeting: 2 }]);
  });

  it('meets elsewhere also if a person or a time of the policy deletes the pod by force', () => {
    const gang = withLadder({ scope: 'gang' });
    const run = running(fenced(gang.policy({ nodes: { forceDeleteAfterMs: 60_000 } })));
    run.receives(oneFailed(11).endangered(SILENT)).captures();
    expect(run.effects).toEqual([{ type: 'drain', attempt: 1, survivors: GRACE_FOR_SURVIVORS }]);
    expect(run.does('drain').effects).toMatchObject([{ type: 'createAttempt', attempt: 2, meeting: 1 }]);
  });

  it('leaves a pod behind whose node falls silent while the gang restarts for something else', () => {
    const run = running(fenced(withLadder({ scope: 'gang' })))
      .receives(oneFailed(11))
      .captures();
    expect(run.effects).not.toMatchObject([{ leavesSilent: true }]);
    run.does('drain', STUCK).receives(onlySilent(13)).reaches('forceDelete');
    expect(run.effects).toMatchObject([{ type: 'drain', again: true, leavesSilent: true }]);
  });

  it('leaves it behind when it is suspended, and meets elsewhere when it is resumed', () => {
    const run = running(fenced()).receives(silent(11)).suspend();
    expect(run.effects).toEqual([{ type: 'suspend', leavesSilent: true }]);
    expect(run.does('suspend').resume().effects).toMatchObject([{ type: 'createAttempt', meeting: 1 }]);
  });

  it('goes on if the node answers in time', () => {
    const run = running(fenced()).receives(silent(11)).receives(allReady(12));
    expect([run.state, run.deadlines]).toEqual(['Running', {}]);
  });

  it('trains on as long as it reports progress', () => {
    const plan = fenced(threePods().policy({ progress: { log: 'step' } }));
    const run = running(plan).waits(600).receives(silent(11).progress('step=9', 9));
    const at = run.deadlines.nodeLost!;
    expect(at - run.time).toBeGreaterThan(100_000);
    expect(run.waits(10).receives(silent(12).progress('step=10', 10)).deadlines.nodeLost).toBe(at);
    expect(run.waits(120).receives(silent(13).progress('step=11', 11)).deadlines.nodeLost).toBeGreaterThan(
      at,
    );
  });
});

describe('a job waits for its pods on silent nodes, and says why,', () => {
  const waits = (plan: PlanBuilder, digest = silent(11)) => {
    const run = running(plan).receives(digest);
    expect(run.deadlines).toEqual({});
    return run.status.cause?.message;
  };

  it.each<[Exclude<GangFence, 'port'>, string]>([
    ['onePod', 'the job has one pod, which needs no other to go on'],
    ['elastic', 'the job is elastic: its pods go on without one another'],
    ['servers', 'the job has parameter servers: its workers go on without one another'],
    ['launcher', 'its launcher starts processes in all pods, also from a silent node'],
    ['ownAddress', 'the manifest says where its ranks meet, so an old one could join a new attempt'],
    ['unknown', 'nothing is known of where its ranks meet, so an old one could join a new attempt'],
  ])('if nothing keeps them from the next attempt: %s', (fence, why) => {
    expect(waits(threePods().fenced(fence))).toContain(`; the job waits for it: ${why}`);
    const gang = running(withLadder({ scope: 'gang' }).fenced(fence))
      .receives(oneFailed(11))
      .captures();
    gang.does('drain', STUCK).receives(onlySilent(12));
    expect([gang.effects, gang.deadlines]).toEqual([[], { look: expect.any(Number) }]);
    expect(gang.status.cause?.message).toContain(`to terminate; it is not deleted by force: ${why}`);
  });

  it('if the policy says so', () => {
    const never = fenced(threePods().policy({ nodes: { waitForSilent: true } }));
    expect(waits(never)).toContain('; the job waits for it: signalbox.dev/policy nodes.waitForSilent: true');
  });

  it('if some ranks have succeeded', () => {
    const digest = silent(11).workers({ succeeded: 1, terminating: 1 });
    expect(waits(fenced(), digest)).toContain('some ranks have succeeded');
  });

  it('if all of them are on such nodes', () => {
    const digest = [0, 2].reduce(
      (all, index) =>
        all.endangered({ ...SILENT, index, uid: `s${index}`, role: index ? 'master' : 'worker' }),
      silent(11),
    );
    expect(waits(fenced(), digest)).toContain('all its pods are on silent nodes');
  });

  it('if it was admitted when that was not looked for', () => {
    const run = running(threePods()).receives(silent(11));
    expect([run.deadlines, run.effects]).toEqual([{}, []]);
    expect(run.suspend().effects).toEqual([{ type: 'suspend' }]);
  });
});

describe('times of a policy', () => {
  const nodes = (given: object) => fenced(threePods().policy({ nodes: given }));
  const afterLoss = (plan: PlanBuilder, digest = silent(11, { told: false })): RunningMachine =>
    running(plan).receives(digest).reaches('nodeLost').captures();

  it('make it sooner: with lostAfter alone the gang restarts, and nothing is waited for', () => {
    const run = afterLoss(nodes({ lostAfterMs: 5_000 }));
    expect(run.time).toBe(START + 6_000);
    expect(run.effects).toMatchObject([{ type: 'drain', leavesSilent: true }]);
  });

  it('mean what they meant: with lostAfter and forceDeleteAfter one pod is replaced', () => {
    const run = afterLoss(nodes({ lostAfterMs: 5_000, forceDeleteAfterMs: 10_000 }));
    expect(run.effects).toMatchObject([{ type: 'restorePods', replace: [{ uid: 'u1' }] }]);
    expect(run.reaches('forceDelete').effects).toMatchObject([{ type: 'restorePods', force: true }]);
  });

  it('mean what they meant: a node that is not ready, but answers, ends the pod itself', () => {
    const { isSilent: _, ...answers } = SILENT;
    const run = afterLoss(nodes({ lostAfterMs: 5_000 }), allReady(11).endangered(answers));
    expect(run.effects).toMatchObject([{ type: 'restorePods', replace: [{ uid: 'u1' }] }]);
  });
});
