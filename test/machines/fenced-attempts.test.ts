import { describe, expect, it } from '@jest/globals';
import { aDigest } from './builders.ts';
import {
  allReady,
  draining,
  gangJob,
  oneFailed,
  type RunningMachine,
  running,
  startsAgain,
} from './three-pods.ts';

describe('a late event of the attempt before', () => {
  const second = () => startsAgain(draining(), 30);
  const late: readonly [says: string, tell: (run: RunningMachine) => RunningMachine][] = [
    ['failures', (run) => run.receives(oneFailed(40))],
    ['success', (run) => run.receives(aDigest(40).master({ succeeded: 1 }).workers({ succeeded: 2 }))],
    ['a whole gang that is gone', (run) => run.receives(aDigest(40))],
    ['progress', (run) => run.receives(allReady(40).progress('step=9', 9))],
    ['pods on a dead node', (run) => run.receives(allReady(40).endangered({ since: 1 }))],
    ['an older number of pods', (run) => run.receives(aDigest(29).attempt(0))],
  ];
  it.each(late)('changes nothing: %s', (_, receive) => {
    const run = second();
    // What depends on the time alone goes on.
    const timeless = () => ({ ...run.context, at: 0, placed: undefined });
    const before = timeless();
    receive(run);
    expect([run.state, run.effects]).toEqual(['Running', []]);
    expect(timeless()).toEqual(before);
  });

  it('changes nothing while the next attempt is being created', () => {
    const run = draining().does('drain').receives(oneFailed(28)).does('createAttempt', 30);
    expect([run.state, run.context.digest]).toEqual(['Pending.Scheduling', undefined]);
  });

  it('leaves no timer and no trouble behind', () => {
    const policy = {
      progress: { log: 'step=(\\d+)', stalledAfterMs: 60_000 },
      failures: { startUpAfterMs: 60_000 },
      nodes: { lostAfterMs: 60_000, forceDeleteAfterMs: 60_000 },
    };
    const run = running(gangJob().policy(policy).deadline(600));
    run.receives(oneFailed(11).endangered({ index: 1, uid: 'u1', since: run.time }));
    expect(Object.keys(run.deadlines).sort()).toEqual(['activeDeadline', 'nodeLost']);
    run.captures();
    expect(Object.keys(run.deadlines).sort()).toEqual(['activeDeadline', 'forceDelete']);
    run.receives(oneFailed(12).endangered({ index: 1, uid: 'u1', since: run.time })).does('drain');
    expect(Object.keys(run.deadlines)).toEqual(['activeDeadline']);
    expect(run.context).toMatchObject({ trouble: undefined, lost: undefined, captured: undefined });
  });
});
