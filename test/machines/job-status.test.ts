import { describe, expect, it } from '@jest/globals';
import type { CleanPodPolicy } from '../../contracts/training-job.ts';
import { aDigest, aPlan } from './builders.ts';
import { aRun } from './machine-run.ts';
import { threePods } from './three-pods.ts';

const selectors = {
  Master: 'training.kubeflow.org/replica-type=master',
  Worker: 'training.kubeflow.org/replica-type=worker',
};
const created = () => aRun(threePods()).does('createAttempt');

describe('the status of a job', () => {
  it('has the name and the state of the job', () => {
    expect(aRun(aPlan().workers(1)).status).toMatchObject({
      kind: 'PyTorchJob',
      name: 'resnet',
      namespace: 'ml',
      phase: 'Pending',
      state: 'Pending.Creating',
      attempt: 1,
      restarts: 0,
      warnings: [],
    });
  });

  it('has what the API server warned of, once, at most 20, also in a new run of its workflow', () => {
    const run = aRun(aPlan().master().workers(2)).does('createAttempt', { warnings: ['a', 'b'] });
    expect(run.status.warnings).toEqual(['a', 'b']);
    run.receives(aDigest(1).master({ failed: 1 }).workers({ ready: 2 }).failure());
    const many = Array.from({ length: 30 }, (_, index) => `warning ${index}`);
    run.does('drain', 2).does('createAttempt', { warnings: ['b', ...many] });
    expect(run.status.warnings.slice(0, 3)).toEqual(['a', 'b', 'warning 0']);
    expect(run.status.warnings).toHaveLength(20);
    expect(run.continueAsNew().status.warnings).toEqual(run.status.warnings);
  });

  it('shows the outcome as the phase during the clean-up', () => {
    const run = created().stop();
    expect([run.status.phase, run.state]).toEqual(['Stopped', 'Finishing.CleaningUp']);
    run.does('cleanUp');
    expect([run.status.phase, run.state]).toEqual(['Stopped', 'Stopped']);
  });

  it('counts restarts in place and replacements together', () => {
    const run = created().receives(
      aDigest(1).master({ ready: 1 }).workers({ ready: 1, failed: 1 }).failure().restarts(2),
    );
    expect(run.status.restarts).toBe(3);
  });

  it('counts pods by role, and leaves out zeros', () => {
    const run = created().receives(aDigest(1).master({ ready: 1 }).workers({ scheduled: 1, unscheduled: 1 }));
    expect(run.status.replicaStatuses).toEqual({
      Master: { active: 1, selector: selectors.Master },
      Worker: { active: 1, selector: selectors.Worker },
    });
  });

  it('counts active replicas as succeeded once the job has succeeded', () => {
    const run = created().receives(aDigest(1).master({ succeeded: 1 }).workers({ ready: 2 }));
    expect(run.status.replicaStatuses).toEqual({
      Master: { succeeded: 1, selector: selectors.Master },
      Worker: { succeeded: 2, selector: selectors.Worker },
    });
  });

  it('says how many of them the clean-up ended, without those that finished meanwhile', () => {
    const done = aDigest(1).master({ succeeded: 1 }).workers({ ready: 2 });
    const completed = (policy: CleanPodPolicy) =>
      aRun(aPlan().master().workers(2).cleanPodPolicy(policy)).does('createAttempt').receives(done);
    expect(completed('None').status.terminated).toBeUndefined();
    const run = completed('Running');
    expect(run.status.terminated).toEqual({ Worker: 2 });
    run.receives(aDigest(2).master({ succeeded: 1 }).workers({ succeeded: 1, terminating: 1 }));
    expect(run.does('cleanUp').status).toMatchObject({ phase: 'Completed', terminated: { Worker: 1 } });
  });

  it('keeps the counts of a failed job while its pods are removed', () => {
    const plan = aPlan().workers(2, 'Never').cleanPodPolicy('All');
    const run = aRun(plan).does('createAttempt');
    run.receives(aDigest(1).workers({ ready: 1, failed: 1 }).failure({ exitCode: 1 }));
    run.receives(aDigest(2).attempt(0));
    expect(run.status.replicaStatuses.Worker).toEqual({
      active: 1,
      failed: 1,
      selector: selectors.Worker,
    });
  });

  it.each(['All', 'Running'] as const)(
    'has no active pods once a failed job with cleanPodPolicy %s has ended',
    (policy) => {
      const run = aRun(aPlan().workers(2, 'Never').cleanPodPolicy(policy)).does('createAttempt');
      run.receives(aDigest(1).workers({ ready: 1, failed: 1 }).failure({ exitCode: 1 })).does('cleanUp');
      expect(run.status.replicaStatuses.Worker).toEqual({ failed: 1, selector: selectors.Worker });
    },
  );

  it('has active pods of a failed job that keeps them', () => {
    const run = aRun(aPlan().workers(2, 'Never').cleanPodPolicy('None')).does('createAttempt');
    run.receives(aDigest(1).workers({ ready: 1, failed: 1 }).failure({ exitCode: 1 })).does('cleanUp');
    expect(run.status.replicaStatuses.Worker).toMatchObject({ active: 1, failed: 1 });
  });

  it('has no active pods once it is stopped', () => {
    const run = created()
      .receives(aDigest(1).master({ ready: 1 }).workers({ ready: 2 }))
      .stop();
    expect(run.status.replicaStatuses.Worker).toMatchObject({ active: 2 });
    expect(run.does('cleanUp').status.replicaStatuses).toEqual({
      Master: { selector: selectors.Master },
      Worker: { selector: selectors.Worker },
    });
  });

  describe('of a job that is decided by its launcher', () => {
    const plan = aPlan().workersWith(2, { uncountedAtEnd: 'byDeciding' }).launcher();
    const workers = { ready: 2 };
    const created = () => aRun(plan).does('createAttempt', 10).receives(aDigest(11).workers(workers));
    const launched = () => created().does('launch', 20);

    it('no longer counts workers once the launcher has ended', () => {
      const failed = aDigest(21).workers(workers).launcher({ failed: 1 }).failure({ role: 'launcher' });
      expect(launched().receives(failed).status.replicaStatuses.Worker).toEqual({});
    });

    it('counts them if the launcher was one of the failures', () => {
      const run = launched().receives(
        aDigest(21).workers({ ready: 1, failed: 1 }).launcher({ ready: 1 }).failure(),
      );
      expect(run.status.phase).toBe('Failed');
      expect(run.status.replicaStatuses.Worker).toMatchObject({ active: 1, failed: 1 });
    });
  });

  it('keeps successes whose pods are gone', () => {
    const run = created().receives(aDigest(1).master({ ready: 1 }).workers({ succeeded: 1, ready: 1 }));
    run.receives(aDigest(2).master({ ready: 1 }).workers({ ready: 1 }));
    expect(run.status.replicaStatuses.Worker).toMatchObject({ active: 1, succeeded: 1 });
  });
});
