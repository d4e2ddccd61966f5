import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from './builders.ts';
import { aGatedRun, type MachineRun } from './machine-run.ts';

const four = () => aPlan().workers(4);

const held = (resourceVersion: number, attempt = 1) =>
  aDigest(resourceVersion)
    .attempt(attempt)
    .workers({ unscheduled: 4 })
    .gang({ scheduled: 'False', reason: 'NotEnoughRoom', message: '2 of the 4 pods find room' });

const itsTurn = (run: MachineRun, resourceVersion = 11, attempt = 1) => {
  const lift = { attempt, until: run.time + 15_000, roles: ['worker'] };
  return held(resourceVersion, attempt).gang({ scheduled: 'False', reason: 'Turn', message: 'room', lift });
};

const lifted = (run = aGatedRun(four())) => run.receives(itsTurn(run)).does('liftGates', 20);

const twoPlaced = (resourceVersion = 21) =>
  aDigest(resourceVersion).workers({ unscheduled: 2, scheduled: 2 }).gang({
    scheduled: 'False',
    reason: 'CapacityTaken',
    message: 'others got theirs: 2 of namespace vision',
  });

const rolledBack = () => lifted().receives(twoPlaced()).reaches('bind').does('rollBack');

describe('a gated gang', () => {
  it('waits behind its gates, in the words of the watcher', () => {
    const run = aGatedRun(four()).receives(held(11));
    expect(run.effects).toEqual([]);
    expect(run.status).toMatchObject({
      ...{ phase: 'Pending', state: 'Pending.Scheduling' },
      cause: {
        reason: 'WaitingForGang',
        message:
          '0 of 4 pods have a node, 0 are ready; gang: 2 of the 4 pods find room; gated pods hold nothing meanwhile',
      },
    });
    expect(run.deadlines).not.toHaveProperty('bind');
  });

  it('can never fit, until it can: its code says so, and the ledger each time it changes', () => {
    const never = (resourceVersion: number, message: string) =>
      held(resourceVersion).gang({ scheduled: 'False', reason: 'NeverFits', message });
    const run = aGatedRun(four()).receives(never(11, 'the nodes hold 3 of the 4 pods'));
    expect(run.status.cause).toMatchObject({
      ...{ reason: 'NeverFits', message: 'the nodes hold 3 of the 4 pods' },
      also: [{ reason: 'WaitingForGang' }],
    });
    expect(run.entry?.reason).toBe('NeverFits');
    expect(run.receives(never(12, 'the nodes hold 2 of the 4 pods')).entry).toBeUndefined();
    expect(run.receives(held(13)).entry?.reason).toBe('WaitingForGang');
    expect(run.status.cause?.also).toBeUndefined();
  });

  it('has its gates lifted when it is its turn, and runs', () => {
    const run = aGatedRun(four()).receives(held(11));
    const turn = itsTurn(run, 12);
    run.receives(turn);
    expect(run.state).toBe('Pending.Lifting');
    expect(run.effects).toEqual([
      { type: 'liftGates', attempt: 1, until: turn.build().gang!.lift!.until, roles: ['worker'] },
    ]);
    run.does('liftGates', 20).receives(aDigest(21).workers({ scheduled: 4 }));
    expect(run.state).toBe('Starting.Waiting');
    expect(run.receives(aDigest(22).workers({ ready: 4 })).state).toBe('Running');
    expect(run.deadlines).not.toHaveProperty('bind');
  });

  it('lifts nothing in a turn of another attempt; whoever lifts knows whether a turn is over, by one clock', () => {
    const run = aGatedRun(four());
    expect(run.receives(itsTurn(run, 11, 2)).state).toBe('Pending.Scheduling');
    const late = itsTurn(run, 12);
    run.waits(16);
    expect(run.receives(late).state).toBe('Pending.Lifting');
  });

  it('waits for its next turn if no gate was lifted in time', () => {
    const run = aGatedRun(four());
    run.receives(itsTurn(run)).does('liftGates', { isTurnOver: true });
    expect(run.state).toBe('Pending.Scheduling');
    expect(run.deadlines).not.toHaveProperty('bind');
    expect(run.receives(itsTurn(run, 12)).state).toBe('Pending.Lifting');
  });

  it('has 10 s and 50 ms a pod to get its nodes, from the first gate on', () => {
    const run = aGatedRun(four());
    run.receives(itsTurn(run));
    expect(run.deadlines.bind).toBe(run.time + 10_200);
    expect(run.does('liftGates', 20).deadlines.bind).toBe(run.time + 10_200 - 1_000);
  });

  it('is rolled back if it has not got them: nobody holds nodes any more', () => {
    const run = lifted().receives(twoPlaced()).reaches('bind');
    expect(run.state).toBe('Pending.RollingBack');
    expect(run.effects).toEqual([{ type: 'rollBack', attempt: 1, enough: 4 }]);
    expect(run.status).toMatchObject({
      phase: 'Pending',
      cause: {
        reason: 'CapacityTaken',
        message:
          '2 of 4 pods had no node 10.2 s after their gates were lifted; others got theirs: 2 of namespace vision; the gang gives back what it held',
      },
    });
    run.does('rollBack').receives(aDigest(40).attempt(0));
    expect(run.state).toBe('Pending.RolledBack');
    expect(run.status.cause).toMatchObject({
      reason: 'CapacityTaken',
      message: expect.stringMatching(/^2 of 4 pods had no node .* they are made anew at /),
    });
  });

  it('is also rolled back while its gates are still being lifted', () => {
    const run = aGatedRun(four());
    run.receives(itsTurn(run)).reaches('bind');
    expect(run.effects).toMatchObject([{ type: 'rollBack' }]);
  });

  it('is made anew behind gates after growing pauses, with its place in the order, at no cost', () => {
    const run = rolledBack();
    expect(run.deadlines.backOff).toBe(run.time + 10_000);
    run.reaches('backOff');
    expect(run.effects).toMatchObject([
      { type: 'createAttempt', attempt: 2, queuedSince: expect.any(Number) },
    ]);
    run
      .does('createAttempt', 50)
      .receives(itsTurn(run, 51, 2))
      .does('liftGates', 60);
    run.reaches('bind').does('rollBack');
    expect(run.deadlines.backOff).toBe(run.time + 20_000);
    expect(run.status).toMatchObject({ restarts: 0, phase: 'Pending' });
  });

  it('begins at once when somebody asks for it', () => {
    expect(rolledBack().retryNow().effects).toMatchObject([{ type: 'createAttempt', attempt: 2 }]);
  });

  it('waits for pods that are still being deleted', () => {
    const run = lifted().receives(twoPlaced()).reaches('bind');
    run.does('rollBack', { stuckPods: [{ pod: 'resnet-worker-0', node: 'node-1' }] });
    expect(run.state).toBe('Pending.RollingBack');
    run.reaches('look');
    expect(run.effects).toEqual([{ type: 'rollBack', attempt: 1, enough: 4, again: true }]);
    expect(run.does('rollBack').state).toBe('Pending.RolledBack');
  });

  it('stays if its pods have nodes after all, and is not judged again', () => {
    const run = lifted().receives(twoPlaced()).reaches('bind').does('rollBack', { isPlaced: true });
    expect([run.state, run.deadlines.bind]).toEqual(['Pending.Scheduling', undefined]);
    expect(run.receives(aDigest(30).workers({ ready: 4 })).state).toBe('Running');
  });

  it('has pods replaced behind the gate before its turn, and without one after that', () => {
    const asGang = (run: MachineRun) => run.effects.map((effect) => 'asGang' in effect && effect.asGang);
    const before = aGatedRun(four()).receives(aDigest(11).workers({ unscheduled: 3 }));
    expect(asGang(before)).toEqual([true]);
    const after = lifted().receives(aDigest(21).workers({ scheduled: 4 }));
    expect(asGang(after.receives(aDigest(22).workers({ scheduled: 3 })))).toEqual([false]);
    after.does('restorePods', 30).receives(aDigest(31).workers({ scheduled: 3, unscheduled: 1 }));
    expect([after.state, after.deadlines.bind]).toEqual(['Pending.Scheduling', undefined]);
  });

  it('gets pods that join its group, if it has one: behind the gate before its turn, without one after that', () => {
    const aNativeRun = () => aGatedRun(four(), 'gated-native');
    const before = aNativeRun().receives(aDigest(11).workers({ unscheduled: 3 }));
    expect(before.effects).toMatchObject([{ type: 'restorePods', asGang: true }]);
    expect(before.effects[0]).not.toHaveProperty('isLifted');
    const after = lifted(aNativeRun()).receives(aDigest(21).workers({ ready: 4 }));
    after.receives(aDigest(22).workers({ ready: 3 }));
    expect(after.effects).toMatchObject([{ type: 'restorePods', asGang: true, isLifted: true }]);
  });

  it('is rolled back with its group as without one: the scheduler must not go on trying', () => {
    const run = lifted(aGatedRun(four(), 'gated-native')).receives(held(21)).reaches('bind');
    expect(run.effects).toEqual([{ type: 'rollBack', attempt: 1, enough: 4 }]);
  });

  it('waits for all members only as long as it is a gang: enough of them is enough', () => {
    const run = aGatedRun(four().gangOf(3));
    run.receives(itsTurn(run)).reaches('bind');
    expect(run.effects).toMatchObject([{ type: 'rollBack', enough: 3 }]);
  });

  it('gives back everything when it is suspended or stopped while it is being lifted', () => {
    const run = lifted().receives(twoPlaced());
    expect(run.suspend().effects).toMatchObject([{ type: 'suspend' }]);
    expect(run.deadlines).not.toHaveProperty('bind');
    expect(lifted().stop().effects).toMatchObject([{ type: 'cleanUp', outcome: 'Stopped' }]);
  });

  const onQuota = () => {
    const run = aGatedRun(four());
    const lift = { attempt: 1, until: run.time + 15_000, roles: ['worker'], onQuota: true };
    run.receives(held(11).gang({ scheduled: 'False', reason: 'Turn', message: 'no room', lift }));
    return run;
  };

  it('waits for new nodes for as long as it holds none, if it was lifted without room', () => {
    const run = onQuota();
    expect(run.effects).toMatchObject([{ type: 'liftGates', onQuota: true }]);
    expect(run.status.cause?.message).toContain('there is no room for the gang');
    run.does('liftGates', 20).receives(aDigest(21).workers({ unscheduled: 4 }));
    expect(run.waits(3_600).deadlines).not.toHaveProperty('bind');
    run.receives(aDigest(22).workers({ unscheduled: 3, scheduled: 1 }));
    expect(run.deadlines.bind).toBe(run.time + 10_200);
    // More of them do not prolong it.
    const { bind } = run.deadlines;
    expect(run.receives(aDigest(23).workers({ unscheduled: 2, scheduled: 2 })).deadlines.bind).toBe(bind);
    run.reaches('bind');
    expect(run.effects).toEqual([{ type: 'rollBack', attempt: 1, enough: 4 }]);
    expect(run.status.cause).toMatchObject({
      reason: 'TooFewNewNodes',
      message:
        '2 of 4 pods had no node 10.2 s after the first of them had one; the gang gives back what it held',
    });
  });

  it('runs when all of its new nodes come in time', () => {
    const run = onQuota()
      .does('liftGates', 20)
      .receives(aDigest(21).workers({ unscheduled: 1, scheduled: 3 }));
    run.receives(aDigest(22).workers({ scheduled: 4 }));
    expect([run.state, run.deadlines.bind]).toEqual(['Starting.Waiting', undefined]);
  });

  it('gets new sizes behind its gates as a new attempt, because its pods say how many there are', () => {
    const plan = aPlan().workersWith(4, { scales: { min: 2 } });
    const run = aGatedRun(plan).receives(held(11));
    run.amend(aPlan().workersWith(3, { scales: { min: 2 } }), 'Worker scaled to 3 by ana');
    expect(run.effects).toMatchObject([{ type: 'drain', attempt: 1 }]);
  });
});
