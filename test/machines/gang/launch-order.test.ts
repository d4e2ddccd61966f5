import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from '../builders.ts';
import { aRun } from '../machine-run.ts';

const mpi = () => aPlan().launcher().workers(2, 'Never');
const created = () => aRun(mpi()).does('createAttempt', 10);
const launching = () => created().receives(aDigest(11).workers({ ready: 2 }));
const running = () =>
  launching()
    .does('launch', 20)
    .receives(aDigest(21).workers({ ready: 2 }).launcher({ ready: 1 }));

describe('a launcher that starts after its workers', () => {
  it('is not created together with them', () => {
    expect(aRun(mpi()).effects).toEqual([{ type: 'createAttempt', attempt: 1, roles: ['Worker'] }]);
  });

  it('is waiting, with a message, until the last of them is ready', () => {
    const run = created().receives(aDigest(11).workers({ ready: 1, scheduled: 1 }));
    expect(run.state).toBe('Starting.Waiting');
    expect(run.status.cause?.message).toContain('Launcher is created once they are');
  });

  it('is created when the last of them is ready', () => {
    const run = launching();
    expect(run.state).toBe('Starting.Launching');
    expect(run.effects).toEqual([{ type: 'launch', attempt: 1, roles: ['Launcher'], succeededIndices: {} }]);
  });

  it('leaves the job in Starting while it has no node', () => {
    const run = launching().does('launch', 20);
    run.receives(aDigest(21).workers({ ready: 2 }).launcher({ unscheduled: 1 }));
    expect(run.state).toBe('Starting.Waiting');
  });

  it('makes the job Running when it is ready', () => {
    expect(running().state).toBe('Running');
  });

  it('is created only once, also in a new run of the workflow', () => {
    const run = running()
      .continueAsNew()
      .receives(aDigest(30).workers({ ready: 2 }).launcher({ ready: 1 }));
    expect(run.effects).toEqual([]);
  });

  it('is recreated when it is deleted by hand', () => {
    const run = running().receives(aDigest(30).workers({ ready: 2 }));
    expect(run.effects).toMatchObject([{ type: 'restorePods', roles: undefined }]);
  });

  it('is not created together with a worker that is lost before the launch', () => {
    const run = created().receives(aDigest(11).workers({ ready: 1 }));
    expect(run.effects).toMatchObject([{ type: 'restorePods', roles: ['Worker'] }]);
  });

  it('fails the job if it cannot be created', () => {
    const cause = { reason: 'ClusterRefused', message: 'forbidden' } as const;
    const run = launching().failsTo('launch', cause);
    expect(run.status).toMatchObject({ phase: 'Failed', cause });
  });
});
