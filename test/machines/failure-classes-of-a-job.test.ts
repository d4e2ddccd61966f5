import { describe, expect, it } from '@jest/globals';
import type { FailureClass } from '../../contracts/types.ts';
import { aDigest } from './builders.ts';
import {
  allReady,
  oneFailed,
  type RunningMachine,
  running,
  startsAgain,
  threePods,
  withLadder,
} from './three-pods.ts';

const withClass = (name: string, rules: FailureClass, plan = threePods()) =>
  plan.policy({ failures: { classes: { [name]: rules } } });
const evicted = { reason: 'Evicted', exitCode: undefined };
const failsAgain = (run: RunningMachine, revision: number, failure = {}) => {
  run.receives(oneFailed(revision, failure)).captures();
  return run.secondsTo('backOff') === undefined ? run : run.reaches('backOff');
};
const replaced = (run: RunningMachine, revision: number, failure = {}) =>
  failsAgain(run, revision, failure)
    .does('restorePods', revision + 1)
    .receives(allReady(revision + 1));

describe('a class of failures with a budget', () => {
  const budget = (allowed: number) => withClass('infrastructure', { budget: allowed });

  it('allows that number of failures, and one more ends the job', () => {
    const run = replaced(replaced(running(budget(2)), 11, evicted), 21, evicted);
    expect(run.status.budgets).toEqual({ infrastructure: { used: 2, allowed: 2 } });
    expect(failsAgain(run, 31, evicted).status.cause).toMatchObject({
      reason: 'FailureBudgetExceeded',
      rule: 'signalbox.dev/policy failures.classes.infrastructure.budget: 2',
      pod: 'resnet-worker-0',
    });
  });

  it('does not use up backoffLimit, and is not used up by others', () => {
    const run = replaced(running(budget(1).backoffLimit(1)), 11, { exitCode: 1 });
    expect(replaced(run, 21, evicted).state).toBe('Running');
    expect(run.status.restarts).toBe(2);
    expect(failsAgain(run, 31, { exitCode: 1 }).status.cause?.reason).toBe('BackoffLimitExceeded');
  });

  it('counts whatever the class is called', () => {
    const failures = {
      rules: [{ exitCodes: [[42, 42] as const], class: 'constructor' }],
      classes: { constructor: { budget: 1 } },
    };
    const run = replaced(running(threePods().policy({ failures })), 11, { exitCode: 42 });
    expect(run.status.budgets).toEqual({ constructor: { used: 1, allowed: 1 } });
    expect(failsAgain(run, 21, { exitCode: 42 }).status.cause?.reason).toBe('FailureBudgetExceeded');
  });

  it('is charged for each replaced or missing pod', () => {
    const both = aDigest(11)
      .master({ ready: 1 })
      .workers({ failed: 1 })
      .failure({ index: 1, ...evicted });
    const run = running(budget(5)).receives(both).captures();
    expect(run.status.budgets).toEqual({ infrastructure: { used: 2, allowed: 5 } });
  });

  it('is charged once for a gang, by the failure that took the others down', () => {
    const mixed = aDigest(11)
      .master({ failed: 1 })
      .workers({ failed: 2 })
      .failure({ role: 'master', exitCode: 1 })
      .failure({ index: 0, ...evicted })
      .failure({ index: 1, exitCode: 1 });
    const run = running(withClass('infrastructure', { budget: 5 }, withLadder({ scope: 'gang' }))).receives(
      mixed,
    );
    expect(run.captures().status.budgets).toEqual({ infrastructure: { used: 1, allowed: 5 } });
  });

  it('keeps its charge through attempts, suspensions and new runs of the workflow', () => {
    const plan = withClass('userCode', { budget: 5 }, withLadder({ scope: 'gang' }));
    const run = startsAgain(running(plan).receives(oneFailed(11)).captures(), 30);
    run.suspend().does('suspend').continueAsNew().resume();
    expect(run.status.budgets).toEqual({ userCode: { used: 1, allowed: 5 } });
  });

  it('can be raised while the job lives', () => {
    const run = replaced(running(budget(1)), 11, evicted).amend(budget(2));
    expect(run.status.budgets).toEqual({ infrastructure: { used: 1, allowed: 2 } });
    expect(replaced(run, 21, evicted).state).toBe('Running');
  });
});

describe('a class of failures that is free', () => {
  it('costs nothing, however often it occurs', () => {
    const run = running(withClass('infrastructure', { free: true }, threePods().backoffLimit(0)));
    for (const revision of [11, 21, 31]) replaced(run, revision, evicted);
    expect([run.state, run.status.restarts]).toEqual(['Running', 3]);
    expect(run.status).not.toHaveProperty('budgets');
    expect(failsAgain(run, 41, { exitCode: 1 }).status.cause?.reason).toBe('BackoffLimitExceeded');
  });

  it('still uses up its ladder', () => {
    const plan = withClass('infrastructure', { free: true }, withLadder({ scope: 'pod', times: 1 }));
    expect(failsAgain(replaced(running(plan), 11, evicted), 21, evicted).status.cause?.reason).toBe(
      'RestartsExhausted',
    );
  });
});

describe('a class of failures that is final', () => {
  it('ends the job at the first, whatever its restart policy and ladder', () => {
    const run = running(withClass('userCode', { final: true }, withLadder({ scope: 'gang' })));
    expect(run.receives(oneFailed(11)).captures().status).toMatchObject({
      phase: 'Failed',
      cause: {
        reason: 'FinalFailure',
        rule: 'signalbox.dev/policy failures.classes.userCode.final: true',
        pod: 'resnet-worker-0',
        exitCode: 1,
      },
    });
  });

  it('ends it also for pods that disappeared', () => {
    const run = running(withClass('infrastructure', { final: true }));
    run.receives(aDigest(11).master({ ready: 1 }).workers({ ready: 1 }));
    expect(run.status.cause).toMatchObject({ reason: 'FinalFailure' });
    expect(run.status.cause?.message).toContain('pods disappeared before they finished');
  });

  it('distinguishes failures by exit code', () => {
    const plan = threePods().policy({
      failures: { rules: [{ class: 'bug', exitCodes: [[42, 42]] }], classes: { bug: { final: true } } },
    });
    const run = replaced(running(plan), 11, { exitCode: 41 });
    expect(run.state).toBe('Running');
    expect(failsAgain(run, 21, { exitCode: 42 }).status.cause?.reason).toBe('FinalFailure');
  });
});
