import { describe, expect, it } from '@jest/globals';
import { assess } from '../../../machines/assess/assess.ts';
import { aDigest, aPlan, type DigestBuilder } from '../builders.ts';
import { threePods } from '../three-pods.ts';

describe('what a digest means', () => {
  const table: readonly [says: string, digest: () => DigestBuilder, verdict: string][] = [
    [
      'a pod without a node means scheduling',
      () => of({ ready: 1 }, { scheduled: 1, unscheduled: 1 }),
      'scheduling',
    ],
    [
      'nodes for all, but not ready, means starting',
      () => of({ ready: 1 }, { ready: 1, scheduled: 1 }),
      'starting',
    ],
    [
      'a pod that is leaving means starting',
      () => of({ ready: 1 }, { ready: 1, terminating: 1 }),
      'starting',
    ],
    ['all ready means running', () => of({ ready: 1 }, { ready: 2 }), 'running'],
    [
      'workers that finished before the master mean running',
      () => of({ ready: 1 }, { succeeded: 2 }),
      'running',
    ],
    ['a missing pod means broken', () => of({ ready: 1 }, { ready: 1 }), 'broken'],
    ['no pods at all mean broken', () => aDigest().attempt(0), 'broken'],
    [
      'a failed pod that may run again means broken',
      () => of({ ready: 1 }, { ready: 1, failed: 1 }).failure(),
      'broken',
    ],
    ['the master’s success is the job’s', () => of({ succeeded: 1 }, { ready: 2 }), 'succeeded'],
    [
      'the master’s success outweighs a worker’s failure',
      () => of({ succeeded: 1 }, { ready: 1, failed: 1 }).failure(),
      'succeeded',
    ],
    ['a deleted anchor means stopped', () => of({ ready: 1 }, { ready: 2 }).withoutAnchor(), 'stopped'],
    ['a deleted anchor outweighs success', () => of({ succeeded: 1 }, {}).withoutAnchor(), 'stopped'],
  ];
  it.each(table)('%s', (_, digest, verdict) => {
    const context = { ...threePods().context(digest()), succeededIndices: doneOf(digest()) };
    expect(assess(context).is).toBe(verdict);
  });

  it('is undecided before the first digest', () => {
    expect(assess(threePods().context())).toEqual({ is: 'undecided' });
  });

  it('is undecided while the digest is older than the last change', () => {
    const context = { ...threePods().context(of({ ready: 1 }, { ready: 2 })), minResourceVersion: 2 };
    expect(assess(context)).toEqual({ is: 'undecided' });
    expect(assess({ ...context, minResourceVersion: 1 })).toEqual({ is: 'running' });
  });

  it('includes a deleted anchor, also without a newer digest', () => {
    const context = { ...threePods().context(aDigest().withoutAnchor()), minResourceVersion: 9 };
    expect(assess(context).is).toBe('stopped');
  });

  it('names the pods to replace, and counts the restarts with those of missing pods', () => {
    const plan = aPlan().master().workers(4);
    const context = plan.context(of({ ready: 1 }, { ready: 1, failed: 1 }).failure({ index: 2, uid: 'u2' }));
    expect(assess(context)).toMatchObject({
      is: 'broken',
      replace: [{ pod: 'resnet-worker-2', uid: 'u2' }],
      restarts: 3,
    });
  });

  it('does not count the pods of a role whose failures are ignored', () => {
    const plan = aPlan()
      .master()
      .workersWith(3, { onFailure: { do: 'ignore', rule: 'spec.kind' } });
    const context = plan.context(of({ ready: 1 }, { ready: 1, failed: 1 }).failure());
    expect(assess(context)).toMatchObject({ is: 'broken', replace: [], restarts: 0 });
  });

  it('does not count a replica as missing that has succeeded and whose pod is gone', () => {
    const context = {
      ...aPlan()
        .workers(2)
        .context(aDigest().workers({ ready: 1 })),
      succeededIndices: { worker: '0' },
    };
    expect(assess(context)).toEqual({ is: 'running' });
  });

  it('fails by the first final failure, even if other pods could be replaced', () => {
    const plan = aPlan().master('OnFailure').workers(2, 'Never');
    const digest = aDigest()
      .master({ failed: 1 })
      .workers({ ready: 1, failed: 1 })
      .failure({ role: 'master' })
      .failure({ index: 1, exitCode: 1 });
    expect(assess(plan.context(digest))).toMatchObject({
      is: 'failed',
      cause: { reason: 'PodFailed', pod: 'resnet-worker-1', exitCode: 1 },
    });
  });
});

const of = (
  master: Parameters<DigestBuilder['master']>[0],
  workers: Parameters<DigestBuilder['workers']>[0],
) => aDigest().master(master).workers(workers);

const doneOf = (digest: DigestBuilder) =>
  Object.fromEntries(
    Object.entries(digest.build().roles).map(([role, { succeededIndices }]) => [role, succeededIndices]),
  );
