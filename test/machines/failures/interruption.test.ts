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
const WAYS: readonly [
  says: string,
  (resourceVersion: number, failure?: Partial<PodFailure>) => DigestBuilder,
][] = [
  [
    'while it is still there',
    (resourceVersion, failure) =>
      aDigest(resourceVersion)
        .master({ ready: 1 })
        .workers({ ready: 1, failed: 1 })
        .failure({ ...EVICTED, ...failure }),
  ],
  [
    'when it is gone',
    (resourceVersion, failure) =>
      aDigest(resourceVersion)
        .master({ ready: 1 })
        .workers({ ready: 1 })
        .vanished({ ...EVICTED, ...failure }),
  ],
  [
    'when nobody saw it',
    (resourceVersion) => aDigest(resourceVersion).master({ ready: 1 }).workers({ ready: 1 }),
  ],
];

const POLICIES: readonly JobRestartPolicy[] = ['Never', 'OnFailure', 'Always', 'ExitCode'];
const CODES = [0, 1, 42, 137, 143, undefined];

/** Through the evidence, if there is any to take, to the pod that is made again. */
function replaces(plan: PlanBuilder, digest: DigestBuilder) {
  const run = running(plan).receives(digest);
  return run.state === 'Restarting.Capturing' ? run.captures() : run;
}

describe.each(WAYS)('a worker that was interrupted, reported %s', (_, lost) => {
  it.each(POLICIES)('is replaced at once with restartPolicy %s, whatever its exit code', (policy) => {
    for (const exitCode of CODES) {
      const run = replaces(aPlan().master(policy).workers(2, policy), lost(20, { exitCode }));
      expect(run.state).toBe('Restarting.Replacing');
      run.does('restorePods', 30).receives(allReady(30));
      expect(run.status).toMatchObject({ phase: 'Running', attempt: 1, restarts: 1 });
    }
  });

  it('is replaced at once each time', () => {
    const run = running();
    for (const resourceVersion of [20, 30, 40]) {
      run.receives(lost(resourceVersion));
      if (run.state === 'Restarting.Capturing') run.captures();
      expect(run.state).toBe('Restarting.Replacing');
      run.does('restorePods', resourceVersion + 5).receives(allReady(resourceVersion + 5));
    }
    expect(run.status.restarts).toBe(3);
  });

  it('counts against backoffLimit', () => {
    const run = replaces(threePods().backoffLimit(0), lost(20));
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'BackoffLimitExceeded' } });
  });

  it('costs nothing where the infrastructure is free', () => {
    const failures = { classes: { infrastructure: { free: true } } };
    const run = replaces(threePods().backoffLimit(0).policy({ failures }), lost(20));
    expect(run.does('restorePods', 30).receives(allReady(30)).status.phase).toBe('Running');
  });

  it('is charged to the budget of infrastructure', () => {
    const failures = { classes: { infrastructure: { budget: 1 } } };
    const run = replaces(threePods().policy({ failures }), lost(20));
    run.does('restorePods', 30).receives(allReady(30)).receives(lost(40));
    if (run.state === 'Restarting.Capturing' || run.state === 'Finishing.Capturing') run.captures();
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'FailureBudgetExceeded' } });
  });

  it('restarts its gang once', () => {
    const run = replaces(withLadder({ scope: 'gang' }), lost(20));
    expect(run.state).toBe('Restarting.Draining');
    run.does('drain').does('createAttempt', 30).receives(allReady(30, 2));
    expect(run.status).toMatchObject({ phase: 'Running', attempt: 2, restarts: 1 });
  });

  it('is not held for inspection', () => {
    const run = replaces(threePods().policy({ holdOnFailureMs: 60_000 }), lost(20));
    expect(run.state).toBe('Restarting.Replacing');
  });
});

describe('the message about an interrupted pod', () => {
  const says = 'resnet-worker-0 on node gpu-7 was evicted (EvictionByEvictionAPI: Eviction API: evicting)';
  it.each(WAYS.slice(0, 2))('says who interrupted it, reported %s', (_, lost) => {
    const run = replaces(threePods(), lost(20, { exitCode: 0 }));
    expect(run.lastCause).toBe(`${says}; exit code 0`);
  });

  it('says that no exit code was recorded, if there was none', () => {
    const deleted = { reason: 'Deleted', message: undefined, node: undefined };
    const run = replaces(threePods(), WAYS[1]![1](20, deleted));
    expect(run.lastCause).toBe('resnet-worker-0 was deleted (Deleted); no exit code was recorded');
  });

  it('is the cause when the job fails of it', () => {
    const run = replaces(threePods().backoffLimit(0), WAYS[1]![1](20, { exitCode: 143, signal: 15 }));
    expect(run.status.cause).toMatchObject({ pod: 'resnet-worker-0', node: 'gpu-7', exitCode: 143 });
    expect(run.status.cause?.message).toContain(`${says}; exit code 143, signal 15`);
  });
});

it('an interrupted master does not count as succeeded', () => {
  const plan = aPlan().master('Never').workers(2, 'Never');
  const run = replaces(
    plan,
    aDigest(20)
      .master({ failed: 1 })
      .workers({ ready: 2 })
      .failure({ ...EVICTED, role: 'master', exitCode: 0 }),
  );
  expect(run.state).toBe('Restarting.Replacing');
  expect(run.effects).toEqual([
    expect.objectContaining({
      type: 'restorePods',
      replace: [{ pod: 'resnet-master-0', uid: 'resnet-master-0-1' }],
    }),
  ]);
});

it('a failure of its own decides, though the pod is gone', () => {
  const run = running(aPlan().master('Never').workers(2, 'Never')).receives(
    aDigest(20).master({ ready: 1 }).workers({ ready: 1 }).vanished({ exitCode: 1 }),
  );
  expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed', exitCode: 1 } });
});

it('a deleted surplus pod is not missing', () => {
  const run = running().receives(
    allReady(20)
      .vanished({ ...EVICTED, index: 2 })
      .vanished({ ...EVICTED, index: 1 }),
  );
  expect(run.state).toBe('Running');
});

it('a deletion does not make a node suspicious, but an eviction does', () => {
  const avoiding = () => threePods().policy({ nodes: { avoidForMs: 60_000 } });
  const lost = WAYS[0]![1];
  expect(replaces(avoiding(), lost(20, { reason: 'Deleted' })).status.avoided).toBeUndefined();
  expect(Object.keys(replaces(avoiding(), lost(20)).status.avoided ?? {})).toEqual(['gpu-7']);
});

describe('in a role whose failures are ignored', () => {
  const plan = (more = {}) =>
    aPlan()
      .master()
      .workersWith(2, { onFailure: { do: 'ignore', rule: 'spec.kind', ...more } });

  it.each(WAYS)('an interrupted pod is replaced at no cost, reported %s', (_, lost) => {
    const run = replaces(plan().backoffLimit(0), lost(20));
    expect(run.state).toBe('Restarting.Replacing');
    expect(run.does('restorePods', 30).receives(allReady(30)).status).toMatchObject({
      phase: 'Running',
      restarts: 0,
    });
  });

  it('the last pod has not failed when it is interrupted', () => {
    const run = running(plan({ lastFails: true })).receives(
      aDigest(20)
        .master({ ready: 1 })
        .workers({ failed: 2 })
        .failure({ exitCode: 1 })
        .failure({ ...EVICTED, index: 1 }),
    );
    expect(run.status.phase).toBe('Restarting');
  });
});
