import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from '../builders.ts';
import { aLife } from '../life.ts';

/** Kubernetes' own groups, which `aLife` has, keep the size that they were made with. */

const sized = (workers: number) =>
  aPlan()
    .workersWith(workers, { restartPolicy: 'OnFailure', scales: { min: 1 } })
    .gangOf(workers);
const running = (workers: number) =>
  aLife(sized(workers))
    .does('createAttempt', 10)
    .hears(aDigest(11).workers({ ready: workers }));
const ready = (revision: number, workers: number) => aDigest(revision).workers({ ready: workers });
const failed = (revision: number, workers: number) =>
  aDigest(revision)
    .workers({ ready: workers - 1, failed: 1 })
    .failure({ index: 0 });

describe('a job that is smaller than its group', () => {
  const shrunk = () => running(4).amend(sized(2)).does('scale', 20).hears(ready(21, 2));

  it('has pods that are made again placed by themselves', () => {
    const life = shrunk().hears(failed(22, 2));
    expect(life.effects).toMatchObject([{ type: 'restorePods', asGang: false }]);
    life.does('restorePods', 30).hears(aDigest(31).workers({ ready: 1, unscheduled: 1 }));
    expect([life.state, life.effects]).toEqual(['Pending.Scheduling', []]);
  });

  it('stays without its gang when it grows again', () => {
    const life = shrunk().amend(sized(6));
    expect(life.effects).toMatchObject([{ type: 'scale', asGang: false }]);
  });

  it('takes pods that wait in the gang out of it', () => {
    const life = aLife(sized(4))
      .does('createAttempt', 10)
      .hears(aDigest(11).workers({ unscheduled: 4 }));
    life
      .amend(sized(2))
      .does('scale', 20)
      .hears(aDigest(21).workers({ unscheduled: 2 }));
    expect(life.effects).toMatchObject([{ type: 'restorePods', asGang: false, leaveGang: true }]);
    life.does('restorePods', 30).hears(aDigest(31).workers({ unscheduled: 2 }));
    expect(life.effects).toEqual([]);
    expect(life.status.restarts).toBe(0);
  });

  it('has a gang again with its next attempt', () => {
    const life = shrunk().suspend().does('suspend').resume().does('createAttempt', 30);
    life.hears(ready(31, 2).attempt(2)).hears(failed(32, 2).attempt(2));
    expect(life.effects).toMatchObject([{ type: 'restorePods', asGang: true }]);
  });
});

it('a job that is as large as its group at least keeps its gang', () => {
  const life = running(4).amend(sized(6)).does('scale', 20).hears(ready(21, 6));
  life.amend(sized(4)).does('scale', 30).hears(ready(31, 4)).hears(failed(32, 4));
  expect(life.effects).toMatchObject([{ type: 'restorePods', asGang: true }]);
});
