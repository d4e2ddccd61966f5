import { describe, expect, it } from '@jest/globals';
import type { Endangered } from '../../../contracts/digest.ts';
import type { Rung } from '../../../contracts/types.ts';
import { findLost, nextLossAt, podsLostBy } from '../../../machines/nodes/lost-nodes.ts';
import { aDigest, type PlanBuilder } from '../builders.ts';
import { START } from '../machine-run.ts';
import { allReady, oneFailed, type RunningMachine, running, threePods, withLadder } from '../three-pods.ts';

const MINUTE = 60_000;
const lossy = (plan: PlanBuilder = threePods()) => plan.policy({ nodes: { lostAfterMs: 5 * MINUTE } });
const dead = (fields: Partial<Endangered> = {}) => ({ index: 1, uid: 'u1', since: START, ...fields });

describe('pods on a node in trouble', () => {
  const context = (...pods: readonly Partial<Endangered>[]) => {
    const digest = aDigest();
    for (const pod of pods) digest.endangered(pod);
    return lossy().context(digest);
  };

  it('are lost when the time of the policy has passed since the trouble began', () => {
    expect(nextLossAt(context({ since: 0 }))).toBe(5 * MINUTE);
    expect(podsLostBy(context({ since: 0, uid: 'u' }), 5 * MINUTE - 1)).toEqual([]);
    expect(podsLostBy(context({ since: 0, uid: 'u' }), 5 * MINUTE)).toEqual(['u']);
  });

  it('are lost one after the other, each at its own time', () => {
    const two = context({ since: 0, uid: 'a' }, { since: MINUTE, uid: 'b', index: 1 });
    expect(nextLossAt(two)).toBe(5 * MINUTE);
    expect(nextLossAt({ ...two, lost: ['a'] })).toBe(6 * MINUTE);
    expect(nextLossAt({ ...two, lost: ['a', 'b'] })).toBeUndefined();
  });

  it('are never lost without a limit', () => {
    const unlimited = threePods().context(aDigest().endangered({ since: 0 }));
    expect([nextLossAt(unlimited), podsLostBy(unlimited, 1e15), findLost(unlimited)]).toEqual([
      undefined,
      [],
      [],
    ]);
  });

  it.each([
    ['NotReady', true],
    ['OutOfService', true],
    ['Cordoned', false],
  ] as const)('are lost for %s by default: %s', (trouble, counts) => {
    expect(nextLossAt(context({ trouble, since: 0 })) !== undefined).toBe(counts);
  });

  it('are lost for the troubles that the policy names', () => {
    const plan = lossy(threePods().policy({ nodes: { troubles: ['Cordoned'] } }));
    expect(nextLossAt(plan.context(aDigest().endangered({ trouble: 'Cordoned', since: 0 })))).toBeDefined();
    expect(nextLossAt(plan.context(aDigest().endangered({ trouble: 'NotReady', since: 0 })))).toBeUndefined();
  });

  it('have a reason when they are lost', () => {
    const lost = { ...context({ since: START, uid: 'u', node: 'gpu-7' }), lost: ['u'] };
    expect(findLost(lost)).toMatchObject([
      {
        uid: 'u',
        node: 'gpu-7',
        reason: 'NodeLost',
        message: 'NotReady since 2026-01-01T00:00:00Z; signalbox.dev/policy nodes.lostAfter: 300s',
      },
    ]);
  });
});

describe('a job with pods on a dead node', () => {
  const endangered = (plan = lossy()) => running(plan).receives(allReady(11).endangered(dead()));

  it('waits for the time of its policy', () => {
    const run = endangered();
    expect([run.state, run.deadlines]).toEqual(['Running', { nodeLost: START + 5 * MINUTE }]);
  });

  it('stops waiting when the node has recovered', () => {
    expect(endangered().receives(allReady(12)).deadlines).toEqual({});
  });

  it('replaces them when its time has expired, with evidence taken first', () => {
    const run = endangered().reaches('nodeLost');
    expect(run.effects).toMatchObject([{ type: 'capture', pods: [{ pod: 'resnet-worker-1', uid: 'u1' }] }]);
    run.captures();
    expect(run.effects).toMatchObject([
      { type: 'restorePods', replace: [{ pod: 'resnet-worker-1', uid: 'u1' }] },
    ]);
    expect(run.does('restorePods', 20).receives(allReady(20)).status).toMatchObject({
      phase: 'Running',
      restarts: 1,
    });
  });

  it('restarts the gang, where its ladder says so', () => {
    const run = endangered(lossy(withLadder({ scope: 'gang' })))
      .reaches('nodeLost')
      .captures();
    expect(run.effects).toMatchObject([{ type: 'drain', attempt: 1 }]);
  });

  it('names the node in its timeline', () => {
    expect(endangered().reaches('nodeLost').captures().lastCause).toContain(
      'resnet-worker-1 on node node-1: left no exit code (NodeLost: NotReady since 2026-01-01T00:00:00Z',
    );
  });

  it('loses each of them when its own time has expired', () => {
    const both = allReady(11)
      .endangered(dead())
      .endangered(dead({ index: 0, uid: 'u0', since: START + MINUTE }));
    const run = running(lossy()).receives(both).reaches('nodeLost').captures();
    expect(run.status.evidence).toContainEqual(
      expect.objectContaining({
        reason: 'NodeLost',
        message: expect.stringContaining('NotReady since'),
      }),
    );
    expect(run.effects).toMatchObject([{ replace: [{ uid: 'u1' }] }]);
    expect(run.deadlines.nodeLost).toBe(START + 6 * MINUTE);
  });

  it('charges the class infrastructure, whatever the restart policy', () => {
    const plan = lossy(threePods().policy({ failures: { classes: { infrastructure: { budget: 2 } } } }));
    const run = endangered(plan).reaches('nodeLost').captures();
    expect(run.status.budgets).toEqual({ infrastructure: { used: 1, allowed: 2 } });
  });

  it('fails, with the node named, when that is final or too often', () => {
    const ending = (plan: PlanBuilder) => endangered(lossy(plan)).reaches('nodeLost').captures().status.cause;
    const final = threePods().policy({ failures: { classes: { infrastructure: { final: true } } } });
    expect(ending(final)?.message).toContain('resnet-worker-1 on node node-1');
    expect(ending(threePods().backoffLimit(0))).toMatchObject({
      reason: 'BackoffLimitExceeded',
      node: 'node-1',
    });
  });

  it('has no time running while it is suspended', () => {
    const run = endangered().suspend().receives(allReady(12).endangered(dead()));
    expect(run.deadlines).toEqual({});
  });

  it('applies a changed limit at once', () => {
    const run = running(threePods()).receives(allReady(11).endangered(dead()));
    expect(run.secondsTo('nodeLost')).toBeUndefined();
    expect(run.amend(lossy()).deadlines).toEqual({ nodeLost: START + 5 * MINUTE });
    expect(run.amend(threePods()).deadlines).toEqual({});
  });
});

describe('a pod that stays after its deletion', () => {
  const forcing = (...ladder: readonly Rung[]) =>
    withLadder(...ladder).policy({ nodes: { forceDeleteAfterMs: 60_000 } });
  const draining = (plan = forcing({ scope: 'gang' })) => running(plan).receives(oneFailed(11)).captures();
  const left = { stuckPods: [{ pod: 'resnet-worker-1', node: 'gpu-7' }] };

  it('is named as the cause of waiting', () => {
    const run = draining(withLadder({ scope: 'gang' })).does('drain', left);
    expect([run.state, run.effects]).toEqual(['Restarting.Draining', []]);
    expect(run.status.cause).toEqual({
      reason: 'PodsTerminating',
      message: 'waiting for resnet-worker-1 on node gpu-7 to terminate',
      pod: 'resnet-worker-1',
      node: 'gpu-7',
      also: [
        {
          reason: 'RestartingGang',
          message: 'the gang restarts: resnet-worker-0: exited with code 1 (Error)',
        },
      ],
    });
    expect(run.secondsTo('forceDelete')).toBeUndefined();
    expect(run.reaches('look').effects).toMatchObject([{ type: 'drain', attempt: 1, again: true }]);
    expect(run.does('drain').effects).toEqual([{ type: 'createAttempt', attempt: 2 }]);
  });

  it('is deleted by force when the policy allows it, and its time has expired', () => {
    const run = draining().does('drain', left).reaches('forceDelete');
    expect(run.effects).toMatchObject([{ type: 'drain', attempt: 1, again: true, force: true }]);
    expect(run.secondsTo('look')).toBeUndefined();
    expect(run.does('drain').effects).toEqual([{ type: 'createAttempt', attempt: 2 }]);
    expect(run.secondsTo('forceDelete')).toBeUndefined();
  });

  it('is named as the cause of waiting, if it is still there after that', () => {
    const run = draining().reaches('forceDelete').does('drain', left);
    expect(run.status.cause).toMatchObject({ reason: 'PodsTerminating', pod: 'resnet-worker-1' });
    const again = { type: 'drain', attempt: 1, again: true, force: true };
    expect(run.reaches('look').effects).toMatchObject([again]);
  });

  it('is deleted by force when it is to be replaced', () => {
    const run = draining(forcing({ scope: 'pod' }));
    const [effect] = run.effects;
    expect(run.reaches('forceDelete').effects).toEqual([{ ...effect, force: true }]);
    expect(run.does('restorePods', 20).secondsTo('forceDelete')).toBeUndefined();
  });

  it('is deleted by force when its job is suspended', () => {
    const run = running(forcing({ scope: 'pod' })).suspend();
    expect(run.secondsTo('forceDelete')).toBe(60);
    expect(run.does('suspend', left).effects).toEqual([]);
    expect(run.status.cause).toMatchObject({ reason: 'PodsTerminating', pod: 'resnet-worker-1' });
    expect(run.reaches('forceDelete').effects).toEqual([{ type: 'suspend', again: true, force: true }]);
    expect([run.does('suspend').state, run.deadlines]).toEqual(['Suspended.Resting', {}]);
  });

  it('is named as the cause of waiting, when it is to be replaced', () => {
    const run = draining(withLadder({ scope: 'pod' }));
    const [effect] = run.effects;
    expect(run.does('restorePods', left).effects).toEqual([]);
    expect(run.status.cause).toMatchObject({ reason: 'PodsTerminating', pod: 'resnet-worker-1' });
    expect(run.reaches('look').effects).toEqual([{ ...effect, again: true }]);
    expect(run.does('restorePods', 20).context.terminating).toBeUndefined();
  });

  it('is named, with the trouble of its node, when it is to be replaced', () => {
    const run = draining(withLadder({ scope: 'pod' }));
    const stuck = { index: 1, uid: 'u1', node: 'gpu-7' };
    run.receives(
      oneFailed(12)
        .terminating(stuck)
        .endangered({ ...stuck, since: START }),
    );
    expect(run.status.cause).toMatchObject({
      reason: 'PodsTerminating',
      message: 'waiting for resnet-worker-1 on node gpu-7 (NotReady) to terminate',
    });
  });

  it.each([
    ['stop', (run: RunningMachine) => run.stop(), 'cleanUp'],
    ['suspend', (run: RunningMachine) => run.suspend(), 'suspend'],
  ] as const)('does not keep a job from %s', (_, ask, effect) => {
    expect(ask(draining().does('drain', left)).effects).toMatchObject([{ type: effect }]);
  });
});
