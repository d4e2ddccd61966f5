import { describe, expect, it } from '@jest/globals';
import { aDigest } from '../builders.ts';
import { START } from '../machine-run.ts';
import { allReady, oneFailed, type RunningMachine, running, threePods, withLadder } from '../three-pods.ts';

const HOUR_MS = 3_600_000;

/** Seconds until the replacement. Of a pause that began with the last one, a second is over. */
const pauseOf = (run: RunningMachine) => run.secondsTo('backOff') ?? 0;

/** A worker waits for a node, and its label says that it avoids one until then. */
const waits = (resourceVersion: number, avoidsUntil: number) =>
  aDigest(resourceVersion)
    .master({ ready: 1 })
    .workers({ ready: 1, unscheduled: 1 })
    .avoidsUntil(avoidsUntil);

const oneMissing = (resourceVersion: number) =>
  aDigest(resourceVersion).master({ ready: 1 }).workers({ ready: 1 });

describe('a label for the end of a pod’s node avoidance', () => {
  it('replaces nothing in a job that avoids no node: everybody can write it', () => {
    const run = running().receives(waits(11, 1));
    expect([run.state, run.effects]).toEqual(['Pending.Scheduling', []]);
    expect(run.deadlines.avoidance).toBeUndefined();
  });

  it('starts no timer that is later than the avoidance of the job', () => {
    const evicted = { reason: 'Evicted', exitCode: undefined, node: 'node-1' };
    const plan = withLadder({ scope: 'pod' }).policy({ nodes: { avoidForMs: HOUR_MS } });
    const run = running(plan).receives(oneFailed(11, evicted)).captures().does('restorePods', 20);
    run.receives(waits(21, 1e62));
    expect(run.deadlines.avoidance).toBeLessThan(START + 2 * HOUR_MS);
  });

  it('replaces a pod again only after a growing pause, however often it is written', () => {
    const evicted = { reason: 'Evicted', exitCode: undefined, node: 'node-1' };
    const plan = withLadder({ scope: 'pod' }).policy({ nodes: { avoidForMs: HOUR_MS } });
    const run = running(plan).receives(oneFailed(11, evicted)).captures().does('restorePods', 20);
    const pauses: number[] = [];
    for (let resourceVersion = 21; resourceVersion < 25; resourceVersion++) {
      run.receives(waits(resourceVersion, 1));
      const pause = pauseOf(run);
      if (pause > 0) run.backsOff();
      expect(run.effects).toMatchObject([{ type: 'restorePods', avoidedUntil: run.time }]);
      run.does('restorePods', resourceVersion);
      pauses.push(pause);
    }
    expect(pauses).toEqual([0, 9, 19, 39]);
  });
});

describe('pods that are missing without a failure', () => {
  it('are recreated at once, and with growing pauses if that does not help', () => {
    const run = running();
    const pauses: number[] = [];
    for (let resourceVersion = 11; resourceVersion < 15; resourceVersion++) {
      run.receives(oneMissing(resourceVersion));
      pauses.push(pauseOf(run));
      if (pauses.at(-1)) run.backsOff();
      run.does('restorePods', resourceVersion);
    }
    expect(pauses).toEqual([0, 9, 19, 39]);
  });

  it('have a time for the next try in the status, and are recreated at once on request', () => {
    const run = running().receives(oneMissing(11)).does('restorePods', 12).receives(oneMissing(12));
    expect(run.state).toBe('Restarting.BackingOff');
    expect(run.status.cause?.message).toMatch(/the next replacement is at 2026-01-01T00:00:1/);
    expect(run.retryNow().effects).toMatchObject([{ type: 'restorePods' }]);
  });

  it('are recreated at once each time that another one was deleted', () => {
    const run = running();
    for (const [index, uid] of ['a', 'b', 'c'].entries()) {
      const resourceVersion = 11 + 2 * index;
      run.receives(
        oneMissing(resourceVersion).vanished({ uid, reason: 'Deleted', interruptedBy: 'deletion' }),
      );
      expect(run.effects).toMatchObject([{ type: 'restorePods' }]);
      run.does('restorePods', resourceVersion + 1).receives(allReady(resourceVersion + 1));
      expect(run.state).toBe('Running');
    }
  });

  it.each([
    ['the same pod', ['resnet-worker-0', 'resnet-worker-0', 'resnet-worker-0']],
    ['two pods in turn', ['resnet-worker-0', 'resnet-worker-1', 'resnet-worker-0', 'resnet-worker-1']],
  ])('are recreated with growing pauses if %s is deleted again and again', (_, pods) => {
    const run = running();
    const pauses = pods.map((pod, index) => {
      const resourceVersion = 11 + 2 * index;
      const gone = { pod, uid: `uid-${index}`, reason: 'Deleted', interruptedBy: 'deletion' } as const;
      run.receives(oneMissing(resourceVersion).vanished(gone));
      const pause = pauseOf(run);
      if (pause > 0) run.backsOff();
      run.does('restorePods', resourceVersion + 1);
      return pause > 0;
    });
    expect(pauses).toEqual(pods.map((pod, index) => pods.indexOf(pod) < index));
  });

  it('are recreated at once after the job has run again', () => {
    const run = running().receives(oneMissing(11)).does('restorePods', 12).receives(allReady(12));
    run.receives(oneMissing(13));
    expect(run.effects).toMatchObject([{ type: 'restorePods' }]);
  });

  it('keep their pause in a new workflow run', () => {
    const run = running().receives(oneMissing(11)).does('restorePods', 12).continueAsNew();
    run.receives(oneMissing(12));
    expect(run.state).toBe('Restarting.BackingOff');
  });

  it('do not delay the restart after a failure', () => {
    const run = running(threePods()).receives(oneMissing(11)).does('restorePods', 12);
    run.receives(oneFailed(12)).captures();
    expect(run.effects).toMatchObject([{ type: 'restorePods' }]);
  });
});
