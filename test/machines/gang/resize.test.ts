import { describe, expect, it } from '@jest/globals';
import { resizes } from '../../../machines/gang/scaling.ts';
import { aDigest, aPlan } from '../builders.ts';
import { aQueuedRun, aRun } from '../machine-run.ts';

/** Kubernetes' own groups, which `aRun` has, keep the size that they were made with. */

const sized = (workers: number) =>
  aPlan()
    .workersWith(workers, { restartPolicy: 'OnFailure', scales: { min: 1 } })
    .gangOf(workers);
const running = (workers: number) =>
  aRun(sized(workers))
    .does('createAttempt', 10)
    .receives(aDigest(11).workers({ ready: workers }));
const ready = (resourceVersion: number, workers: number) =>
  aDigest(resourceVersion).workers({ ready: workers });
const failed = (resourceVersion: number, workers: number) =>
  aDigest(resourceVersion)
    .workers({ ready: workers - 1, failed: 1 })
    .failure({ index: 0 });

describe('a job that is smaller than its group', () => {
  const shrunk = () => running(4).amend(sized(2)).does('scale', 20).receives(ready(21, 2));

  it('has recreated pods placed individually', () => {
    const run = shrunk().receives(failed(22, 2));
    expect(run.effects).toMatchObject([{ type: 'restorePods', asGang: false }]);
    run.does('restorePods', 30).receives(aDigest(31).workers({ ready: 1, unscheduled: 1 }));
    expect([run.state, run.effects]).toEqual(['Pending.Scheduling', []]);
  });

  it('stays without its gang when it grows again', () => {
    const run = shrunk().amend(sized(6));
    expect(run.effects).toMatchObject([{ type: 'scale', asGang: false }]);
  });

  it('takes waiting pods out of the gang', () => {
    const run = aRun(sized(4))
      .does('createAttempt', 10)
      .receives(aDigest(11).workers({ unscheduled: 4 }));
    run
      .amend(sized(2))
      .does('scale', 20)
      .receives(aDigest(21).workers({ unscheduled: 2 }));
    expect(run.effects).toMatchObject([{ type: 'restorePods', asGang: false, leaveGang: true }]);
    run.does('restorePods', 30).receives(aDigest(31).workers({ unscheduled: 2 }));
    expect(run.effects).toEqual([]);
    expect(run.status.restarts).toBe(0);
  });

  it('has a gang again with its next attempt', () => {
    const run = shrunk().suspend().does('suspend').resume().does('createAttempt', 30);
    run.receives(ready(31, 2).attempt(2)).receives(failed(32, 2).attempt(2));
    expect(run.effects).toMatchObject([{ type: 'restorePods', asGang: true }]);
  });
});

it('a job that is at least as large as its group keeps its gang', () => {
  const run = running(4).amend(sized(6)).does('scale', 20).receives(ready(21, 6));
  run.amend(sized(4)).does('scale', 30).receives(ready(31, 4)).receives(failed(32, 4));
  expect(run.effects).toMatchObject([{ type: 'restorePods', asGang: true }]);
});

describe('a job whose gang gets another size, and no role', () => {
  const plan = (gang: number) => aPlan().workersWith(2, { restartPolicy: 'Never' }).gangOf(gang);

  it('has its group changed while it waits, although its roles keep their sizes', () => {
    const run = aQueuedRun(plan(10))
      .does('createGroup')
      .receives(aDigest(5).groups(5).gang({ scheduled: 'Unknown', admitted: true }))
      .does('createAttempt', 10)
      .receives(aDigest(11).workers({ unscheduled: 2 }));
    run.amend(plan(2));
    expect(run.effects).toMatchObject([{ type: 'scale', attempt: 1 }]);
    run.does('scale', 20).receives(ready(21, 2));
    expect([run.state, run.context.attempt, run.context.plan.minMember]).toEqual(['Running', 1, 2]);
  });

  it('has nothing to do if it has no group', () => {
    const context = { ...plan(2).context(), gang: 'none' } as const;
    expect(resizes(context, plan(1).build())).toBe(false);
    expect(resizes({ ...context, gang: 'coscheduling' }, plan(1).build())).toBe(true);
    const minResources = { cpu: '1' };
    expect(resizes({ ...context, gang: 'volcano' }, { ...context.plan, minResources })).toBe(true);
  });
});
