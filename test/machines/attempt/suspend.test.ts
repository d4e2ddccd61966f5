import { describe, expect, it } from '@jest/globals';
import { aDigest } from '../builders.ts';
import { aQueuedRun, aRun, aRunInLane, MachineRun } from '../machine-run.ts';
import { allReady, threePods } from '../three-pods.ts';

const plan = () => threePods().deadline(60);
const running = () => aRun(plan()).does('createAttempt', 10).receives(allReady(11));
const resting = () => running().suspend().does('suspend');

describe('a job that is suspended while it runs', () => {
  it('removes its pods, whatever its clean-up policy says', () => {
    const run = running().suspend('suspended by ana: the node is needed');
    expect(run.effects).toEqual([{ type: 'suspend' }]);
    expect(run.status).toMatchObject({
      phase: 'Suspended',
      state: 'Suspended.Draining',
      cause: { reason: 'Suspended', message: 'suspended by ana: the node is needed' },
    });
  });

  it('rests when they are gone, without active pods or a deadline', () => {
    const run = resting();
    expect(run.state).toBe('Suspended.Resting');
    expect(run.deadlines).toEqual({});
    expect(run.status.replicaStatuses.Worker).not.toHaveProperty('active');
  });

  it('has no pods any more, whatever was left of them when they were last counted', () => {
    const run = running().suspend();
    run.receives(aDigest(12).master({ failed: 1 }).workers({ ready: 1, terminating: 1 }));
    expect(run.does('suspend').state).toBe('Suspended.Resting');
    for (const counts of Object.values(run.status.replicaStatuses)) {
      expect(Object.keys(counts).filter((name) => name !== 'selector')).toEqual([]);
    }
  });

  it('has the conditions of training-operator', () => {
    expect(resting().conditions).toEqual(['Created=True', 'Running=False', 'Suspended=True']);
  });

  it('ignores digests about its last pods', () => {
    const run = running().suspend();
    run.receives(aDigest(12).master({ failed: 1 }).workers({ terminating: 2 }).failure({ role: 'master' }));
    expect(run.state).toBe('Suspended.Draining');
    expect(run.does('suspend').state).toBe('Suspended.Resting');
  });

  it('does not change when it is suspended again', () => {
    const run = resting().suspend('again');
    expect(run.effects).toEqual([]);
    expect(run.status.cause?.message).toBe('suspended by ana');
  });

  it('can be stopped', () => {
    expect(resting().stop().effects).toMatchObject([{ type: 'cleanUp', outcome: 'Stopped' }]);
  });

  it('stops when its anchor is deleted', () => {
    expect(resting().receives(aDigest(20).withoutAnchor()).status).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'AnchorDeleted' },
    });
  });

  it('is not failed by a deadline that fired meanwhile', () => {
    expect(resting().reachesDeadline().state).toBe('Suspended.Resting');
  });
});

describe('a job that is resumed', () => {
  it('starts all of its pods as a new attempt', () => {
    const run = resting().resume();
    expect(run.state).toBe('Pending.Creating');
    expect(run.effects).toEqual([{ type: 'createAttempt', attempt: 2 }]);
  });

  it('has a new start time, and its deadline counts from its new pods', () => {
    const run = running();
    const { startTime } = run.status;
    run.suspend().does('suspend').resume();
    expect(run.status.startTime! > startTime!).toBe(true);
    expect(run.deadlines).toEqual({});
    run.does('createAttempt', 20);
    expect(run.deadlines).toHaveProperty('activeDeadline');
  });

  it('runs again, and its conditions say so', () => {
    const run = resting().resume().does('createAttempt', 20).receives(allReady(21, 2));
    expect(run.state).toBe('Running');
    expect(run.conditions).toEqual(['Created=True', 'Suspended=False', 'Running=True']);
  });

  it('ignores digests about the pods before', () => {
    const run = resting().resume().does('createAttempt', 20);
    run.receives(aDigest(21).attempt(1).master({ failed: 1 }).failure({ role: 'master' }));
    expect(run.state).toBe('Pending.Scheduling');
  });

  it('also restarts succeeded replicas', () => {
    const run = running().receives(aDigest(12).master({ ready: 1 }).workers({ ready: 1, succeeded: 1 }));
    expect(run.context.succeededIndices).toEqual({ worker: '0' });
    run.suspend().does('suspend').resume();
    expect(run.context.succeededIndices).toEqual({});
  });

  it('keeps count of its restarts', () => {
    const run = running().receives(allReady(12).restarts(3)).suspend().does('suspend').resume();
    expect(run.status.restarts).toBe(3);
  });

  it('before its pods are gone continues when they are', () => {
    const run = running().suspend().resume();
    expect(run.effects).toEqual([]);
    expect(run.does('suspend').effects).toEqual([{ type: 'createAttempt', attempt: 2 }]);
  });

  it('waits for admission by its scheduler again, where that admits groups', () => {
    const run = aQueuedRun(plan()).does('createGroup').suspend().does('suspend').resume();
    expect(run.state).toBe('Pending.Queued');
    expect(run.effects).toEqual([{ type: 'createGroup', attempt: 2 }]);
  });

  it('continues in a new run of the workflow', () => {
    expect(resting().continueAsNew().resume().effects).toEqual([{ type: 'createAttempt', attempt: 2 }]);
  });
});

describe('a job that is created suspended', () => {
  const born = () => aRun(plan().suspended());

  it('has no pods, and has not started', () => {
    const run = born();
    expect(run.effects).toEqual([{ type: 'suspend' }]);
    expect(run.does('suspend').status).toMatchObject({ phase: 'Suspended', startTime: undefined });
  });

  it('never has the condition Running', () => {
    expect(born().does('suspend').conditions).toEqual(['Created=True', 'Suspended=True']);
  });

  it.each<[string, () => MachineRun]>([
    ['is resumed', () => born().does('suspend').resume()],
    ['is resumed before it is known that nothing is there', () => born().resume().does('suspend')],
    ['is resumed after an edit', () => born().does('suspend').amend(plan().deadline(30)).resume()],
  ])('runs as attempt 1 when it %s: it has had none before', (_, resumed) => {
    const run = resumed();
    expect(run.effects).toMatchObject([{ type: 'createAttempt', attempt: 1 }]);
    run.does('createAttempt', 10).receives(allReady(11));
    expect(run.status).toMatchObject({ attempt: 1, restarts: 0 });
    expect(run.status.timeline.map(({ attempt }) => attempt)).not.toContain(2);
  });

  it('asks its lane, or its gang scheduler, for attempt 1', () => {
    const asking = [aRunInLane, aQueuedRun].map((of) => of(plan().suspended()).does('suspend').resume());
    expect(asking.map(({ effects }) => effects)).toMatchObject([
      [{ type: 'joinLane', attempt: 1 }],
      [{ type: 'createGroup', attempt: 1 }],
    ]);
  });

  it('runs as attempt 2 when it was suspended once more', () => {
    const run = born().does('suspend').resume().does('createAttempt', 10).receives(allReady(11));
    expect(run.suspend().does('suspend').resume().status.attempt).toBe(2);
  });

  it('runs as attempt 2 if it began when that was so', () => {
    const run = new MachineRun(plan().suspended(), { countsStarts: false }).does('suspend').resume();
    expect(run.effects).toMatchObject([{ type: 'createAttempt', attempt: 2 }]);
  });
});
