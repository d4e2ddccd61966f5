import { describe, expect, it } from '@jest/globals';
import type { PodFailure } from '../../contracts/digest.ts';
import type { Rung } from '../../contracts/types.ts';
import { aRun, aRunInLane } from './machine-run.ts';
import { allReady, threePods } from './three-pods.ts';

const SPARES = { count: 1, command: ['sleep', 'infinity'] };
const withSpares = (count = 1, ladder: readonly Rung[] = [{ scope: 'pod' }]) =>
  threePods().policy({
    spares: { ...SPARES, count },
    restart: { ladder },
    nodes: { lostAfterMs: 1_000, avoidForMs: 60_000 },
  });
const begun = (plan = withSpares()) => aRun(plan).does('createAttempt', 10);
const keeps = (count: number) => [{ type: 'keepSpares', attempt: 1, count }];
/** It runs, with its spare. */
const running = (plan = withSpares()) =>
  begun(plan).receives(allReady(10)).does('keepSpares', 11).receives(allReady(11).spares('ready'));
const LOST: Partial<PodFailure> = {
  ...{ pod: 'resnet-worker-1', uid: 'uid-1', index: 1, node: 'node-1' },
  ...{ reason: 'DeletionByTaintManager', interruptedBy: 'deletion' },
};
const taken = {
  ...{ pod: 'resnet-worker-1', from: 'node-1' },
  ...{ spare: 'resnet-spare-0', uid: 'uid-resnet-spare-0', node: 'spare-node-0' },
};
const oneEvicted = (resourceVersion: number, failure = LOST) =>
  allReady(resourceVersion).workers({ ready: 1, failed: 1 }).failure(failure).spares('ready');

describe('a job with spares', () => {
  it('gets them once it runs, not before', () => {
    const run = begun();
    expect(run.receives(allReady(10).workers({ ready: 1, scheduled: 1 })).effects).toEqual([]);
    expect(run.receives(allReady(11)).effects).toEqual(keeps(1));
    expect(run.state).toBe('Running');
  });

  it('asks for them once, also over runs of the workflow', () => {
    const run = begun().receives(allReady(10));
    expect(run.receives(allReady(11)).effects).toEqual([]);
    expect(run.continueAsNew().receives(allReady(12)).effects).toEqual([]);
    run.does('keepSpares', 14).receives(allReady(13));
    expect(run.effects).toEqual([]);
    expect(run.waits(60).receives(allReady(14).spares('waiting')).effects).toEqual([]);
  });

  it('has no effect that it did not have without them', () => {
    const run = aRun(threePods()).does('createAttempt', 10).receives(allReady(10));
    expect(run.effects).toEqual([]);
    expect(run.secondsTo('spares')).toBeUndefined();
  });

  it('gets back one that is gone, or has ended, after a pause', () => {
    const run = running();
    expect(run.receives(allReady(12)).effects).toEqual([]);
    expect(run.reaches('spares').effects).toEqual(keeps(1));
    run.does('keepSpares', 13).receives(allReady(13).spares('ended'));
    expect(run.reaches('spares').effects).toEqual(keeps(1));
  });

  it('waits for one that is being deleted', () => {
    const run = running().waits(60).receives(allReady(12).spares('leaving'));
    expect(run.effects).toEqual([]);
    expect(run.secondsTo('spares')).toBeUndefined();
  });

  it('runs on if they are refused, says so, and tries again after five minutes', () => {
    const run = begun().receives(allReady(10)).does('keepSpares', { refused: 'exceeded quota: gpus' });
    expect(run.status.phase).toBe('Running');
    expect(run.status.warnings).toEqual([
      '0 of 1 spares hold a place; they were refused: exceeded quota: gpus',
    ]);
    expect(run.status.spares).toEqual({
      ...{ wanted: 1, placed: 0, why: 'they were refused: exceeded quota: gpus' },
    });
    expect(run.secondsTo('spares')).toBe(300);
    expect(run.reaches('spares').effects).toEqual(keeps(1));
    const cause = { reason: 'EngineFault', message: 'the activity timed out' } as const;
    expect(run.failsTo('keepSpares', cause).status.phase).toBe('Running');
  });

  it('says how many hold a place, and why not all, until it ends', () => {
    const run = begun(withSpares(2));
    expect(run.status.spares).toEqual({ wanted: 2, placed: 0, why: 'they are made when the job runs' });
    run.receives(allReady(10)).does('keepSpares', 11);
    expect(run.status.spares).toEqual({ wanted: 2, placed: 0 });
    run.receives(allReady(11).spares('ready', 'ready'));
    expect([run.status.spares, run.status.warnings]).toEqual([{ wanted: 2, placed: 2 }, []]);
    run.receives(allReady(12).master({ succeeded: 1 }).spares('ready', 'ready'));
    expect(run.status.spares).toBeUndefined();
    expect(aRun(threePods()).status.spares).toBeUndefined();
  });

  it('deletes them when an amendment says so, and makes more', () => {
    const run = running().amend(withSpares(2));
    expect(run.waits(10).receives(allReady(12).spares('ready')).effects).toEqual(keeps(2));
    run.does('keepSpares', 13).receives(allReady(13).spares('ready', 'ready')).amend(threePods());
    expect(run.waits(10).receives(allReady(14).spares('ready', 'ready')).effects).toEqual(keeps(0));
  });
});

describe('the place of a spare', () => {
  it('is taken by a pod that was evicted', () => {
    const run = running().receives(oneEvicted(12));
    expect(run.effects).toMatchObject([{ type: 'restorePods', taken: [taken] }]);
    expect(run.lastCause).toContain(
      'resnet-worker-1 (of node node-1) takes the place of resnet-spare-0 on node spare-node-0',
    );
    expect(run.entry?.effects).toMatchObject([{ what: { taken: [taken] } }]);
  });

  it('is taken by a pod that was lost with its node', () => {
    const endangered = { ...LOST, trouble: 'NotReady', since: 0 } as const;
    const run = running().receives(allReady(12).endangered(endangered).spares('ready')).reaches('nodeLost');
    expect(run.effects).toMatchObject([{ type: 'restorePods', taken: [taken] }]);
  });

  it('is told when the job runs again, with the time since the loss; then it has a new spare', () => {
    const run = running().receives(oneEvicted(12)).does('restorePods', 13).waits(3).receives(allReady(13));
    expect(run.lastCause).toBe(
      'all 3 pods are ready; 5.0 s after the loss; resnet-worker-1 (of node node-1) takes the place of resnet-spare-0 on node spare-node-0',
    );
    expect(run.context).toMatchObject({ taken: undefined, lostAt: undefined });
    expect(run.waits(10).receives(allReady(14)).effects).toMatchObject(keeps(1));
  });

  it('is taken by a pod of the next attempt, if the whole gang restarts', () => {
    const run = running(withSpares(1, [{ scope: 'gang' }])).receives(oneEvicted(12));
    expect(run.effects).toEqual([{ type: 'drain', attempt: 1, keepsSpares: true, taken: [taken] }]);
    expect(run.does('drain').effects).toMatchObject([{ type: 'createAttempt', taken: [taken] }]);
    run.does('createAttempt', 20).receives(allReady(20, 2));
    expect(run.lastCause).toMatch(/s after the loss; resnet-worker-1 \(of node node-1\) takes the place/);
  });

  it.each<[string, Partial<PodFailure>]>([
    ['failed by itself', { reason: 'Error', exitCode: 1, interruptedBy: undefined }],
    ['was deleted by hand', { reason: 'Deleted' }],
  ])('is not taken by a pod that %s: its own is free', (_, how) => {
    const run = running().receives(oneEvicted(12, { ...LOST, ...how }));
    expect(run.effects.flatMap((effect) => ('taken' in effect ? [effect.taken] : []))).toEqual([]);
  });

  it.each<[string, ReturnType<typeof oneEvicted>]>([
    ['does not run', oneEvicted(12).spares('waiting')],
    ['is being deleted', oneEvicted(12).spares('leaving')],
  ])('is not taken from a spare that %s', (_, digest) => {
    expect(running().receives(digest).effects).toMatchObject([{ type: 'restorePods' }]);
    expect(running().receives(digest).effects[0]).not.toHaveProperty('taken');
  });
});

describe('spares', () => {
  it('go when the job gives its place back', () => {
    const run = aRunInLane(withSpares())
      .receives(allReady(1).lane({ reason: 'Granted', until: Number.MAX_SAFE_INTEGER }))
      .does('createAttempt', 10)
      .receives(allReady(10).spares('ready'));
    expect(run.receives(allReady(12).spares('ready').evicted()).effects).toEqual([
      { type: 'drain', attempt: 1 },
    ]);
  });

  it('are made anew when a suspended job runs again', () => {
    const run = running().suspend().does('suspend').resume().does('createAttempt', 20);
    expect(run.waits(60).receives(allReady(20, 2)).effects).toEqual([
      { type: 'keepSpares', attempt: 2, count: 1 },
    ]);
  });
});
