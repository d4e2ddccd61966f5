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

describe('roles in a row', () => {
  const row = () =>
    aRun(
      aPlan()
        .workers(2, 'Never')
        .launcher()
        .role({ ...last, after: ['Launcher'] }),
    ).does('createAttempt', 10);
  const last = { name: 'Report', replicas: 1, restartPolicy: 'Never' } as const;
  const digest = (at: number) => aDigest(at).workers({ ready: 2 });

  it('are created one after another', () => {
    const run = row().receives(digest(11));
    expect(run.effects).toMatchObject([{ type: 'launch', roles: ['Launcher'] }]);
    run.does('launch', 20).receives(digest(21).launcher({ scheduled: 1 }));
    expect(run.state).toBe('Starting.Waiting');
    expect(run.status.cause?.message).toContain('Report is created once they are');
    run.receives(digest(22).launcher({ ready: 1 }));
    expect(run.effects).toMatchObject([{ type: 'launch', roles: ['Report'] }]);
  });

  it('are restored as far as they have been created, also in a new run of the workflow', () => {
    const run = row().receives(digest(11)).does('launch', 20).continueAsNew();
    run.receives(aDigest(21).workers({ ready: 1 }).launcher({ ready: 1 }));
    expect(run.effects).toMatchObject([{ type: 'restorePods', roles: ['Worker', 'Launcher'] }]);
  });

  it('need only one of several, if their kind says so', () => {
    const either = { ...last, after: ['Worker', 'Launcher'], afterAny: true } as const;
    const plan = aPlan().workers(2, 'Never').launcher().role(either);
    const run = aRun(plan).does('createAttempt', 10).receives(digest(11));
    expect(run.effects).toMatchObject([{ type: 'launch', roles: ['Launcher', 'Report'] }]);
  });
});
