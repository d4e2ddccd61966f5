import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from '../builders.ts';
import { aRun } from '../machine-run.ts';

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
