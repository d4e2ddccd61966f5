import { describe, expect, it } from '@jest/globals';
import type { FailureRule } from '../../contracts/training-job.ts';
import { aDigest, aPlan } from './builders.ts';
import { aRun } from './machine-run.ts';

const rule = 'spec.kind: says so';
const jobWith = (onFailure: FailureRule) =>
  aRun(aPlan().master('Never').workersWith(2, { restartPolicy: 'OnFailure', onFailure })).does(
    'createAttempt',
    10,
  );
const oneFailed = (reason = 'Error') =>
  aDigest(11).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure({ reason });

describe('the failure rule of a kind takes precedence over the restart policy', () => {
  it('`fail` ends the job, and names the rule', () => {
    const run = jobWith({ do: 'fail', rule }).receives(oneFailed());
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed', rule } });
  });

  it('`replace` recreates the pod', () => {
    const run = jobWith({ do: 'replace', rule }).receives(oneFailed());
    expect(run.effects).toMatchObject([{ type: 'restorePods', replace: [{ pod: 'resnet-worker-0' }] }]);
  });

  it('`ignore` lets the job run, and counts the failed pod', () => {
    const run = jobWith({ do: 'ignore', rule }).receives(oneFailed());
    expect(run.state).toBe('Running');
    expect(run.effects).toEqual([]);
    expect(run.status.replicaStatuses.Worker).toMatchObject({ active: 1, failed: 1 });
  });

  it('`ignore` still recreates a missing pod', () => {
    const run = jobWith({ do: 'ignore', rule }).receives(
      aDigest(11).master({ ready: 1 }).workers({ ready: 1 }),
    );
    expect(run.effects).toMatchObject([{ type: 'restorePods', replace: [] }]);
  });

  it('`ignore` lets the job run when all of the pods have failed', () => {
    const all = aDigest(11).master({ ready: 1 }).workers({ failed: 2 }).failure().failure({ index: 1 });
    expect(jobWith({ do: 'ignore', rule }).receives(all).status.phase).toBe('Running');
  });

  it('`ignore` fails the job when no pod of the role is left, if the kind says so', () => {
    const plan = aPlan()
      .workersWith(2, { onFailure: { do: 'ignore', rule, lastFails: true } })
      .decidedByFirst();
    const run = aRun(plan).does('createAttempt', 10);
    run.receives(aDigest(11).workers({ ready: 1, failed: 1 }).failure());
    expect(run.status.phase).toBe('Running');
    run.receives(aDigest(12).workers({ succeeded: 1, failed: 1 }, '1').failure());
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed', rule } });
  });

  it('an eviction can be final with `ignore`', () => {
    const run = jobWith({ do: 'ignore', rule, evictedFails: true }).receives(oneFailed('Evicted'));
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'PodEvicted', rule } });
  });
});

describe('a kind’s own message for a failure', () => {
  const failed = { PodFailed: { reason: 'TFJobFailed', message: '%n %r replica(s) failed.' } };

  it('is in the condition, with the number of pods and their role', () => {
    const run = aRun(aPlan().workers(2, 'Never').failing(failed)).does('createAttempt', 10);
    run.receives(aDigest(11).workers({ ready: 1, failed: 1 }).failure());
    expect(run.status.conditions.at(-1)).toMatchObject({
      type: 'Failed',
      reason: 'TFJobFailed',
      message: '1 Worker replica(s) failed.',
    });
  });
});
