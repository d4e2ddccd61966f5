import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from '../builders.ts';
import { aLife, aQueuedLife } from '../life.ts';

const plan = () => aPlan().master().workers(2).deadline(60);
const ready = (revision: number, attempt = 1) =>
  aDigest(revision).attempt(attempt).master({ ready: 1 }).workers({ ready: 2 });
const running = () => aLife(plan()).does('createAttempt', 10).hears(ready(11));
const resting = () => running().suspend().does('suspend');

describe('a job that is suspended while it runs', () => {
  it('wants its pods removed, whatever its clean-up policy says', () => {
    const life = running().suspend('suspended by ana: the node is needed');
    expect(life.effects).toEqual([{ type: 'suspend' }]);
    expect(life.status).toMatchObject({
      phase: 'Suspended',
      state: 'Suspended.Draining',
      cause: { reason: 'Suspended', message: 'suspended by ana: the node is needed' },
    });
  });

  it('rests when they are gone: nothing is active, and no deadline runs', () => {
    const life = resting();
    expect(life.state).toBe('Suspended.Resting');
    expect(life.deadlines).toEqual({});
    expect(life.status.replicaStatuses.Worker).not.toHaveProperty('active');
  });

  it('says so in its conditions, as training-operator does', () => {
    expect(resting().conditions).toEqual(['Created=True', 'Running=False', 'Suspended=True']);
  });

  it('decides nothing from what it hears of its last pods', () => {
    const life = running().suspend();
    life.hears(aDigest(12).master({ failed: 1 }).workers({ terminating: 2 }).failure({ role: 'master' }));
    expect(life.state).toBe('Suspended.Draining');
    expect(life.does('suspend').state).toBe('Suspended.Resting');
  });

  it('stays as it is when it is suspended again', () => {
    const life = resting().suspend('again');
    expect(life.effects).toEqual([]);
    expect(life.status.cause?.message).toBe('suspended by ana');
  });

  it('can be stopped', () => {
    expect(resting().stop().effects).toMatchObject([{ type: 'cleanUp', outcome: 'Stopped' }]);
  });

  it('stops when its anchor is deleted', () => {
    expect(resting().hears(aDigest(20).withoutAnchor()).status).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'AnchorDeleted' },
    });
  });

  it('is not failed by a deadline that was on its way', () => {
    expect(resting().reachesDeadline().state).toBe('Suspended.Resting');
  });
});

describe('a job that is resumed', () => {
  it('starts all of its pods as a new attempt', () => {
    const life = resting().resume();
    expect(life.state).toBe('Pending.Creating');
    expect(life.effects).toEqual([{ type: 'createAttempt', attempt: 2 }]);
  });

  it('has a new start time, and its deadline runs from when it has pods again', () => {
    const life = running();
    const { startTime } = life.status;
    life.suspend().does('suspend').resume();
    expect(life.status.startTime! > startTime!).toBe(true);
    expect(life.deadlines).toEqual({});
    life.does('createAttempt', 20);
    expect(life.deadlines).toHaveProperty('activeDeadline');
  });

  it('runs again, and says so in its conditions', () => {
    const life = resting().resume().does('createAttempt', 20).hears(ready(21, 2));
    expect(life.state).toBe('Running');
    expect(life.conditions).toEqual(['Created=True', 'Suspended=False', 'Running=True']);
  });

  it('does not hear what is still said of the pods before', () => {
    const life = resting().resume().does('createAttempt', 20);
    life.hears(aDigest(21).attempt(1).master({ failed: 1 }).failure({ role: 'master' }));
    expect(life.state).toBe('Pending.Scheduling');
  });

  it('runs again also what had succeeded', () => {
    const life = running().hears(aDigest(12).master({ ready: 1 }).workers({ ready: 1, succeeded: 1 }));
    expect(life.context.succeededIndices).toEqual({ worker: '0' });
    life.suspend().does('suspend').resume();
    expect(life.context.succeededIndices).toEqual({});
  });

  it('keeps count of its restarts', () => {
    const life = running().hears(ready(12).restarts(3)).suspend().does('suspend').resume();
    expect(life.status.restarts).toBe(3);
  });

  it('before its pods are gone goes on when they are', () => {
    const life = running().suspend().resume();
    expect(life.effects).toEqual([]);
    expect(life.does('suspend').effects).toEqual([{ type: 'createAttempt', attempt: 2 }]);
  });

  it('waits for its scheduler again, where that lets groups in', () => {
    const life = aQueuedLife(plan()).does('createGroup').suspend().does('suspend').resume();
    expect(life.state).toBe('Pending.Queued');
    expect(life.effects).toEqual([{ type: 'createGroup', attempt: 2 }]);
  });

  it('goes on in a new run of the workflow', () => {
    expect(resting().continueAsNew().resume().effects).toEqual([{ type: 'createAttempt', attempt: 2 }]);
  });
});

describe('a job that is suspended from its birth', () => {
  const born = () => aLife(plan().suspended());

  it('has no pods, and has not started', () => {
    const life = born();
    expect(life.effects).toEqual([{ type: 'suspend' }]);
    expect(life.does('suspend').status).toMatchObject({ phase: 'Suspended', startTime: undefined });
  });

  it('has no condition Running, as it never did', () => {
    expect(born().does('suspend').conditions).toEqual(['Created=True', 'Suspended=True']);
  });

  it('runs when it is resumed', () => {
    const life = born().does('suspend').resume().does('createAttempt', 10).hears(ready(11, 2));
    expect(life.state).toBe('Running');
  });
});
