import { describe, expect, it } from '@jest/globals';
import type { JobRestartPolicy } from '../../../contracts/training-job.ts';
import {
  describeFailure,
  findFinalFailure,
  findReplaceable,
} from '../../../machines/restart/restart-policy.ts';
import { aDigest, aFailure, aPlan } from '../builders.ts';

const NOBODY = undefined;

describe('a failed pod', () => {
  const table: readonly [JobRestartPolicy, exitCode: number | undefined, verdict: string][] = [
    ['Never', 1, 'PodFailed'],
    ['Never', 137, 'PodFailed'],
    ['Never', NOBODY, 'PodFailed'],
    ['OnFailure', 1, 'replaced'],
    ['OnFailure', NOBODY, 'replaced'],
    ['Always', 1, 'replaced'],
    ['Always', NOBODY, 'replaced'],
    ['ExitCode', 1, 'PermanentExitCode'],
    ['ExitCode', 127, 'PermanentExitCode'],
    ['ExitCode', 128, 'replaced'],
    ['ExitCode', 137, 'replaced'],
    ['ExitCode', 255, 'replaced'],
    ['ExitCode', NOBODY, 'replaced'],
  ];
  it.each(table)('of a role with restartPolicy %s and exit code %s is %s', (policy, exitCode, verdict) => {
    const digest = aDigest().workers({ failed: 1 }).failure({ exitCode });
    const context = aPlan().workers(1, policy).context(digest);
    const replaced = findReplaceable(context).length > 0;
    expect(findFinalFailure(context)?.reason ?? (replaced ? 'replaced' : 'nothing')).toBe(verdict);
  });

  it('is judged by the policy of its own role', () => {
    const digest = aDigest().failure({ role: 'master' }).failure({ role: 'worker', index: 1 });
    const context = aPlan().master('Never').workers(2, 'OnFailure').context(digest);
    expect(findFinalFailure(context)?.pod).toBe('resnet-master-0');
    expect(findReplaceable(context).map(({ pod }) => pod)).toEqual(['resnet-worker-1']);
  });

  it('of an unknown role decides nothing', () => {
    const context = aPlan()
      .workers(1, 'Never')
      .context(aDigest().failure({ role: 'launcher' }));
    expect(findFinalFailure(context)).toBeUndefined();
    expect(findReplaceable(context)).toEqual([]);
  });

  it('names the rule, the pod, the node and the container that decided', () => {
    const failure = {
      index: 1,
      node: 'node-7',
      container: 'pytorch',
      exitCode: 1,
      message: 'no such file\n',
    };
    const context = aPlan().workers(2, 'Never').context(aDigest().failure(failure));
    expect(findFinalFailure(context)).toEqual({
      reason: 'PodFailed',
      rule: 'spec.pytorchReplicaSpecs.Worker.restartPolicy: Never',
      pod: 'resnet-worker-1',
      node: 'node-7',
      container: 'pytorch',
      exitCode: 1,
      podReason: 'Error',
      message:
        'resnet-worker-1 on node node-7: container pytorch exited with code 1 (Error: no such file); spec.pytorchReplicaSpecs.Worker.restartPolicy: Never',
    });
  });
});

describe('the message of a failure', () => {
  const table: readonly [Parameters<typeof aFailure>[0], string][] = [
    [{ exitCode: 1 }, 'resnet-worker-0: exited with code 1 (Error)'],
    [
      { exitCode: 137, signal: 9, reason: 'OOMKilled', container: 'pytorch' },
      'resnet-worker-0: container pytorch exited with code 137, signal 9 (OOMKilled)',
    ],
    [
      { reason: 'Evicted', node: 'node-1', message: 'The node was low on memory.' },
      'resnet-worker-0 on node node-1: left no exit code (Evicted: The node was low on memory.)',
    ],
  ];
  it.each(table)('%j reads as a sentence', (fields, sentence) => {
    expect(describeFailure(aFailure(fields))).toBe(sentence);
  });
});
