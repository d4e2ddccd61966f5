import { describe, expect, it } from '@jest/globals';
import { GRACE_FOR_SURVIVORS, oneFailed, running, withLadder } from '../three-pods.ts';

/** How long the pods that have not failed may take to end when the others restart. */

const gang = () => withLadder({ scope: 'gang' });

describe('pods that have not failed', () => {
  it('get two seconds, unless they ask for more, when their gang restarts', () => {
    const run = running(gang()).receives(oneFailed(11)).captures();
    expect(run.effects).toEqual([{ type: 'drain', attempt: 1, survivors: GRACE_FOR_SURVIVORS }]);
  });

  it('get them when their role restarts, and none restart with a single pod', () => {
    const role = running(withLadder({ scope: 'role' }))
      .receives(oneFailed(11))
      .captures();
    expect(role.effects).toMatchObject([{ type: 'restorePods', survivors: GRACE_FOR_SURVIVORS }]);
    const [pod] = running(withLadder({ scope: 'pod' }))
      .receives(oneFailed(11))
      .captures().effects;
    expect(pod).toMatchObject({ type: 'restorePods', survivors: undefined });
  });

  it('keep their own time beside a pod that was interrupted, which still answers', () => {
    const interrupted = oneFailed(11, { interruptedBy: 'deletion', reason: 'EvictionByEvictionAPI' });
    const run = running(gang()).receives(interrupted).captures();
    expect(run.effects).toEqual([{ type: 'drain', attempt: 1 }]);
  });

  it('keep their own time where the policy says how they save a checkpoint', () => {
    const plan = gang().policy({ checkpoint: { signal: 'SIGTERM', withinMs: 90_000 } });
    const run = running(plan).receives(oneFailed(11)).captures();
    expect(run.effects).toEqual([{ type: 'drain', attempt: 1 }]);
  });

  it('get what the policy says', () => {
    const plan = gang().policy({ restart: { survivorGraceMs: 20_500 } });
    const run = running(plan).receives(oneFailed(11)).captures();
    expect(run.effects).toEqual([{ type: 'drain', attempt: 1, survivors: { seconds: 21 } }]);
  });
});
