import { describe, expect, it } from '@jest/globals';
import type { StuckPod } from '../../../contracts/stuck-pod.ts';
import { aDigest } from '../builders.ts';
import { allReady, draining, running, threePods } from '../three-pods.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const WORKER: StuckPod = { pod: 'resnet-worker-1', uid: 'u1', node: 'gpu-7' };

/** A worker that was told to end, as the resource version shows it, and that has so many seconds to do so. */
const leaves = (run: ReturnType<typeof draining>, seconds: number, resourceVersion = 20) =>
  run.does('drain', { resourceVersion, stuckPods: [{ ...WORKER, until: run.time + seconds * 1000 }] });

const stillLeaving = (resourceVersion: number) =>
  aDigest(resourceVersion).workers({ terminating: 1 }).terminating({ pod: WORKER.pod, uid: 'u1' });
const allGone = (resourceVersion: number) => aDigest(resourceVersion).attempt(0);

describe('a job that waits for pods to end', () => {
  it('waits without an activity, and reports nothing until their time has expired', () => {
    const run = leaves(draining(), 40);
    expect(run.effects).toEqual([]);
    expect(run.status.cause?.reason).toBe('RestartingGang');
    expect(run.secondsTo('look')).toBe(39);
  });

  it('checks at once when a digest shows that they are gone', () => {
    const run = leaves(draining(), 40).receives(stillLeaving(21));
    expect(run.effects).toEqual([]);
    expect(run.receives(allGone(22)).effects).toMatchObject([{ type: 'drain', attempt: 1, again: true }]);
    expect(run.secondsTo('look')).toBeUndefined();
  });

  it('ignores a digest that is older than their deletion', () => {
    const run = leaves(draining(), 40);
    expect(run.receives(allReady(19)).effects).toEqual([]);
    expect(run.secondsTo('look')).toBe(38);
  });

  it('does not start a check again that is in progress', () => {
    const run = leaves(draining(), 40).receives(allGone(22));
    expect(run.receives(allGone(23)).effects).toEqual([]);
  });

  it('checks soon if the digest came before the result of the deletion', () => {
    const run = leaves(draining().receives(allGone(22)), 40);
    expect([run.effects, run.secondsTo('look')]).toEqual([[], 2]);
  });

  it('names the finalizer of a pod whose containers have ended', () => {
    const held = { ...WORKER, heldBy: ['example.com/billing'] };
    const run = draining().does('drain', { resourceVersion: 20, stuckPods: [held] });
    expect(run.status.cause).toMatchObject({
      reason: 'PodsTerminating',
      pod: WORKER.pod,
      message:
        'waiting for resnet-worker-1 on node gpu-7 to be removed: its containers have ended, but it has the finalizer example.com/billing',
    });
  });

  it('names them once their time has expired', () => {
    const run = leaves(draining(), 40)
      .reaches('look')
      .does('drain', { stuckPods: [WORKER] });
    expect(run.status.cause).toMatchObject({ reason: 'PodsTerminating', pod: WORKER.pod, node: 'gpu-7' });
  });

  it('checks less and less often, some dozens of times a day', () => {
    const run = leaves(draining(), 40);
    let looks = 0;
    for (const end = run.time + 24 * HOUR * 1000; run.time < end; looks++) {
      run.reaches('look').does('drain', { stuckPods: [WORKER] });
    }
    expect(looks).toBeLessThan(64);
    expect(run.secondsTo('look')).toBe(30 * MINUTE);
    expect(run.states.filter((state) => state === 'Restarting.Draining')).toHaveLength(1);
  });

  it('continues to wait in another run of the workflow', () => {
    const run = leaves(draining(), 40).continueAsNew();
    expect(run.secondsTo('look')).toBe(39);
    expect(run.receives(allGone(22)).effects).toMatchObject([{ type: 'drain', attempt: 1, again: true }]);
  });

  it('no longer waits when it is stopped', () => {
    const run = leaves(draining(), 40).stop();
    expect([run.context.terminating, run.deadlines]).toEqual([undefined, {}]);
  });

  it('still waits for them when it is suspended again before they are gone', () => {
    const run = running()
      .suspend()
      .does('suspend', { stuckPods: [WORKER] })
      .resume()
      .suspend();
    expect(run.secondsTo('look')).toBeDefined();
    expect(run.reaches('look').effects).toEqual([{ type: 'suspend', again: true }]);
  });
});

describe('a job that has ended, and whose pods end slowly,', () => {
  const ending = (seconds = 30) => {
    const run = running().stop();
    return run.does('cleanUp', {
      resourceVersion: 20,
      stuckPods: [{ ...WORKER, until: run.time + seconds * 1000 }],
    });
  };

  it('waits for them without an activity', () => {
    const run = ending();
    expect([run.state, run.effects]).toEqual(['Finishing.CleaningUp', []]);
    expect(run.secondsTo('look')).toBe(29);
  });

  it('ends soon after a digest has shown that they are gone, and its status does not change', () => {
    const run = ending();
    const { replicaStatuses } = run.status;
    run.receives(stillLeaving(21)).receives(allGone(22));
    expect(run.effects).toMatchObject([{ type: 'cleanUp', scope: 'Everything', again: true }]);
    expect(run.status.replicaStatuses).toEqual(replicaStatuses);
    expect([run.does('cleanUp').state, run.lastCause]).toEqual(['Stopped', 'clean-up finished']);
  });

  it('looks itself if its anchor is gone: no watcher follows them', () => {
    const run = running().receives(aDigest(11).withoutAnchor());
    const until = run.time + 30_000;
    const pauses: (number | undefined)[] = [];
    while (run.time < until) {
      run.does('cleanUp', { resourceVersion: 20, stuckPods: [{ ...WORKER, until }] });
      pauses.push(run.secondsTo('look'));
      run.reaches('look');
    }
    expect(pauses.slice(0, 3)).toEqual([2, 2, 2]);
    expect(pauses.length).toBeLessThan(12);
    expect(run.does('cleanUp').state).toBe('Stopped');
  });

  it('names the pods when their time has expired, and those that remain in the end', () => {
    const run = ending()
      .reaches('look')
      .does('cleanUp', { stuckPods: [WORKER] });
    expect(run.status.cause).toMatchObject({
      reason: 'StopRequested',
      message: 'stopped by ana; waiting for resnet-worker-1 on node gpu-7 to terminate',
    });
    let looks = 0;
    while (run.state === 'Finishing.CleaningUp') {
      run.reaches('look').does('cleanUp', { stuckPods: [WORKER] });
      looks++;
    }
    expect(looks).toBeLessThan(8);
    expect(run.state).toBe('Stopped');
    expect(run.lastCause).toBe(
      'the job no longer waits: 1 pod that was asked to stop still exists (resnet-worker-1 on node gpu-7); they disappear when their node answers again or is removed, or when their finalizers are removed',
    );
  });
});

describe('a job that has ended, and one of whose pods has only a finalizer left,', () => {
  const HELD: StuckPod = { pod: 'resnet-worker-0', uid: 'u0', heldBy: ['example.com/billing', 'b/c'] };

  it('ends: nothing of it runs', () => {
    const run = running()
      .stop()
      .does('cleanUp', { stuckPods: [HELD] });
    expect([run.state, run.lastCause]).toEqual([
      'Stopped',
      'the job no longer waits: 1 pod that was asked to stop still exists (resnet-worker-0, which has the finalizers example.com/billing, b/c); they disappear when their node answers again or is removed, or when their finalizers are removed',
    ]);
  });

  it('still waits for the others', () => {
    const run = running()
      .stop()
      .does('cleanUp', { stuckPods: [HELD, WORKER] });
    expect(run.state).toBe('Finishing.CleaningUp');
  });
});

describe('a clean-up that is refused', () => {
  const refused = 'DELETE pods/resnet-worker-1: 403 Forbidden: keep it';
  const ending = () => running().stop().does('cleanUp', { resourceVersion: 0, refused });

  it('is retried, and the job says why it has not ended', () => {
    const run = ending();
    expect([run.state, run.effects, run.secondsTo('look')]).toEqual(['Finishing.CleaningUp', [], 5]);
    expect(run.status.cause?.reason).toBe('StopRequested');
    expect(run.status.cause?.message).toContain(refused);
    expect(run.lastCause).toBe(`the clean-up is refused: ${refused}`);
    expect(run.reaches('look').effects).toMatchObject([{ type: 'cleanUp' }]);
    expect([run.does('cleanUp').state, run.lastCause]).toEqual(['Stopped', 'clean-up finished']);
    expect(run.status.cause?.message).toBe('stopped by ana');
  });

  it('never fails the job, whatever the refusal; it is retried every five minutes in the end', () => {
    const run = ending();
    const failure = { reason: 'ClusterRefused', message: 'pods is forbidden' } as const;
    for (let tried = 0; tried < 20; tried++) run.reaches('look').failsTo('cleanUp', failure);
    expect([run.state, run.secondsTo('look')]).toEqual(['Finishing.CleaningUp', 300]);
    expect(
      run.status.timeline.filter(({ cause }) => cause.startsWith('the clean-up is refused')),
    ).toHaveLength(2);
  });

  it('is retried at once on request', () => {
    const run = ending().retryNow();
    expect(run.effects).toMatchObject([{ type: 'cleanUp' }]);
    expect(run.retryNow().effects).toEqual([{ type: 'tryAgain' }]);
  });

  it('is the cause of a job that has none', () => {
    const completed = aDigest(11).master({ succeeded: 1 }).workers({ ready: 2 });
    const run = running(threePods().cleanPodPolicy('Running'))
      .receives(completed)
      .does('cleanUp', { refused });
    expect(run.status).toMatchObject({ phase: 'Completed', cause: { reason: 'CleaningUp' } });
  });
});
