import { describe, expect, it } from '@jest/globals';
import { REASONS } from '../../../contracts/reasons.ts';
import type { JobRestartPolicy } from '../../../contracts/training-job.ts';
import { aDigest, aPlan } from '../builders.ts';
import { aRun } from '../machine-run.ts';

const threePods = () => aRun(aPlan().master().workers(2)).does('createAttempt', 10);
const why = (run: ReturnType<typeof aRun>) => [run.status.cause?.reason, run.status.cause?.message];
const lastWord = (run: ReturnType<typeof aRun>) => run.status.timeline.at(-1)?.cause;

describe('why a job does not run yet', () => {
  it('its objects are being created', () => {
    expect(why(aRun(aPlan().workers(1)))).toEqual([
      'CreatingObjects',
      'objects of attempt 1 are being created',
    ]);
  });

  it('nobody has seen its pods yet', () => {
    expect(why(threePods())).toEqual(['AwaitingWatcher', 'no watcher has reported the 3 pods yet']);
    expect(why(threePods().receives(aDigest(9).workers({ ready: 2 })))).toEqual([
      'AwaitingWatcher',
      'no watcher has reported the 3 pods yet',
    ]);
    const one = aRun(aPlan().workers(1)).does('createAttempt', 10);
    expect(why(one)).toEqual(['AwaitingWatcher', 'no watcher has reported the pod yet']);
    expect(lastWord(one)).toBe('objects of attempt 1 exist; waiting for a pod');
    expect(lastWord(one.receives(aDigest(10).workers({ ready: 1 })))).toBe('the pod is ready');
  });

  it('a pod has no node, and the scheduler says why', () => {
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
    expect(why(threePods().receives(digest))).toEqual([
      'Unschedulable',
      '2 of 3 pods have a node, 1 are ready; 1 wait with Unschedulable (resnet-worker-1: 0/4 nodes: no GPU)',
    ]);
  });

  it('the gang has no room', () => {
    const digest = aDigest(10).master({ unscheduled: 1 }).workers({ unscheduled: 2 }).heldGang('2 of 3 fit');
    expect(why(threePods().receives(digest))).toEqual([
      'WaitingForGang',
      '0 of 3 pods have a node, 0 are ready; gang: 2 of 3 fit; Kubernetes reserves nothing meanwhile',
    ]);
  });

  it('the gang has no room, though its scheduler says nothing of that', () => {
    const digest = aDigest(10)
      .master({ unscheduled: 1 })
      .workers({ unscheduled: 2 })
      .untoldGang('phase Scheduling');
    expect(why(threePods().receives(digest))).toEqual([
      'WaitingForGang',
      '0 of 3 pods have a node, 0 are ready; gang: phase Scheduling; Kubernetes reserves nothing meanwhile',
    ]);
  });

  it('the gang is there, and a pod that was made again has no node', () => {
    const digest = aDigest(10).master({ ready: 1 }).workers({ ready: 1, unscheduled: 1 });
    expect(why(threePods().receives(digest.untoldGang('phase Failed')))).toEqual([
      'Unschedulable',
      '2 of 3 pods have a node, 2 are ready; gang: phase Failed',
    ]);
  });

  it('its containers are not ready', () => {
    const waiting = { reason: 'ImagePullBackOff', pod: 'resnet-worker-0', pods: 2 };
    const digest = aDigest(10).master({ ready: 1 }).workers({ scheduled: 2 }).waiting(waiting);
    expect(why(threePods().receives(digest))).toEqual([
      'ContainersNotReady',
      'the image cannot be pulled; 3 of 3 pods have a node, 1 are ready; 2 wait with ImagePullBackOff (resnet-worker-0)',
    ]);
  });

  it('pods wait for several things: the scheduler’s word comes first, then the others', () => {
    const image = { reason: 'ErrImagePull', message: 'no such image', pod: 'resnet-master-0', pods: 2 };
    const nodes = { reason: 'Unschedulable', message: '1 Insufficient cpu', pod: 'resnet-worker-1', pods: 1 };
    const digest = aDigest(10).master({ scheduled: 1 }).workers({ scheduled: 1, unscheduled: 1 });
    const run = threePods().receives(digest.waiting(image, nodes));
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

  it('more than five things are not told', () => {
    const waits = Array.from({ length: 5 }, (_, index) => ({
      ...{ reason: `Reason${index}`, pod: `pod-${index}`, pods: 1 },
    }));
    const digest = aDigest(10)
      .master({ ready: 1 })
      .workers({ scheduled: 2 })
      .waiting(...waits);
    const run = threePods().receives(digest.restarted().crash());
    expect(run.status.cause?.reason).toBe('ContainersRestarting');
    expect(run.status.cause?.also).toHaveLength(4);
  });

  it('a failed pod is being replaced', () => {
    const digest = aDigest(10).master({ ready: 1 }).workers({ ready: 1, failed: 1 });
    expect(why(threePods().receives(digest.failure({ reason: 'Evicted' })))).toEqual([
      'ReplacingPods',
      'resnet-worker-0: left no exit code (Evicted)',
    ]);
  });

  it('several are', () => {
    const digest = aDigest(10).master({ ready: 1 }).workers({ failed: 2 });
    const both = digest.failure({ reason: 'Evicted' }).failure({ index: 1, reason: 'Evicted' });
    expect(why(threePods().receives(both))[1]).toBe(
      'resnet-worker-0: left no exit code (Evicted), and 1 more',
    );
  });

  it('a pod is gone', () => {
    const digest = aDigest(10).master({ ready: 1 }).workers({ ready: 1 });
    expect(why(threePods().receives(digest))).toEqual([
      'ReplacingPods',
      'pods disappeared before they finished',
    ]);
  });
});

describe('why a job runs, or has ended', () => {
  it('needs no cause while it runs', () => {
    const run = threePods().receives(aDigest(10).master({ ready: 1 }).workers({ ready: 2 }));
    expect(run.status.cause).toBeUndefined();
    expect(lastWord(run)).toBe('all 3 pods are ready');
  });

  it('needs none when it has succeeded', () => {
    const run = threePods().receives(aDigest(10).master({ succeeded: 1 }).workers({ ready: 2 }));
    expect(run.status.cause).toBeUndefined();
    expect(lastWord(run)).toBe('every replica that decides the outcome has succeeded');
    expect(lastWord(run.does('cleanUp'))).toBe('clean-up finished');
  });

  it('keeps the cause of the failure to the end', () => {
    const run = aRun(aPlan().workers(1, 'Never')).does('createAttempt');
    run.receives(aDigest().workers({ failed: 1 }).failure({ exitCode: 2 })).does('cleanUp');
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed', exitCode: 2 } });
  });
});

describe('what a job waits for, when it was asked for something meanwhile', () => {
  const held = (policy: JobRestartPolicy) => {
    const run = aRun(aPlan().workers(1, policy).policy({ holdOnFailureMs: 60_000 })).does('createAttempt');
    return run.receives(aDigest(10).workers({ failed: 1 }).failure()).captures();
  };

  it.each(['OnFailure', 'Never'] as const)('is told with the new time of a hold, with %s', (policy) => {
    const run = held(policy);
    const [reason, before] = why(run);
    const until = (message = '') => Date.parse(message.split('kept until ')[1] ?? '');
    run.hold(7_200);
    expect(lastWord(run)).toBe('held by ana');
    const [same, after] = why(run);
    expect(same).toBe(reason);
    expect(until(after)).toBeGreaterThan(until(before) + 7_000_000);
    expect(after?.split('; ')[0]).toBe(before?.split('; ')[0]);
  });

  it('stays what it was', () => {
    const backOff = { firstAtOnce: false, initialMs: 60_000 };
    const run = aRun(aPlan().workers(1).policy({ restart: { backOff } })).does('createAttempt');
    run.receives(aDigest(10).workers({ failed: 1 }).failure()).captures();
    const before = why(run);
    expect(before[0]).toBe('ReplacingPods');
    run.hold(60);
    expect(lastWord(run)).toBe('held by ana');
    expect(why(run)).toEqual(before);
  });
});

it('every cause has an entry in the table of reasons', () => {
  for (const run of [aRun(aPlan().workers(1)), threePods(), threePods().stop()]) {
    expect(Object.keys(REASONS)).toContain(run.status.cause?.reason);
  }
});
