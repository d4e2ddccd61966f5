import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from './builders.ts';
import { aRunInLane, type MachineRun } from './machine-run.ts';

const three = () => aPlan().workers(3).backoffLimit(3);
const waiting = (run = aRunInLane(three())) => run.does('joinLane');
const granted = (run: MachineRun, attempt = 1) =>
  aDigest(5)
    .attempt(attempt)
    .lane({ attempt, at: run.time, reason: 'Granted', message: 'it may start', until: run.time + 15_000 });
const running = () => {
  const run = waiting();
  run.receives(granted(run)).does('createAttempt', 10);
  return run.receives(aDigest(11).workers({ ready: 3 }));
};

describe('a job in a lane', () => {
  it('takes its place, has no pods, and says what its lane says', () => {
    const run = aRunInLane(three());
    expect([run.state, run.effects]).toEqual(['Pending.Queued', [{ type: 'joinLane', attempt: 1 }]]);
    run.does('joinLane').receives(aDigest(5).attempt(1).lane());
    expect(run.effects).toEqual([]);
    expect(run.status.cause).toEqual({
      reason: 'WaitingInLane',
      message: 'no pods yet: 3 pods are ahead',
    });
  });

  it('hears of its lane although nothing else in the cluster changes', () => {
    const run = waiting().receives(aDigest(5).attempt(1).lane({ at: 1 }));
    run.receives(aDigest(5).attempt(1).lane({ at: 2, message: 'a pod is ahead' }));
    expect(run.status.cause?.message).toBe('no pods yet: a pod is ahead');
  });

  it('can never start by what its lane has, until that changes', () => {
    const run = waiting().receives(
      aDigest(5).attempt(1).lane({ reason: 'NeverFits', message: 'it needs 9' }),
    );
    expect(run.status.cause).toEqual({ reason: 'NeverFits', message: 'no pods yet: it needs 9' });
    expect(run.entry?.reason).toBe('NeverFits');
    run.receives(aDigest(5).attempt(1).lane({ at: 2 }));
    expect([run.status.cause?.reason, run.entry?.reason]).toEqual(['WaitingInLane', 'WaitingInLane']);
  });

  it('waits for whoever mends its lane', () => {
    const run = waiting().receives(
      aDigest(5).attempt(1).lane({ reason: 'LaneFaulty', message: 'lane a has a fault' }),
    );
    expect(run.status.cause).toEqual({ reason: 'LaneFaulty', message: 'no pods yet: lane a has a fault' });
  });

  it('tries to start when it may; whoever takes its place knows whether that is over, by one clock', () => {
    const run = waiting();
    const grant = granted(run);
    run.receives(grant);
    expect([run.state, run.effects]).toMatchObject([
      'Pending.Creating',
      [{ type: 'createAttempt', attempt: 1, grantedUntil: grant.build().lane!.until }],
    ]);
    const late = waiting();
    const old = granted(late);
    expect(late.waits(60).receives(old).state).toBe('Pending.Creating');
  });

  it('goes on waiting if a worker came too late, until it may start again', () => {
    const run = waiting();
    const first = granted(run);
    run.receives(first).does('createAttempt', { isTurnOver: true });
    expect([run.state, run.effects]).toEqual(['Pending.Queued', [{ type: 'joinLane', attempt: 1 }]]);
    run.does('joinLane').receives(first);
    expect(run.state).toBe('Pending.Queued');
    run.receives(granted(run));
    expect(run.state).toBe('Pending.Creating');
  });

  it('keeps its place when its gang restarts, and asks for it again after an eviction or a suspension', () => {
    const restarted = running().amend(three().policy({ scaleByRestart: true }).workers(2));
    expect(restarted.state).toBe('Restarting.Draining');
    restarted.does('drain');
    expect(restarted.state).toBe('Pending.Creating');
    expect(restarted.effects).toMatchObject([{ type: 'createAttempt', attempt: 2 }]);
    expect(restarted.effects[0]).not.toHaveProperty('grantedUntil');
    const evicted = running()
      .receives(aDigest(12).workers({ ready: 3 }).evicted())
      .does('drain');
    expect([evicted.state, evicted.effects]).toEqual(['Pending.Queued', [{ type: 'joinLane', attempt: 2 }]]);
    const yields = running()
      .receives(aDigest(12).workers({ ready: 3 }).evicted({ to: 'uid-of-big' }))
      .does('drain');
    expect(yields.effects).toEqual([{ type: 'joinLane', attempt: 2, yieldsTo: 'uid-of-big' }]);
    const suspended = running().suspend().does('suspend').resume();
    expect([suspended.state, suspended.effects]).toEqual([
      'Pending.Queued',
      [{ type: 'joinLane', attempt: 2 }],
    ]);
  });

  it('has its time for nodes once it may start, and gives its place back when that is over', () => {
    const policy = { gang: { placedWithinMs: 60_000, otherwise: 'requeue' as const } };
    const run = waiting(aRunInLane(three().policy(policy))).waits(3600);
    expect(run.deadlines).not.toHaveProperty('placement');
    run
      .receives(granted(run))
      .does('createAttempt', 10)
      .receives(aDigest(11).workers({ unscheduled: 3 }));
    expect(run.secondsTo('placement')).toBeLessThanOrEqual(60);
    run.reaches('placement').does('rollBack').reaches('backOff');
    expect([run.state, run.effects]).toEqual(['Pending.Queued', [{ type: 'joinLane', attempt: 2 }]]);
  });
});
