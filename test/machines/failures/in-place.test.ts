import { describe, expect, it } from '@jest/globals';
import type { ProgramCrash } from '../../../contracts/digest.ts';
import type { FailureRules } from '../../../contracts/types.ts';
import { aDigest, type DigestBuilder, someEvidence } from '../builders.ts';
import { aRunWithEvidence } from '../machine-run.ts';
import { allReady, threePods } from '../three-pods.ts';

/** Programs that end with an error in pods whose kubelet restarts them. */

const BAD_DATA = { class: 'badData', exitCodes: [[42, 42]] } as const;
const NO_MEMORY = { class: 'noMemory', pattern: 'CUDA out of memory' } as const;

const policyWith = (failures: Partial<FailureRules>) => threePods().policy({ failures });

/** A run whose pods are ready, with the default ladder. */
const running = (failures: Partial<FailureRules>, plan = policyWith(failures)) =>
  aRunWithEvidence(plan).does('createAttempt', 10).receives(allReady(10));

/** Worker 0 waits for its restart. */
const crashed = (resourceVersion: number, ...crashes: readonly Partial<ProgramCrash>[]) =>
  crashes.reduce<DigestBuilder>(
    (digest, crash) => digest.programCrash(crash),
    aDigest(resourceVersion).master({ ready: 1 }).workers({ ready: 1, scheduled: 1 }),
  );

/** It runs again. */
const restarted = (resourceVersion: number, { ends = 1, ...crash }: Partial<ProgramCrash> = {}) =>
  allReady(resourceVersion).programCrash({ ends, restarts: ends, ...crash });

describe('a program that is restarted in place', () => {
  it('ends the job if its class is final', () => {
    const run = running({ rules: [BAD_DATA], classes: { badData: { final: true } } });
    run.receives(crashed(11, { exitCode: 42, message: 'corrupt record' }));
    expect(run.status.phase).toBe('Failed');
    expect(run.status.cause).toMatchObject({
      reason: 'FinalFailure',
      rule: 'signalbox.dev/policy failures.classes.badData.final: true',
      pod: 'resnet-worker-0',
      exitCode: 42,
    });
    expect(run.effects).toMatchObject([{ type: 'capture', pods: [{ pod: 'resnet-worker-0' }] }]);
    // The kubelet would restart it for ever.
    expect(run.captures().effects).toMatchObject([{ type: 'cleanUp', scope: 'Running' }]);
  });

  it('is left to the kubelet if its class is not final', () => {
    const run = running({ rules: [BAD_DATA], classes: { badData: { final: true } } });
    expect(run.receives(crashed(11, { exitCode: 1 })).state).toBe('Starting.Waiting');
    expect(run.receives(restarted(12, { exitCode: 1 })).state).toBe('Running');
    expect(run.receives(crashed(13, { exitCode: 42, ends: 2 })).status.phase).toBe('Failed');
  });

  it('is held for inspection if the policy says so', () => {
    const classes = { badData: { final: true } };
    const plan = policyWith({ rules: [BAD_DATA], classes }).policy({ holdOnFailureMs: 60_000 });
    const run = running({}, plan).receives(crashed(11, { exitCode: 42 }));
    expect(run.captures().state).toBe('Finishing.Holding');
  });

  it('uses up the budget of its class, and once more ends the job', () => {
    const run = running({}, policyWith({ classes: { userCode: { budget: 2 } } }).backoffLimit(1));
    run.receives(crashed(11, { ends: 1 }));
    expect(run.status.budgets).toEqual({ userCode: { used: 0, allowed: 2 } });
    run.receives(restarted(12, { ends: 1 }).restarts(1));
    expect(run.status.budgets).toEqual({ userCode: { used: 1, allowed: 2 } });
    run.receives(crashed(13, { ends: 2 }).restarts(1)).receives(restarted(14, { ends: 2 }).restarts(2));
    expect(run.status).toMatchObject({ phase: 'Running', budgets: { userCode: { used: 2, allowed: 2 } } });
    run.receives(crashed(15, { ends: 3 }).restarts(2));
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'FailureBudgetExceeded' } });
    expect(run.status.cause?.rule).toBe('signalbox.dev/policy failures.classes.userCode.budget: 2');
    expect(run.status.budgets).toEqual({ userCode: { used: 2, allowed: 2 } });
  });

  it('is charged for each restart that a watcher reports at once, and for each pod', () => {
    const run = running({ classes: { userCode: { budget: 9 } } });
    run.receives(crashed(11, { ends: 4 }, { index: 1, ends: 3 }).restarts(5));
    expect(run.status.budgets).toEqual({ userCode: { used: 5, allowed: 9 } });
  });

  it('ends the job if the kubelet restarted it before the watcher reported the end', () => {
    const run = running({ classes: { userCode: { budget: 2 } } });
    run.receives(restarted(11, { ends: 3 }).restarts(3));
    expect(run.status).toMatchObject({ phase: 'Failed', cause: { reason: 'FailureBudgetExceeded' } });
  });

  it('has a budget for all pods together', () => {
    const run = running({ classes: { userCode: { budget: 1 } } });
    run.receives(crashed(11, { ends: 1 }, { index: 1, ends: 1 }));
    expect(run.status.cause?.reason).toBe('FailureBudgetExceeded');
  });

  it('costs nothing if its class is free', () => {
    const run = running({}, policyWith({ classes: { userCode: { free: true } } }).backoffLimit(0));
    run.receives(restarted(11).restarts(1));
    expect(run.state).toBe('Running');
  });

  it('is counted by backoffLimit if its class has no rules', () => {
    const run = running({}, policyWith({ classes: { infrastructure: { free: true } } }).backoffLimit(0));
    run.receives(restarted(11).restarts(1));
    expect(run.status.cause?.reason).toBe('BackoffLimitExceeded');
  });
});

describe('a pattern', () => {
  const byPattern = () =>
    running({ rules: [NO_MEMORY], classes: { noMemory: { final: true }, userCode: { budget: 3 } } });
  const found = { 'resnet-worker-0': [0] };

  it('is searched for each time the program ends', () => {
    const run = byPattern().receives(crashed(11, { ends: 1 }));
    expect(run.state).toBe('Restarting.Capturing');
    expect(run.captures().state).toBe('Starting.Waiting');
    run.receives(restarted(12).restarts(1));
    expect(run.state).toBe('Running');
    expect(run.status.budgets).toEqual({ userCode: { used: 1, allowed: 3 } });
    run.receives(crashed(13, { ends: 2 }));
    expect(run.captures(found).status).toMatchObject({ phase: 'Failed', cause: { reason: 'FinalFailure' } });
  });

  it('that matches a later end than was asked about decides with the digest of that end', () => {
    const run = byPattern().receives(crashed(11, { ends: 1 }));
    run.does('capture', { evidence: [someEvidence({ container: 'pytorch', ends: 2, matches: [0] })] });
    expect([run.state, run.status.restarts]).toEqual(['Starting.Waiting', 0]);
    run.receives(crashed(12, { exitCode: 3, ends: 2, restarts: 1 }).restarts(1));
    expect(run.status).toMatchObject({
      ...{ phase: 'Failed', restarts: 1 },
      cause: { reason: 'FinalFailure', exitCode: 3 },
    });
  });

  it('that matches a later end charges the restarts before it once, to its class', () => {
    const classes = { noMemory: { budget: 3 }, userCode: { budget: 3 } };
    const run = running({ rules: [NO_MEMORY], classes }).receives(crashed(11, { ends: 1 }));
    run.does('capture', { evidence: [someEvidence({ container: 'pytorch', ends: 2, matches: [0] })] });
    expect(run.status.budgets).toMatchObject({ noMemory: { used: 0 }, userCode: { used: 0 } });
    run.receives(restarted(12, { ends: 2 }).restarts(2));
    expect(run.effects).toEqual([]);
    expect(run.status.budgets).toMatchObject({ noMemory: { used: 2 }, userCode: { used: 0 } });
  });

  it('that is found beside a sidecar with more ends decides by the end that was asked about', () => {
    const run = byPattern().receives(crashed(11, { ends: 1 }));
    run.does('capture', { evidence: [someEvidence({ container: 'proxy', ends: 5, matches: [0] })] });
    expect(run.status.cause?.reason).toBe('FinalFailure');
  });

  it('is not searched for if another criterion already excludes it', () => {
    const run = running({
      rules: [{ ...NO_MEMORY, exitCodes: [[2, 2]] }],
      classes: { noMemory: { final: true } },
    });
    expect(run.receives(crashed(11, { exitCode: 1 })).state).toBe('Starting.Waiting');
  });

  it('lets the job continue if it runs again when the evidence is there', () => {
    const run = byPattern().receives(crashed(11, { ends: 1 }));
    run.receives(restarted(12));
    expect(run.captures().state).toBe('Running');
  });
});
