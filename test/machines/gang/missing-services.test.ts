import { describe, expect, it } from '@jest/globals';
import { aDigest, aPlan } from '../builders.ts';
import { aRun } from '../machine-run.ts';

const running = () =>
  aRun(aPlan().master().workers(1))
    .does('createAttempt', 10)
    .receives(aDigest(11).master({ ready: 1 }).workers({ ready: 1 }));
const lacking = (resourceVersion: number, at: number) =>
  aDigest(resourceVersion).master({ ready: 1 }).workers({ ready: 1 }).missingServices(at, 'resnet-worker-0');
const RESTORES = [{ type: 'restoreServices', attempt: 1, names: ['resnet-worker-0'] }];

describe('deleted Services', () => {
  it('are created again while the job stays Running', () => {
    const run = running().receives(lacking(12, 100));
    expect(run.effects).toEqual(RESTORES);
    expect(run.status.phase).toBe('Running');
  });

  it('are created again without any other event', () => {
    expect(running().receives(lacking(11, 100)).effects).toEqual(RESTORES);
  });

  it('are created once for each report of the watcher', () => {
    const run = running().receives(lacking(12, 100));
    expect(run.receives(lacking(13, 100)).effects).toEqual([]);
    expect(run.continueAsNew().receives(lacking(14, 100)).effects).toEqual([]);
    expect(run.receives(lacking(15, 200)).effects).toEqual(RESTORES);
  });

  it('do not fail the job if they cannot be created', () => {
    const cause = { reason: 'EngineFault', message: 'the activity timed out' } as const;
    const run = running().receives(lacking(12, 100)).failsTo('restoreServices', cause);
    expect(run.status.phase).toBe('Running');
  });

  it('are no longer created once the outcome is decided, or the job is suspended', () => {
    expect(running().stop().receives(lacking(12, 100)).effects).toEqual([]);
    expect(running().suspend().receives(lacking(12, 100)).effects).toEqual([]);
  });
});
