import { describe, expect, it } from '@jest/globals';
import type { FailureRule, Reaction } from '../../contracts/training-job.ts';
import { aDigest, aPlan } from './builders.ts';
import { aRun, aRunWithEvidence } from './machine-run.ts';

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

/** What follows from events of workers, by rules of the manifest. */
const planBy = (...reactions: readonly Reaction[]) =>
  aPlan().master('Never').workersWith(2, { restartPolicy: 'Never', reactions });
const jobBy = (...reactions: readonly Reaction[]) => aRun(planBy(...reactions)).does('createAttempt', 10);
const examined = (reaction: Reaction) =>
  aRunWithEvidence(planBy(reaction)).does('createAttempt', 10).receives(oneFailed());
const by = (on: Reaction['on'], does: Reaction['do'], exitCode?: number): Reaction => ({
  on,
  do: does,
  exitCode,
  rule,
});

describe('a rule of the manifest for an event', () => {
  it.each([
    ['restartPod', { type: 'restorePods', replace: [{ pod: 'resnet-worker-0' }] }],
    ['restartRole', { type: 'restorePods', restartRoles: ['worker'] }],
    ['restartGang', { type: 'drain' }],
  ] as const)('%s', (does, effect) => {
    const run = jobBy(by('failed', does)).receives(oneFailed());
    expect(run.effects).toMatchObject([effect]);
  });

  it('that suspends the job takes evidence first', () => {
    const run = examined(by('failed', 'suspend'));
    expect(run.state).toBe('Restarting.Capturing');
    run.captures();
    expect(run.effects).toMatchObject([{ type: 'suspend' }]);
    expect(run.status).toMatchObject({ phase: 'Suspended', cause: { reason: 'Suspended', rule } });
  });

  it('that stops the job takes evidence first', () => {
    const run = examined(by('failed', 'stop'));
    expect(run.effects).toMatchObject([{ type: 'capture' }]);
    expect(run.captures().status).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'StoppedByRule', rule },
    });
  });

  it('completes the job', () => {
    const run = jobBy(by('succeeded', 'complete'));
    expect(run.receives(aDigest(11).master({ ready: 1 }).workers({ succeeded: 2 })).status.phase).toBe(
      'Completed',
    );
  });

  it('holds only for its exit code; the first that fits is taken', () => {
    const rules = [by('failed', 'stop', 3), by('failed', 'ignore')];
    expect(jobBy(...rules).receives(oneFailed()).status.phase).toBe('Running');
    const other = aDigest(11).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure({ exitCode: 3 });
    expect(jobBy(...rules).receives(other).status.phase).toBe('Stopped');
  });

  it('lets a missing pod come back at no cost, or restarts the gang for it', () => {
    const gone = aDigest(11).master({ ready: 1 }).workers({ ready: 1 });
    const free = jobBy(by('gone', 'replace')).receives(gone);
    expect(free.effects).toMatchObject([{ type: 'restorePods' }]);
    expect(free.status.restarts).toBe(0);
    const strict = jobBy(by('gone', 'restartGang')).receives(gone);
    expect(strict.effects).toMatchObject([{ type: 'drain' }]);
    expect(strict.status.restarts).toBe(1);
  });

  it('does not hold for pods that the job itself deletes', () => {
    const run = jobBy(by('failed', 'restartGang'), by('gone', 'stop')).receives(oneFailed());
    expect(run.state).toBe('Restarting.Draining');
    const told = aDigest(20).workers({ failed: 1, terminating: 1 }).failure();
    run.receives(told.failure({ index: 1, interruptedBy: 'deletion', reason: 'Deleted' }));
    expect(run.state).toBe('Restarting.Draining');
    expect(run.does('drain', 30).status.attempt).toBe(2);
  });

  it('comes after a class of the policy', () => {
    const failures = { rules: [], classes: { userCode: { final: true } } };
    const plan = planBy(by('failed', 'ignore')).policy({ failures });
    const failed = aDigest(11).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure({ exitCode: 1 });
    const run = aRun(plan).does('createAttempt', 10).receives(failed);
    expect(run.status.cause?.reason).toBe('FinalFailure');
  });
});

describe('roles that decide together', () => {
  const success = { atEnd: 2, ofEachRole: false, rule };
  const run = () => {
    const reactions = [by('failed', 'ignore')];
    const plan = aPlan().workersWith(3, { restartPolicy: 'Never', reactions }).decidedBy(success);
    return aRun(plan).does('createAttempt', 10);
  };

  it('let the job run while a pod does', () => {
    const two = aDigest(11).workers({ succeeded: 2, ready: 1 });
    expect(run().receives(two).status.phase).toBe('Running');
  });

  it('complete it when all pods have ended and enough have succeeded', () => {
    const all = aDigest(11).workers({ succeeded: 2, failed: 1 }).failure({ index: 2 });
    expect(run().receives(all).status.phase).toBe('Completed');
  });

  it('fail it when too few have', () => {
    const all = aDigest(11).workers({ succeeded: 1, failed: 2 }).failure({ index: 1 }).failure({ index: 2 });
    expect(run().receives(all).status).toMatchObject({
      phase: 'Failed',
      cause: { reason: 'PodFailed', rule },
    });
  });
});
