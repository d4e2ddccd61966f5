import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from '../builders.ts';
import { aQueuedRun, aRun } from '../machine-run.ts';

const ten = () => aPlan().workers(10).gangOf(10);
/** One was replaced in the gang and waits for room, when another one succeeds. */
const waitingWhenOneSucceeds = (run: ReturnType<typeof aRun>) =>
  run.receives(aDigest(21).workers({ ready: 8, unscheduled: 1, succeeded: 1 }));
const replaced = () =>
  aRun(ten())
    .does('createAttempt', 10)
    .receives(aDigest(11).workers({ ready: 9, failed: 1 }).failure())
    .does('restorePods', 20);

describe('a member that waits for a gang that can no longer be complete', () => {
  it('is recreated outside of the gang', () => {
    const run = waitingWhenOneSucceeds(replaced());
    expect(run.effects).toMatchObject([
      { type: 'restorePods', replace: [], asGang: false, leaveGang: true, succeededIndices: { worker: '0' } },
    ]);
    expect(run.status.timeline.at(-1)?.cause).toContain('placed individually');
  });

  it('costs no restart, and is recreated once', () => {
    const run = waitingWhenOneSucceeds(replaced()).does('restorePods', 30);
    run.receives(aDigest(31).workers({ ready: 8, unscheduled: 1, succeeded: 1 }));
    expect(run.effects).toEqual([]);
    expect(run.status).toMatchObject({ state: 'Pending.Scheduling', restarts: 1 });
  });

  describe('because others have failed that are not recreated', () => {
    const ignored = { onFailure: { do: 'ignore', rule: 'the launcher decides' } } as const;
    const fourAndLauncher = () =>
      aPlan().launcher({ after: undefined, restartPolicy: 'OnFailure' }).workersWith(4, ignored).gangOf(5);
    const running = () =>
      aRun(fourAndLauncher())
        .does('createAttempt', 10)
        .receives(aDigest(11).launcher({ ready: 1 }).workers({ ready: 4 }));
    const failedWorker = { index: 0, exitCode: 139 };

    it('is recreated outside of the gang', () => {
      const run = running()
        .receives(aDigest(12).launcher({ failed: 1 }).workers({ ready: 4 }).failure({ role: 'launcher' }))
        .does('restorePods', 20);
      run.receives(
        aDigest(21).launcher({ unscheduled: 1 }).workers({ ready: 3, failed: 1 }).failure(failedWorker),
      );
      expect(run.effects).toMatchObject([{ type: 'restorePods', asGang: false, leaveGang: true }]);
    });

    it('is created outside of the gang from the start, and so are later pods', () => {
      const run = running();
      run.receives(aDigest(12).workers({ ready: 3, failed: 1 }).failure(failedWorker));
      expect(run.effects).toMatchObject([{ type: 'restorePods', asGang: false }]);
      // Somebody deletes the failed one.
      run.does('restorePods', 20).receives(aDigest(21).launcher({ ready: 1 }).workers({ ready: 3 }));
      expect(run.effects).toMatchObject([{ type: 'restorePods', asGang: false }]);
    });

    it('stays in the gang if the failed one is recreated as well', () => {
      const interrupted = { ...failedWorker, interruptedBy: 'deletion', exitCode: 0 } as const;
      const run = running();
      run.receives(aDigest(12).launcher({ ready: 1 }).workers({ ready: 3, failed: 1 }).failure(interrupted));
      expect(run.effects).toMatchObject([{ type: 'restorePods', asGang: true }]);
    });
  });

  it('stays unchanged while enough of the gang live', () => {
    const plan = aPlan().workers(10).gangOf(8);
    const run = aRun(plan).does('createAttempt', 10);
    expect(waitingWhenOneSucceeds(run).effects).toEqual([]);
  });

  it('stays unchanged where the scheduler also counts succeeded members', () => {
    const run = aQueuedRun(ten())
      .does('createGroup')
      .receives(aDigest(5).gang({ scheduled: 'True', admitted: true }));
    expect(waitingWhenOneSucceeds(run.does('createAttempt', 10)).effects).toEqual([]);
  });
});
