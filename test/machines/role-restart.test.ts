import { describe, expect, it } from '@jest/globals';
import { aDigest } from './builders.ts';
import { allReady, oneFailed, running, withLadder } from './three-pods.ts';

const byRole = () => withLadder({ scope: 'role' }, { scope: 'gang', times: 1 });

describe('a role that starts again by itself', () => {
  it('has all of its pods made again, in another life; the others go on', () => {
    const life = running(byRole())
      .hears(oneFailed(11, { index: 1, uid: 'u1' }))
      .captures();
    expect(life.effects).toMatchObject([
      { type: 'restorePods', attempt: 1, replace: [], restartRoles: ['worker'], incarnations: { worker: 1 } },
    ]);
    life.does('restorePods', 20).hears(allReady(20));
    expect(life.status).toMatchObject({ phase: 'Running', attempt: 1, restarts: 1 });
  });

  it('is in its third life after it started again twice', () => {
    const life = running(byRole()).hears(oneFailed(11)).captures().does('restorePods', 20);
    life.hears(oneFailed(21)).captures().reaches('backOff');
    expect(life.effects).toMatchObject([{ restartRoles: ['worker'], incarnations: { worker: 2 } }]);
  });

  it('keeps the lives of the other roles, so that their pods are made as they are', () => {
    const life = running(byRole()).hears(oneFailed(11)).captures().does('restorePods', 20);
    const master = aDigest(21).master({ failed: 1 }).workers({ ready: 2 });
    life
      .hears(master.failure({ role: 'master', exitCode: 1 }))
      .captures()
      .reaches('backOff');
    expect(life.effects).toMatchObject([
      { restartRoles: ['master'], incarnations: { worker: 1, master: 1 } },
    ]);
  });

  it('is every role in which something failed, or is gone', () => {
    const both = aDigest(11).workers({ ready: 1, failed: 1 }).failure({ exitCode: 1 });
    expect(running(byRole()).hears(both).captures().effects).toMatchObject([
      { restartRoles: ['master', 'worker'], incarnations: { master: 1, worker: 1 } },
    ]);
  });

  it('runs again also those of its pods that had succeeded', () => {
    const ended = (revision: number) =>
      aDigest(revision)
        .master({ ready: 1 })
        .workers({ succeeded: 1, failed: 1 })
        .failure({ index: 1, exitCode: 1 });
    const life = running(byRole()).hears(ended(11)).captures();
    expect(life.effects).toMatchObject([{ succeededIndices: {}, restartRoles: ['worker'] }]);
    // The pods of the life before are still seen for a while.
    life.hears(ended(12)).does('restorePods', 20).hears(ended(19));
    expect(life.context.succeededIndices).toEqual({});
    expect(life.hears(allReady(20)).state).toBe('Running');
  });

  it('has no life behind it in a new attempt', () => {
    const life = running(byRole())
      .hears(oneFailed(11))
      .captures()
      .does('restorePods', 20)
      .hears(allReady(20));
    expect(life.suspend().does('suspend').resume().context.incarnations).toBeUndefined();
  });
});
