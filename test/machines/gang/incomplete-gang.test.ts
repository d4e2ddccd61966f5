import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from '../builders.ts';
import { aLife, aQueuedLife } from '../life.ts';

const ten = () => aPlan().workers(10).gangOf(10);
/** One was replaced in the gang and waits for room, when another one succeeds. */
const waitingWhenOneSucceeds = (life: ReturnType<typeof aLife>) =>
  life.hears(aDigest(21).workers({ ready: 8, unscheduled: 1, succeeded: 1 }));
const replaced = () =>
  aLife(ten())
    .does('createAttempt', 10)
    .hears(aDigest(11).workers({ ready: 9, failed: 1 }).failure())
    .does('restorePods', 20);

describe('a member that waits for a gang that cannot be complete any more', () => {
  it('is made again outside of it', () => {
    const life = waitingWhenOneSucceeds(replaced());
    expect(life.effects).toMatchObject([
      { type: 'restorePods', replace: [], asGang: false, leaveGang: true, succeededIndices: { worker: '0' } },
    ]);
    expect(life.status.timeline.at(-1)?.cause).toContain('placed individually');
  });

  it('costs no restart, and happens once', () => {
    const life = waitingWhenOneSucceeds(replaced()).does('restorePods', 30);
    life.hears(aDigest(31).workers({ ready: 8, unscheduled: 1, succeeded: 1 }));
    expect(life.effects).toEqual([]);
    expect(life.status).toMatchObject({ state: 'Pending.Scheduling', restarts: 1 });
  });

  describe('because others have failed, which are not made again', () => {
    const ignored = { onFailure: { do: 'ignore', rule: 'the launcher decides' } } as const;
    const fourAndLauncher = () =>
      aPlan().launcher({ after: undefined, restartPolicy: 'OnFailure' }).workersWith(4, ignored).gangOf(5);
    const running = () =>
      aLife(fourAndLauncher())
        .does('createAttempt', 10)
        .hears(aDigest(11).launcher({ ready: 1 }).workers({ ready: 4 }));
    const failedWorker = { index: 0, exitCode: 139 };

    it('is made again outside of it', () => {
      const life = running()
        .hears(aDigest(12).launcher({ failed: 1 }).workers({ ready: 4 }).failure({ role: 'launcher' }))
        .does('restorePods', 20);
      life.hears(
        aDigest(21).launcher({ unscheduled: 1 }).workers({ ready: 3, failed: 1 }).failure(failedWorker),
      );
      expect(life.effects).toMatchObject([{ type: 'restorePods', asGang: false, leaveGang: true }]);
    });

    it('is made outside of it from the beginning, and so is what comes later', () => {
      const life = running();
      life.hears(aDigest(12).workers({ ready: 3, failed: 1 }).failure(failedWorker));
      expect(life.effects).toMatchObject([{ type: 'restorePods', asGang: false }]);
      // Somebody deletes the failed one.
      life.does('restorePods', 20).hears(aDigest(21).launcher({ ready: 1 }).workers({ ready: 3 }));
      expect(life.effects).toMatchObject([{ type: 'restorePods', asGang: false }]);
    });

    it('stays in it where the failed one is made again as well', () => {
      const interrupted = { ...failedWorker, interruptedBy: 'deletion', exitCode: 0 } as const;
      const life = running();
      life.hears(aDigest(12).launcher({ ready: 1 }).workers({ ready: 3, failed: 1 }).failure(interrupted));
      expect(life.effects).toMatchObject([{ type: 'restorePods', asGang: true }]);
    });
  });

  it('is left alone while enough of the gang live', () => {
    const plan = aPlan().workers(10).gangOf(8);
    const life = aLife(plan).does('createAttempt', 10);
    expect(waitingWhenOneSucceeds(life).effects).toEqual([]);
  });

  it('is left alone where the scheduler counts those that have succeeded too', () => {
    const life = aQueuedLife(ten())
      .does('createGroup')
      .hears(aDigest(5).gang({ scheduled: 'True', admitted: true }));
    expect(waitingWhenOneSucceeds(life.does('createAttempt', 10)).effects).toEqual([]);
  });
});
