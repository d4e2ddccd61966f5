import { describe, expect, it } from '@jest/globals';
import { rootErrorOf } from '../../../machines/failures/root-error.ts';
import { aDigest, aPlan, someEvidence } from '../builders.ts';
import { draining, oneFailed, running, startsAgain } from '../three-pods.ts';

const at = (seconds: number) => new Date(1_767_225_600_000 + seconds * 1000).toISOString();
const rank = (index: number, errorLine: string, signature: string | undefined, seconds: number) =>
  someEvidence({
    index,
    uid: `u${index}`,
    errorLine,
    signature,
    failedAt: at(seconds),
    node: `gpu-${index}`,
  });

const PEER = ['Connection closed by peer', 'PeerEnded'] as const;
const OOM = 'CUDA out of memory. Tried to allocate';

describe('of all ranks', () => {
  it('the earliest counts that does not only follow from another', () => {
    const found = rootErrorOf([
      rank(0, ...PEER, 3),
      rank(1, 'ValueError: x', undefined, 5),
      rank(2, `${OOM} 2 GiB`, 'GpuOutOfMemory', 4),
    ]);
    expect(found?.error).toEqual({
      ...{ line: `${OOM} 2 GiB`, pod: 'resnet-worker-2', node: 'gpu-2', pods: 1 },
      ...{ signature: 'GpuOutOfMemory', class: 'memory' },
      means: 'The GPU has too little memory for what the program asks of it.',
    });
  });

  it('the same text is one fact', () => {
    const found = rootErrorOf(
      [0, 1, 2].map((index) => rank(index, `${OOM} ${index} GiB`, 'GpuOutOfMemory', 4)),
    );
    expect(found?.error).toMatchObject({ pod: 'resnet-worker-0', pods: 3 });
  });

  it('one that was told to stop says nothing', () => {
    expect(rootErrorOf([{ ...rank(0, 'ValueError: x', undefined, 1), reason: 'Deleted' }])).toBeUndefined();
    expect(rootErrorOf([someEvidence({ uid: 'u1' })])).toBeUndefined();
  });

  it('what follows from another is better than nothing', () => {
    expect(rootErrorOf([rank(0, ...PEER, 3)])?.error).toMatchObject({ class: 'cascade' });
  });
});

const never = aPlan().master('Never').workers(2, 'Never');
const evidence = [someEvidence({ uid: 'u0', errorLine: 'ValueError: x', exitCode: 1 })];

describe('the status of a failed job', () => {
  const failing = () => running(never).receives(oneFailed(11, { uid: 'u0' }));

  it('says what its logs say, as soon as evidence is taken', () => {
    const run = failing();
    expect(run.status.cause).not.toHaveProperty('error');
    run.does('capture', { evidence });
    expect(run.status.cause?.error).toEqual({ line: 'ValueError: x', pod: 'resnet-worker-0', pods: 1 });
    expect(run.entry?.decided?.error?.line).toBe('ValueError: x');
    expect(run.entry?.pods).toMatchObject([{ errorLine: 'ValueError: x' }]);
    expect(run.does('cleanUp').status.cause?.error?.line).toBe('ValueError: x');
  });

  it('does not take the word of a pod that was replaced before', () => {
    const run = running()
      .receives(oneFailed(11, { uid: 'u0' }))
      .does('capture', { evidence });
    expect(run.status.cause).not.toHaveProperty('error');
    run.stop();
    expect(run.status.cause).not.toHaveProperty('error');
  });

  it('learns the root from evidence that comes later', () => {
    const run = failing().does('capture', {
      evidence: [someEvidence({ uid: 'u0', errorLine: PEER[0], signature: PEER[1] })],
    });
    expect(run.status.cause?.error?.class).toBe('cascade');
    run.does('cleanUp', { evidence: [someEvidence({ uid: 'u1', index: 1, errorLine: 'ValueError: x' })] });
    expect(run.status.cause?.error?.line).toBe('ValueError: x');
  });
});

describe('a job that fails again and again alike', () => {
  it('is told what that points to, from the second failure on if it made no progress', () => {
    const like = (uid: string, node: string) => [
      someEvidence({
        ...{ uid, node, errorLine: `${OOM} 2 GiB`, signature: 'GpuOutOfMemory', step: 500, exitCode: 1 },
      }),
    ];
    const first = draining();
    expect(first.status).not.toHaveProperty('advice');
    const run = startsAgain(first, 20);
    run.receives(oneFailed(21, { uid: 'v0' }, 2));
    run.does('capture', { evidence: like('v0', 'gpu-1').map((one) => ({ ...one, attempt: 2 })) });
    run.does('drain').backsOff();
    run.does('createAttempt', 30).receives(aDigest(30).attempt(3).master({ ready: 1 }).workers({ ready: 2 }));
    run.receives(oneFailed(31, { uid: 'w0' }, 3));
    run.does('capture', { evidence: like('w0', 'gpu-2').map((one) => ({ ...one, attempt: 3 })) });
    expect(run.status.advice).toMatchObject({ blames: 'program', failures: 2, nodes: ['gpu-1', 'gpu-2'] });
    expect(run.status.advice?.sentence).toMatch(/^The last 2 attempts ended alike, .* on 2 nodes/);
  });
});
