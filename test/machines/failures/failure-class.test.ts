import { describe, expect, it } from '@jest/globals';
import type { PodFailure } from '../../../contracts/digest.ts';
import type { ClassRule } from '../../../contracts/types.ts';
import { classOf, needsEvidence } from '../../../machines/failures/failure-class.ts';
import { findFinalFailure } from '../../../machines/restart/restart-policy.ts';
import { aDigest, aFailure, aPlan } from '../builders.ts';

type Fields = Partial<PodFailure>;

describe('the class of a failure without a rule', () => {
  const table: readonly [Fields, string][] = [
    [{ reason: 'Error', exitCode: 1 }, 'userCode'],
    [{ reason: 'Error', exitCode: 137, signal: 9 }, 'userCode'],
    [{ reason: 'Error' }, 'infrastructure'],
    [{ reason: 'Evicted' }, 'infrastructure'],
    [{ reason: 'Evicted', exitCode: 143, interruptedBy: 'node' }, 'infrastructure'],
    [{ reason: 'PreemptionByScheduler', exitCode: 143, interruptedBy: 'deletion' }, 'infrastructure'],
    [{ reason: 'Deleted', exitCode: 0, interruptedBy: 'deletion' }, 'infrastructure'],
    [{ reason: 'Deleted', exitCode: 1, interruptedBy: 'deletion' }, 'infrastructure'],
    [{ reason: 'StartError', exitCode: 128, interruptedBy: 'deletion' }, 'infrastructure'],
    [{ reason: 'OOMKilled', exitCode: 137, interruptedBy: 'deletion' }, 'infrastructure'],
    [{ reason: 'NodeShutdown' }, 'infrastructure'],
    [{ reason: 'NodeLost' }, 'infrastructure'],
    [{ reason: 'OutOfcpu' }, 'infrastructure'],
    [{ reason: 'OutOfnvidia.com/gpu' }, 'infrastructure'],
    [{ reason: 'UnexpectedAdmissionError' }, 'infrastructure'],
    [{ reason: 'StartError', exitCode: 128 }, 'startUp'],
    [{ reason: 'ContainerCannotRun', exitCode: 127 }, 'startUp'],
    [{ reason: 'CreateContainerConfigError' }, 'startUp'],
    [{ reason: 'OOMKilled', exitCode: 137 }, 'infrastructure'],
  ];
  it.each(table)('of %j is %s', (fields, expected) => {
    expect(classOf(aPlan().workers(1).context(), aFailure(fields))).toBe(expected);
  });

  it('of memory is userCode, where its container has a limit of its own', () => {
    const plan = aPlan().master().workersWith(1, { limitsMemory: true });
    const killed = { reason: 'OOMKilled', exitCode: 137 };
    expect(classOf(plan.context(), aFailure(killed))).toBe('userCode');
    expect(classOf(plan.context(), aFailure({ ...killed, role: 'master' }))).toBe('infrastructure');
  });
});

describe('a rule of the policy', () => {
  const table: readonly [says: string, Omit<ClassRule, 'class'>, Fields, matches: boolean][] = [
    ['the lowest code of a range', { exitCodes: [[40, 42]] }, { exitCode: 40 }, true],
    ['the highest code of a range', { exitCodes: [[40, 42]] }, { exitCode: 42 }, true],
    ['a code below', { exitCodes: [[40, 42]] }, { exitCode: 39 }, false],
    ['a code above', { exitCodes: [[40, 42]] }, { exitCode: 43 }, false],
    ['any of several ranges', { exitCodes: [[1, 1], [40, 42]] }, { exitCode: 41 }, true], // biome-ignore format: one line
    ['no code at all', { exitCodes: [[0, 255]] }, {}, false],
    ['its reason', { reasons: ['OOMKilled', 'Evicted'] }, { reason: 'Evicted' }, true],
    ['another reason', { reasons: ['OOMKilled'] }, { reason: 'Evicted' }, false],
    ['its role', { roles: ['worker'] }, { role: 'worker' }, true],
    ['another role', { roles: ['master'] }, { role: 'worker' }, false],
    ['all that it asks for', { exitCodes: [[1, 9]], roles: ['worker'] }, { exitCode: 3 }, true],
    ['who told it to stop', { reasons: ['Deleted'] }, { reason: 'Deleted', interruptedBy: 'deletion' }, true],
    ['the code of a pod that was told to stop', { exitCodes: [[0, 255]] }, { exitCode: 42, interruptedBy: 'deletion' }, false], // biome-ignore format: one line
    ['only a part of that', { exitCodes: [[1, 9]], roles: ['master'] }, { exitCode: 3 }, false],
  ];
  it.each(table)('about %s: %j, %j: %s', (_, rule, fields, matches) => {
    const plan = aPlan()
      .workers(1)
      .policy({ failures: { rules: [{ class: 'mine', ...rule }] } });
    expect(classOf(plan.context(), aFailure(fields)) === 'mine').toBe(matches);
  });

  it('takes precedence over later ones, and over built-in classes', () => {
    const rules = [
      { class: 'first', exitCodes: [[1, 5]] },
      { class: 'second', exitCodes: [[1, 9]] },
    ] as const;
    const context = aPlan().workers(1).policy({ failures: { rules } }).context();
    const classes = [3, 7, 10].map((exitCode) => classOf(context, aFailure({ exitCode })));
    expect(classes).toEqual(['first', 'second', 'userCode']);
  });
});

describe('a rule with a pattern', () => {
  const rules = [
    { class: 'data', pattern: 'bad record', exitCodes: [[1, 1]] },
    { class: 'network', pattern: 'NCCL', roles: ['worker'] },
  ] as const;
  const context = (captured?: Record<string, readonly number[]>) => ({
    ...aPlan().master().workers(1).policy({ failures: { rules } }).context(),
    captured,
  });
  const failure = aFailure({ exitCode: 1 });

  it('matches when the evidence has it', () => {
    expect(classOf(context({ [failure.uid]: [1] }), failure)).toBe('network');
    expect(classOf(context({ [failure.uid]: [0, 1] }), failure)).toBe('data');
  });

  it('does not match when the evidence lacks it, or there is none', () => {
    expect(classOf(context({ [failure.uid]: [] }), failure)).toBe('userCode');
    expect(classOf(context(), failure)).toBe('userCode');
    expect(classOf(context({ 'another-uid': [0] }), failure)).toBe('userCode');
  });

  it('matches only with all of its other criteria', () => {
    const other = aFailure({ exitCode: 2, role: 'master' });
    expect(classOf(context({ [other.uid]: [0, 1] }), other)).toBe('userCode');
  });

  const waits: readonly [says: string, Fields, captured: boolean, needs: boolean][] = [
    ['it may decide, and nobody has looked', { exitCode: 1 }, false, true],
    ['somebody has looked', { exitCode: 1 }, true, false],
    ['all but the pattern rules it out', { exitCode: 2, role: 'master' }, false, false],
    ['it was told to stop', { exitCode: 1, interruptedBy: 'deletion' }, false, false],
  ];
  it.each(waits)('needs evidence first only if %s', (when, fields, captured, needs) => {
    const one = aFailure(fields);
    expect([when, needsEvidence(context(captured ? { [one.uid]: [] } : {}), one)]).toEqual([when, needs]);
  });

  it('does not need evidence when no rule has a pattern', () => {
    const plain = aPlan()
      .workers(1)
      .policy({ failures: { rules: [{ class: 'x', exitCodes: [[1, 1]] }] } });
    expect(needsEvidence(plain.context(), failure)).toBe(false);
  });
});

describe('a class that overrides the restart policy', () => {
  const failed = () => aDigest().workers({ failed: 1 }).failure({ exitCode: 42 });
  const job = (restartPolicy: 'Never' | 'OnFailure' | 'ExitCode', rules?: object) =>
    aPlan()
      .workers(1, restartPolicy)
      .policy({ failures: { classes: rules ? { userCode: rules } : {} } })
      .context(failed());

  const table: readonly ['Never' | 'OnFailure' | 'ExitCode', object | undefined, string | undefined][] = [
    ['Never', undefined, 'PodFailed'],
    ['Never', { free: true }, undefined],
    ['Never', { budget: 3 }, undefined],
    ['ExitCode', undefined, 'PermanentExitCode'],
    ['ExitCode', { free: true }, undefined],
    ['OnFailure', undefined, undefined],
    ['OnFailure', { final: true }, 'FinalFailure'],
    ['Never', { final: true }, 'FinalFailure'],
  ];
  it.each(table)('%s with %j ends with %s', (restartPolicy, rules, reason) => {
    expect(findFinalFailure(job(restartPolicy, rules))?.reason).toBe(reason);
  });

  it('as final is named as the rule that decided', () => {
    expect(findFinalFailure(job('OnFailure', { final: true }))).toMatchObject({
      rule: 'signalbox.dev/policy failures.classes.userCode.final: true',
      pod: 'resnet-worker-0',
      exitCode: 42,
    });
  });

  it('as free does not make a failure count that its kind ignores, but as final it does', () => {
    const ignoring = (rules: object) =>
      aPlan()
        .workersWith(1, { onFailure: { do: 'ignore', rule: 'spec.kind' } })
        .policy({ failures: { classes: { userCode: rules } } })
        .context(failed());
    expect(findFinalFailure(ignoring({ free: true }))).toBeUndefined();
    expect(findFinalFailure(ignoring({ final: true }))?.reason).toBe('FinalFailure');
  });
});
