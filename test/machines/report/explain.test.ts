import { describe, expect, it } from '@jest/globals';
import { REASONS } from '../../../contracts/reasons.ts';
import type { JobRestartPolicy } from '../../../contracts/training-job.ts';
import { aDigest, aPlan } from '../builders.ts';
import { aRun } from '../machine-run.ts';
import { threePods } from '../three-pods.ts';

const created = () => aRun(threePods()).does('createAttempt', 10);
const why = (run: ReturnType<typeof aRun>) => [run.status.cause?.reason, run.status.cause?.message];
const lastCause = (run: ReturnType<typeof aRun>) => run.status.timeline.at(-1)?.cause;

describe('the cause of a job that does not run yet', () => {
  it('is that its objects are being created', () => {
    expect(why(aRun(aPlan().workers(1)))).toEqual([
      'CreatingObjects',
      'objects of attempt 1 are being created',
    ]);
  });

  it('is that no watcher has reported its pods', () => {
    expect(why(created())).toEqual(['AwaitingWatcher', 'no watcher has reported the 3 pods yet']);
    expect(why(created().receives(aDigest(9).workers({ ready: 2 })))).toEqual([
      'AwaitingWatcher',
      'no watcher has reported the 3 pods yet',
    ]);
    const one = aRun(aPlan().workers(1)).does('createAttempt', 10);
    expect(why(one)).toEqual(['AwaitingWatcher', 'no watcher has reported the pod yet']);
    expect(lastCause(one)).toBe('objects of attempt 1 exist; waiting for a pod');
    expect(lastCause(one.receives(aDigest(10).workers({ ready: 1 })))).toBe('the pod is ready');
  });

  it('is that a pod has no node, with the message of the scheduler', () => {
    const waiting = {
      reason: 'Unschedulable',
      message: '0/4 nodes: no GPU',
      pod: 'resnet-worker-1',
      pods: 1,
    };
    const digest = aDigest(10)
      .master({ ready: 1 })
      .workers({ scheduled: 1, unscheduled: 1 })
      .waiting(waiting);
    expect(why(created().receives(digest))).toEqual([
      'Unschedulable',
      '2 of 3 pods have a node, 1 are ready; 1 wait with Unschedulable (resnet-worker-1: 0/4 nodes: no GPU)',
    ]);
  });

  it('is that the gang has no room', () => {
    const digest = aDigest(10).master({ unscheduled: 1 }).workers({ unscheduled: 2 }).heldGang('2 of 3 fit');
    expect(why(created().receives(digest))).toEqual([
      'WaitingForGang',
      '0 of 3 pods have a node, 0 are ready; gang: 2 of 3 fit; Kubernetes reserves nothing meanwhile',
    ]);
  });

  it('is that the gang has no room, also without a message of its scheduler', () => {
    const digest = aDigest(10)
      .master({ unscheduled: 1 })
      .workers({ unscheduled: 2 })
      .untoldGang('phase Scheduling');
    expect(why(created().receives(digest))).toEqual([
      'WaitingForGang',
      '0 of 3 pods have a node, 0 are ready; gang: phase Scheduling; Kubernetes reserves nothing meanwhile',
    ]);
  });

  it('is that a recreated pod has no node, while the gang has one', () => {
    const digest = aDigest(10).master({ ready: 1 }).workers({ ready: 1, unscheduled: 1 });
    expect(why(created().receives(digest.untoldGang('phase Failed')))).toEqual([
      'Unschedulable',
      '2 of 3 pods have a node, 2 are ready; gang: phase Failed',
    ]);
  });

  it('is that its containers are not ready', () => {
    const waiting = { reason: 'ImagePullBackOff', pod: 'resnet-worker-0', pods: 2 };
    const digest = aDigest(10).master({ ready: 1 }).workers({ scheduled: 2 }).waiting(waiting);
    expect(why(created().receives(digest))).toEqual([
      'ContainersNotReady',
      'the image cannot be pulled; 3 of 3 pods have a node, 1 are ready; 2 wait with ImagePullBackOff (resnet-worker-0)',
    ]);
  });

  it('begins with the message of the scheduler, if pods wait for several things', () => {
    const image = { reason: 'ErrImagePull', message: 'no such image', pod: 'resnet-master-0', pods: 2 };
    const nodes = { reason: 'Unschedulable', message: '1 Insufficient cpu', pod: 'resnet-worker-1', pods: 1 };
    const digest = aDigest(10).master({ scheduled: 1 }).workers({ scheduled: 1, unscheduled: 1 });
    const run = created().receives(digest.waiting(image, nodes));
    expect(run.status.cause).toEqual({
      reason: 'Unschedulable',
      message:
        'not enough free cpu; 2 of 3 pods have a node, 0 are ready; 1 wait with Unschedulable (resnet-worker-1: 1 Insufficient cpu)',
      also: [
        {
          reason: 'ContainersNotReady',
          message: 'the image cannot be pulled; 2 wait with ErrImagePull (resnet-master-0: no such image)',
          pod: 'resnet-master-0',
        },
      ],
    });
    run.receives(aDigest(11).master({ ready: 1 }).workers({ scheduled: 2 }).waiting(image));
    expect(run.status.cause).toMatchObject({ reason: 'ContainersNotReady' });
    expect(run.status.cause?.also).toBeUndefined();
  });

  it('has at most five parts', () => {
    const waits = Array.from({ length: 5 }, (_, index) => ({
      ...{ reason: `Reason${index}`, pod: `pod-${index}`, pods: 1 },
    }));
    const digest = aDigest(10)
      .master({ ready: 1 })
      .workers({ scheduled: 2 })
      .waiting(...waits);
    const run = created().receives(digest.restarted().crash());
    expect(run.status.cause?.reason).toBe('ContainersRestarting');
    expect(run.status.cause?.also).toHaveLength(4);
  });

  it('is that a failed pod is being replaced', () => {
    const digest = aDigest(10).master({ ready: 1 }).workers({ ready: 1, failed: 1 });
    expect(why(created().receives(digest.failure({ reason: 'Evicted' })))).toEqual([
      'ReplacingPods',
      'resnet-worker-0: left no exit code (Evicted)',
    ]);
  });

  it('is that several failed pods are being replaced', () => {
    const digest = aDigest(10).master({ ready: 1 }).workers({ failed: 2 });
    const both = digest.failure({ reason: 'Evicted' }).failure({ index: 1, reason: 'Evicted' });
    expect(why(created().receives(both))[1]).toBe('resnet-worker-0: left no exit code (Evicted), and 1 more');
  });

  it('is that a pod is gone', () => {
    const digest = aDigest(10).master({ ready: 1 }).workers({ ready: 1 });
    expect(why(created().receives(digest))).toEqual([
      'ReplacingPods',
      'pods disappeared before they finished',
    ]);
  });
});

describe('the cause of a job that runs or has ended', () => {
  it('is empty while it runs', () => {
    const run = created().receives(aDigest(10).master({ ready: 1 }).workers({ ready: 2 }));
    expect(run.status.cause).toBeUndefined();
    expect(lastCause(run)).toBe('all 3 pods are ready');
  });

  it('is empty when it has succeeded', () => {
    const run = created().receives(aDigest(10).master({ succeeded: 1 }).workers({ ready: 2 }));
    expect(run.status.cause).toBeUndefined();
    expect(lastCause(run)).toBe('every replica that decides the outcome has succeeded');
    expect(lastCause(run.does('cleanUp'))).toBe('clean-up finished');
  });

  it('is that of the failure until the end', () => {
    const run = aRun(aPlan().workers(1, 'Never')).does('createAttempt');
    run.receives(aDigest().workers({ failed: 1 }).failure({ exitCode: 2 })).does('cleanUp');
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed', exitCode: 2 } });
  });
});

describe('the cause of waiting after another request', () => {
  const held = (policy: JobRestartPolicy) => {
    const run = aRun(aPlan().workers(1, policy).policy({ holdOnFailureMs: 60_000 })).does('createAttempt');
    return run.receives(aDigest(10).workers({ failed: 1 }).failure()).captures();
  };

  it.each(['OnFailure', 'Never'] as const)('has the new time of a hold, with %s', (policy) => {
    const run = held(policy);
    const [reason, before] = why(run);
    const until = (message = '') => Date.parse(message.split('kept until ')[1] ?? '');
    run.hold(7_200);
    expect(lastCause(run)).toBe('held by ana');
    const [same, after] = why(run);
    expect(same).toBe(reason);
    expect(until(after)).toBeGreaterThan(until(before) + 7_000_000);
    expect(after?.split('; ')[0]).toBe(before?.split('; ')[0]);
  });

  it('stays the same', () => {
    const backOff = { firstAtOnce: false, initialMs: 60_000 };
    const run = aRun(aPlan().workers(1).policy({ restart: { backOff } })).does('createAttempt');
    run.receives(aDigest(10).workers({ failed: 1 }).failure()).captures();
    const before = why(run);
    expect(before[0]).toBe('ReplacingPods');
    run.hold(60);
    expect(lastCause(run)).toBe('held by ana');
    expect(why(run)).toEqual(before);
  });
});

it('every cause has an entry in the table of reasons', () => {
  for (const run of [aRun(aPlan().workers(1)), created(), created().stop()]) {
    expect(Object.keys(REASONS)).toContain(run.status.cause?.reason);
  }
});
