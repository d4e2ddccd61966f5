import { describe, expect, it } from '@jest/globals';
import { aDigest } from './builders.ts';
import { type ALife, allReady, oneFailed, running, startsAgain, withLadder } from './three-pods.ts';

const gang = () => withLadder({ scope: 'gang' });
const draining = () => running(gang()).hears(oneFailed(11)).captures();

describe('what is still told of the attempt before', () => {
  const second = () => startsAgain(draining(), 30);
  const late: readonly [says: string, tell: (life: ALife) => ALife][] = [
    ['failures', (life) => life.hears(oneFailed(40))],
    ['success', (life) => life.hears(aDigest(40).master({ succeeded: 1 }).workers({ succeeded: 2 }))],
    ['a whole gang that is gone', (life) => life.hears(aDigest(40))],
    ['progress', (life) => life.hears(allReady(40).progress('step=9', 9))],
    ['pods on a dead node', (life) => life.hears(allReady(40).endangered({ since: 1 }))],
    ['an older number of pods', (life) => life.hears(aDigest(29).attempt(0))],
  ];
  it.each(late)('changes nothing: %s', (_, tell) => {
    const life = second();
    const before = { ...life.context, at: 0 };
    tell(life);
    expect([life.state, life.effects]).toEqual(['Running', []]);
    expect({ ...life.context, at: 0 }).toEqual(before);
  });

  it('changes nothing while the next attempt is being created either', () => {
    const life = draining().does('drain').hears(oneFailed(28)).does('createAttempt', 30);
    expect([life.state, life.context.digest]).toEqual(['Pending.Scheduling', undefined]);
  });

  it('leaves no timer and no trouble behind', () => {
    const policy = {
      progress: { log: 'step=(\\d+)', stalledAfterMs: 60_000 },
      failures: { startUpAfterMs: 60_000 },
      nodes: { lostAfterMs: 60_000, forceDeleteAfterMs: 60_000 },
    };
    const life = running(gang().policy(policy).deadline(600));
    life.hears(oneFailed(11).endangered({ index: 1, uid: 'u1', since: life.time }));
    expect(Object.keys(life.deadlines).sort()).toEqual(['activeDeadline', 'nodeLost']);
    life.captures();
    expect(Object.keys(life.deadlines).sort()).toEqual(['activeDeadline', 'forceDelete']);
    life.hears(oneFailed(12).endangered({ index: 1, uid: 'u1', since: life.time })).does('drain');
    expect(Object.keys(life.deadlines)).toEqual(['activeDeadline']);
    expect(life.context).toMatchObject({ trouble: undefined, lost: undefined, captured: undefined });
  });
});
