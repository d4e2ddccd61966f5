import { describe, expect, it } from '@jest/globals';
import { aDigest } from './builders.ts';
import { allReady, oneFailed, running, withLadder } from './three-pods.ts';

const byRole = () => withLadder({ scope: 'role' }, { scope: 'gang', times: 1 });

describe('a role that restarts by itself', () => {
  it('has all of its pods recreated, as a new incarnation, while the others continue', () => {
    const run = running(byRole())
      .receives(oneFailed(11, { index: 1, uid: 'u1' }))
      .captures();
    expect(run.effects).toMatchObject([
      { type: 'restorePods', attempt: 1, replace: [], restartRoles: ['worker'], incarnations: { worker: 1 } },
    ]);
    run.does('restorePods', 20).receives(allReady(20));
    expect(run.status).toMatchObject({ phase: 'Running', attempt: 1, restarts: 1 });
  });

  it('is in its third incarnation after two restarts', () => {
    const run = running(byRole()).receives(oneFailed(11)).captures().does('restorePods', 20);
    run.receives(oneFailed(21)).captures().reaches('backOff');
    expect(run.effects).toMatchObject([{ restartRoles: ['worker'], incarnations: { worker: 2 } }]);
  });

  it('keeps the incarnations of the other roles, and so their pods', () => {
    const run = running(byRole()).receives(oneFailed(11)).captures().does('restorePods', 20);
    const master = aDigest(21).master({ failed: 1 }).workers({ ready: 2 });
    run
      .receives(master.failure({ role: 'master', exitCode: 1 }))
      .captures()
      .reaches('backOff');
    expect(run.effects).toMatchObject([{ restartRoles: ['master'], incarnations: { worker: 1, master: 1 } }]);
  });

  it('may be several roles with failed or missing pods', () => {
    const both = aDigest(11).workers({ ready: 1, failed: 1 }).failure({ exitCode: 1 });
    expect(running(byRole()).receives(both).captures().effects).toMatchObject([
      { restartRoles: ['master', 'worker'], incarnations: { master: 1, worker: 1 } },
    ]);
  });

  it('also restarts its succeeded pods', () => {
    const ended = (resourceVersion: number) =>
      aDigest(resourceVersion)
        .master({ ready: 1 })
        .workers({ succeeded: 1, failed: 1 })
        .failure({ index: 1, exitCode: 1 });
    const run = running(byRole()).receives(ended(11)).captures();
    expect(run.effects).toMatchObject([{ succeededIndices: {}, restartRoles: ['worker'] }]);
    // The pods of the earlier incarnation are still seen for a while.
    run.receives(ended(12)).does('restorePods', 20).receives(ended(19));
    expect(run.context.succeededIndices).toEqual({});
    expect(run.receives(allReady(20)).state).toBe('Running');
  });

  it('has no earlier incarnation in a new attempt', () => {
    const run = running(byRole())
      .receives(oneFailed(11))
      .captures()
      .does('restorePods', 20)
      .receives(allReady(20));
    expect(run.suspend().does('suspend').resume().context.incarnations).toBeUndefined();
  });
});
