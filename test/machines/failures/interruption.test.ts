import { describe, expect, it } from '@jest/globals';
import type { PodFailure } from '../../../contracts/digest.ts';
import type { JobRestartPolicy } from '../../../contracts/training-job.ts';
import { aDigest, aPlan, type DigestBuilder, type PlanBuilder } from '../builders.ts';
import { allReady, running, threePods, withLadder } from '../three-pods.ts';

/** Pods that were told to stop: they have neither succeeded nor failed by their own doing. */

const EVICTED = {
  node: 'gpu-7',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
  interruptedBy: 'deletion',
} as const;

/** The same loss, as a watcher tells it that sees the pod end, that sees it only go, or that was not there. */
const WAYS: readonly [says: string, (revision: number, failure?: Partial<PodFailure>) => DigestBuilder][] = [
  [
    'while it is still there',
    (revision, failure) =>
      aDigest(revision)
        .master({ ready: 1 })
        .workers({ ready: 1, failed: 1 })
        .failure({ ...EVICTED, ...failure }),
  ],
  [
    'when it is gone',
    (revision, failure) =>
      aDigest(revision)
        .master({ ready: 1 })
        .workers({ ready: 1 })
        .vanished({ ...EVICTED, ...failure }),
  ],
  ['when nobody saw it', (revision) => aDigest(revision).master({ ready: 1 }).workers({ ready: 1 })],
];

const POLICIES: readonly JobRestartPolicy[] = ['Never', 'OnFailure', 'Always', 'ExitCode'];
const CODES = [0, 1, 42, 137, 143, undefined];

/** Through the evidence, if there is any to take, to the pod that is made again. */
function replaces(plan: PlanBuilder, digest: DigestBuilder) {
  const life = running(plan).hears(digest);
  return life.state === 'Restarting.Capturing' ? life.captures() : life;
}

describe.each(WAYS)('a worker that was told to stop, told %s', (_, lost) => {
  it.each(POLICIES)('is made again at once with restartPolicy %s, whatever its exit code', (policy) => {
    for (const exitCode of CODES) {
      const life = replaces(aPlan().master(policy).workers(2, policy), lost(20, { exitCode }));
      expect(life.state).toBe('Restarting.Replacing');
      life.does('restorePods', 30).hears(allReady(30));
      expect(life.status).toMatchObject({ phase: 'Running', attempt: 1, restarts: 1 });
    }
  });

  it('comes back at once however often it is told to', () => {
    const life = running();
    for (const revision of [20, 30, 40]) {
      life.hears(lost(revision));
      if (life.state === 'Restarting.Capturing') life.captures();
      expect(life.state).toBe('Restarting.Replacing');
      life.does('restorePods', revision + 5).hears(allReady(revision + 5));
    }
    expect(life.status.restarts).toBe(3);
  });

  it('counts against backoffLimit', () => {
    const life = replaces(threePods().backoffLimit(0), lost(20));
    expect(life.status).toMatchObject({ phase: 'Failed', cause: { reason: 'BackoffLimitExceeded' } });
  });

  it('costs nothing where the infrastructure is free', () => {
    const failures = { classes: { infrastructure: { free: true } } };
    const life = replaces(threePods().backoffLimit(0).policy({ failures }), lost(20));
    expect(life.does('restorePods', 30).hears(allReady(30)).status.phase).toBe('Running');
  });

  it('is charged to the budget of the infrastructure', () => {
    const failures = { classes: { infrastructure: { budget: 1 } } };
    const life = replaces(threePods().policy({ failures }), lost(20));
    life.does('restorePods', 30).hears(allReady(30)).hears(lost(40));
    if (life.state === 'Restarting.Capturing' || life.state === 'Finishing.Capturing') life.captures();
    expect(life.status).toMatchObject({ phase: 'Failed', cause: { reason: 'FailureBudgetExceeded' } });
  });

  it('takes its gang with it once', () => {
    const life = replaces(withLadder({ scope: 'gang' }), lost(20));
    expect(life.state).toBe('Restarting.Draining');
    life.does('drain').does('createAttempt', 30).hears(allReady(30, 2));
    expect(life.status).toMatchObject({ phase: 'Running', attempt: 2, restarts: 1 });
  });

  it('is not held for anybody to look at', () => {
    const life = replaces(threePods().policy({ holdOnFailureMs: 60_000 }), lost(20));
    expect(life.state).toBe('Restarting.Replacing');
  });
});

describe('what is said of a pod that was told to stop', () => {
  const says = 'resnet-worker-0 on node gpu-7 was evicted (EvictionByEvictionAPI: Eviction API: evicting)';
  it.each(WAYS.slice(0, 2))('is who did it, told %s', (_, lost) => {
    const life = replaces(threePods(), lost(20, { exitCode: 0 }));
    expect(life.lastWord).toBe(`${says}; exit code 0`);
  });

  it('is that no exit code was recorded, where it did not', () => {
    const deleted = { reason: 'Deleted', message: undefined, node: undefined };
    const life = replaces(threePods(), WAYS[1]![1](20, deleted));
    expect(life.lastWord).toBe('resnet-worker-0 was deleted (Deleted); no exit code was recorded');
  });

  it('is said when the job fails of it', () => {
    const life = replaces(threePods().backoffLimit(0), WAYS[1]![1](20, { exitCode: 143, signal: 15 }));
    expect(life.status.cause).toMatchObject({ pod: 'resnet-worker-0', node: 'gpu-7', exitCode: 143 });
    expect(life.status.cause?.message).toContain(`${says}; exit code 143, signal 15`);
  });
});

it('the master is not taken for one that has succeeded', () => {
  const plan = aPlan().master('Never').workers(2, 'Never');
  const life = replaces(
    plan,
    aDigest(20)
      .master({ failed: 1 })
      .workers({ ready: 2 })
      .failure({ ...EVICTED, role: 'master', exitCode: 0 }),
  );
  expect(life.state).toBe('Restarting.Replacing');
  expect(life.effects).toEqual([
    expect.objectContaining({
      type: 'restorePods',
      replace: [{ pod: 'resnet-master-0', uid: 'resnet-master-0-1' }],
    }),
  ]);
});

it('a failure by its own doing decides, though the pod is gone', () => {
  const life = running(aPlan().master('Never').workers(2, 'Never')).hears(
    aDigest(20).master({ ready: 1 }).workers({ ready: 1 }).vanished({ exitCode: 1 }),
  );
  expect(life.status).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed', exitCode: 1 } });
});

it('what vanished as one too many is not missed', () => {
  const life = running().hears(
    allReady(20)
      .vanished({ ...EVICTED, index: 2 })
      .vanished({ ...EVICTED, index: 1 }),
  );
  expect(life.state).toBe('Running');
});

it('a deletion blames no node, an eviction does', () => {
  const avoiding = () => threePods().policy({ nodes: { avoidForMs: 60_000 } });
  const lost = WAYS[0]![1];
  expect(replaces(avoiding(), lost(20, { reason: 'Deleted' })).status.avoided).toBeUndefined();
  expect(Object.keys(replaces(avoiding(), lost(20)).status.avoided ?? {})).toEqual(['gpu-7']);
});

describe('of a role whose failures are ignored', () => {
  const plan = (more = {}) =>
    aPlan()
      .master()
      .workersWith(2, { onFailure: { do: 'ignore', rule: 'spec.kind', ...more } });

  it.each(WAYS)('a pod that was told to stop is made again at no cost, told %s', (_, lost) => {
    const life = replaces(plan().backoffLimit(0), lost(20));
    expect(life.state).toBe('Restarting.Replacing');
    expect(life.does('restorePods', 30).hears(allReady(30)).status).toMatchObject({
      phase: 'Running',
      restarts: 0,
    });
  });

  it('the last one has not failed by being told to stop', () => {
    const life = running(plan({ lastFails: true })).hears(
      aDigest(20)
        .master({ ready: 1 })
        .workers({ failed: 2 })
        .failure({ exitCode: 1 })
        .failure({ ...EVICTED, index: 1 }),
    );
    expect(life.status.phase).toBe('Restarting');
  });
});
