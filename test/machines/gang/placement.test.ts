import { describe, expect, it } from '@jest/globals';
import type { GangRules } from '../../../contracts/types.ts';
import { aDigest, aPlan } from '../builders.ts';
import { aQueuedRun, aRun, type MachineRun } from '../machine-run.ts';

const limited = (otherwise: GangRules['otherwise'] = 'fail') =>
  aPlan()
    .workers(4)
    .policy({ gang: { placedWithinMs: 600_000, otherwise } });

const three = (resourceVersion: number) =>
  aDigest(resourceVersion).workers({ unscheduled: 1, scheduled: 3 }).heldGang('1 Insufficient gpu');

const late = (otherwise?: GangRules['otherwise']): MachineRun =>
  aRun(limited(otherwise)).does('createAttempt', 10).receives(three(11)).reaches('placement');

describe('a gang that has not got its nodes in time', () => {
  it('is looked at once more before anything is decided', () => {
    const run = late();
    expect(run.effects).toEqual([{ type: 'rollBack', attempt: 1, enough: 4 }]);
    run.does('rollBack', { isPlaced: true });
    expect([run.state, run.deadlines.placement]).toEqual(['Pending.Scheduling', undefined]);
  });

  it('fails the job, and says what was short', () => {
    const run = late().does('rollBack');
    expect(run.effects).toMatchObject([{ type: 'cleanUp', outcome: 'Failed' }]);
    expect(run.status.cause).toMatchObject({
      reason: 'NotPlacedInTime',
      message:
        '1 of 4 pods had no node in time; 1 Insufficient gpu; signalbox.dev/policy gang.placedWithin: 600s',
    });
  });

  it('waits anew after a pause, if the policy says so', () => {
    const run = late('requeue').does('rollBack');
    expect([run.state, run.secondsTo('backOff')]).toEqual(['Pending.RolledBack', 10]);
    expect(run.status.cause?.reason).toBe('NotPlacedInTime');
    run.reaches('backOff');
    expect(run.effects).toMatchObject([{ type: 'createAttempt', attempt: 2 }]);
    expect(run.does('createAttempt', 50).secondsTo('placement')).toBe(599);
    expect(run.status.restarts).toBe(0);
  });

  it('also fails while its scheduler has not even admitted its group', () => {
    const run = aQueuedRun(limited()).does('createGroup').reaches('placement');
    expect(run.effects).toMatchObject([{ type: 'rollBack' }]);
    expect(run.does('rollBack').status).toMatchObject({
      phase: 'Failed',
      cause: {
        reason: 'NotPlacedInTime',
        message: expect.stringContaining('4 of 4 pods had no node in time'),
      },
    });
  });

  it('has no such limit any more once it was placed', () => {
    const run = aRun(limited())
      .does('createAttempt', 10)
      .receives(aDigest(11).workers({ scheduled: 4 }));
    expect(run.deadlines).not.toHaveProperty('placement');
    run
      .receives(aDigest(12).workers({ scheduled: 3 }))
      .does('restorePods', 20)
      .receives(three(21));
    expect([run.state, run.deadlines.placement]).toEqual(['Pending.Scheduling', undefined]);
  });

  it('gets another limit by an amendment while it waits', () => {
    const run = aRun(limited()).does('createAttempt', 10).receives(three(11));
    const longer = aPlan()
      .workers(4)
      .policy({ gang: { placedWithinMs: 1_200_000, otherwise: 'fail' } });
    expect(run.amend(longer).secondsTo('placement')).toBeGreaterThan(1_100);
  });

  it('has no limit without one in the policy', () => {
    const run = aRun(aPlan().workers(4)).does('createAttempt', 10).receives(three(11));
    expect(run.deadlines).not.toHaveProperty('placement');
  });
});
