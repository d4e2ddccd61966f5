import { describe, expect, it } from '@jest/globals';
import { START } from '../machine-run.ts';
import { allPlaced, allReady, running, threePods } from '../three-pods.ts';

const NotReady = { node: 'gpu-7', trouble: 'NotReady', since: START } as const;
const two = (revision: number) =>
  allPlaced(revision)
    .endangered({ index: 0, ...NotReady })
    .endangered({ index: 1, uid: 'u1', ...NotReady });

describe('a node that is not ready', () => {
  it('is the cause of waiting, without any policy', () => {
    const run = running().receives(two(11));
    expect(run.status).toMatchObject({
      phase: 'Starting',
      cause: {
        reason: 'NodeNotReady',
        message: 'node gpu-7 is not ready since 2026-01-01T00:00:00Z; 2 pods run there, e.g. resnet-worker-0',
        node: 'gpu-7',
        pod: 'resnet-worker-0',
      },
    });
    expect(run.lastCause).toBe(
      'every pod has a node; 0 of 3 are ready; node gpu-7 is not ready since 2026-01-01T00:00:00Z; 2 pods run there, e.g. resnet-worker-0',
    );
    expect(run.receives(allReady(12)).status.cause).toBeUndefined();
  });

  it('is shown with the loss of its pods, if the policy says so', () => {
    const run = running(threePods().policy({ nodes: { lostAfterMs: 60_000 } })).receives(two(11));
    expect(run.status.cause?.message).toContain('; its pods count as lost at 2026-01-01T00:01:00Z');
  });

  it('is the one with the most pods, if several are', () => {
    const digest = two(11).endangered({
      index: 2,
      uid: 'u2',
      ...NotReady,
      node: 'gpu-1',
      trouble: 'OutOfService',
    });
    expect(running().receives(digest).status.cause?.message).toBe(
      'node gpu-7 is not ready since 2026-01-01T00:00:00Z; 2 pods run there, e.g. resnet-worker-0, and 1 more node has problems',
    );
  });

  it('is not the cause if it is only cordoned', () => {
    const run = running().receives(allPlaced(11).endangered({ node: 'gpu-7', trouble: 'Cordoned' }));
    expect(run.status.cause?.reason).toBe('ContainersNotReady');
  });
});
