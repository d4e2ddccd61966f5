import { describe, expect, it } from '@jest/globals';
import type { Condition, ContainerStatus, Pod, PodPhase, PodStatus } from '../../../contracts/kubernetes.ts';
import { anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { jobDigest } from '../../../watcher/digest/job-digest.ts';
import { podFacts } from '../../../watcher/pods/pod-facts.ts';
import { anAnchor, aPod, ended, RUNNING } from '../fixtures.ts';

/** 30 seconds before, somebody asked for the deletion: Kubernetes adds the grace period to the time of the request. */
const DELETED = { deletedAt: '2026-01-01T00:05:30Z', graceSeconds: 30 };
const BEFORE = '2026-01-01T00:04:59Z';
const SAME_SECOND = '2026-01-01T00:05:00Z';
const AFTER = '2026-01-01T00:05:01Z';

const main = (exitCode: number, finishedAt?: string, more = {}) =>
  ended('pytorch', exitCode, { finishedAt, ...more });

const running = (name: string): ContainerStatus => ({ name, state: { running: {} } });

const target = (reason: string, lastTransitionTime = SAME_SECOND): Condition => ({
  type: 'DisruptionTarget',
  status: 'True',
  reason,
  message: `said by ${reason}`,
  lastTransitionTime,
});

const SCHEDULED: Condition = { type: 'PodScheduled', status: 'True' };

const status = (
  phase: PodPhase,
  containers: readonly ContainerStatus[],
  more: PodStatus = {},
): PodStatus => ({
  phase,
  containerStatuses: containers,
  ...more,
});

/** What is told of a pod, by a watcher that saw all these of it, one after the other. */
function factsText(...seen: readonly Pod[]): string {
  const facts = seen.reduce<ReturnType<typeof podFacts> | undefined>(
    (before, pod) => podFacts(pod, before),
    undefined,
  )!;
  const anchor = anchorFacts(anAnchor())!;
  const job = { anchor, pods: new Map([['uid', facts]]), groups: new Map() };
  const { roles, failures } = jobDigest(job, { pods: 1, groups: {} });
  const { unscheduled, scheduled, ready, terminating, succeededIndices } = roles.worker!;
  const [failure] = failures;
  if (failure?.interruptedBy) {
    return `interrupted by ${failure.interruptedBy}: ${failure.reason}, ${failure.exitCode}`;
  }
  if (failure) return `failed: ${failure.reason}, ${failure.exitCode}`;
  if (succeededIndices) return 'succeeded';
  return ready ? 'ready' : terminating ? 'terminating' : scheduled + unscheduled > 0 ? 'waits' : 'nothing';
}

const pod = (podStatus: PodStatus, more: Parameters<typeof aPod>[0] = {}) =>
  aPod({ node: 'gpu-1', status: podStatus, ...more });

describe('a pod that no scheduler has placed, because its template names a node, has failed', () => {
  it.each([
    [
      'if that node does not exist',
      pod(status('Failed', [], { conditions: [target('DeletionByPodGC')] }), DELETED),
      'failed: NodeMissing, undefined',
    ],
    [
      'if that node lacks room',
      pod(status('Failed', [], { reason: 'OutOfcpu' })),
      'failed: OutOfcpu, undefined',
    ],
  ])('%s', (_, seen, expected) => {
    expect(factsText(seen)).toBe(expected);
  });

  it('for a reason that names the node', () => {
    const gone = pod(status('Failed', [], { conditions: [target('DeletionByPodGC')] }), DELETED);
    expect(podFacts(gone).failure?.message).toBe(
      'spec.nodeName of its template names node gpu-1, which does not exist',
    );
  });

  it('after it had waited for that node', () => {
    expect(podFacts(pod(status('Pending', []))).waiting).toEqual({
      reason: 'NodeSilent',
      message: 'node gpu-1, which the template names, has not taken the pod',
    });
  });
});

describe('an interrupted pod', () => {
  const evicted = { conditions: [target('EvictionByEvictionAPI')] };
  const table: readonly [says: string, pod: Pod, expected: string][] = [
    [
      'and exits with 0',
      pod(status('Succeeded', [main(0, AFTER)]), DELETED),
      'interrupted by deletion: Deleted, 0',
    ],
    [
      'and exits with 0 in the second of the request',
      pod(status('Succeeded', [main(0, SAME_SECOND)]), DELETED),
      'interrupted by deletion: Deleted, 0',
    ],
    [
      'and is killed',
      pod(status('Failed', [main(137, AFTER)]), DELETED),
      'interrupted by deletion: Deleted, 137',
    ],
    [
      'and exits with 1 at once',
      pod(status('Failed', [main(1, SAME_SECOND)]), DELETED),
      'interrupted by deletion: Deleted, 1',
    ],
    [
      'of which the kubelet lost sight',
      pod(status('Failed', [main(137, undefined, { reason: 'ContainerStatusUnknown' })]), DELETED),
      'interrupted by deletion: Deleted, 137',
    ],
    [
      'whose last breath has grace period 0',
      pod(status('Succeeded', [main(0, AFTER)]), { deletedAt: SAME_SECOND, graceSeconds: 0 }),
      'interrupted by deletion: Deleted, 0',
    ],
    [
      'of which only the last breath was seen',
      pod(status('Succeeded', [main(0, AFTER)]), { deletedAt: '2026-01-01T00:05:03Z', graceSeconds: 0 }),
      'interrupted by deletion: Deleted, 0',
    ],
    [
      'by an eviction',
      pod(status('Succeeded', [main(0, AFTER)], evicted), DELETED),
      'interrupted by deletion: EvictionByEvictionAPI, 0',
    ],
    [
      'by a preemption',
      pod(status('Failed', [main(143, AFTER)], { conditions: [target('PreemptionByScheduler')] }), DELETED),
      'interrupted by deletion: PreemptionByScheduler, 143',
    ],
    [
      'by a taint',
      pod(status('Failed', [main(143, AFTER)], { conditions: [target('DeletionByTaintManager')] }), DELETED),
      'interrupted by deletion: DeletionByTaintManager, 143',
    ],
    [
      'by the garbage collector of a dead node, where its container still seems to run',
      pod(status('Failed', [running('pytorch')], { conditions: [target('DeletionByPodGC')] }), DELETED),
      'interrupted by deletion: DeletionByPodGC, undefined',
    ],
    [
      'by a kubelet that lacks memory',
      pod(
        status('Failed', [main(137, AFTER)], {
          reason: 'Evicted',
          // The kubelet says so when the containers have ended.
          conditions: [target('TerminationByKubelet', '2026-01-01T00:06:00Z')],
        }),
      ),
      'interrupted by node: Evicted, 137',
    ],
    [
      'by a node that shuts down, and exits with 0',
      pod(
        status('Succeeded', [main(0, AFTER)], {
          conditions: [target('TerminationByKubelet', '2026-01-01T00:06:00Z')],
        }),
      ),
      'interrupted by node: TerminationByKubelet, 0',
    ],
    [
      'by a node that shut down, and is deleted minutes later',
      pod(status('Failed', [main(143, '2026-01-01T00:01:00Z')], { reason: 'Terminated' }), DELETED),
      'interrupted by node: Terminated, 143',
    ],
    [
      'that its node did not let in',
      pod(status('Failed', [], { reason: 'OutOfcpu', conditions: [SCHEDULED] })),
      'interrupted by node: OutOfcpu, undefined',
    ],
    [
      'that went with the node that a scheduler had chosen, before it began',
      pod(status('Failed', [], { conditions: [SCHEDULED, target('DeletionByPodGC')] }), DELETED),
      'interrupted by deletion: DeletionByPodGC, undefined',
    ],
    [
      'while only its sidecar had ended',
      pod(status('Succeeded', [ended('metrics', 0, { finishedAt: BEFORE }), main(0, AFTER)]), DELETED),
      'interrupted by deletion: Deleted, 0',
    ],
    ['and still runs', pod(RUNNING, DELETED), 'terminating'],
    ['and is out of its readiness', pod(status('Running', [running('pytorch')]), DELETED), 'terminating'],
    [
      'while it waits',
      pod(status('Pending', [{ name: 'pytorch', state: { waiting: {} } }]), DELETED),
      'terminating',
    ],
  ];
  it.each(table)('%s', (_, seen, expected) => {
    expect(factsText(seen)).toBe(expected);
  });

  it('was interrupted at the first time that was seen, whatever its last status says', () => {
    const stopped = pod(status('Succeeded', [main(0, AFTER)]), DELETED);
    const gone = pod(stopped.status!, { deletedAt: '2026-01-01T00:05:03Z', graceSeconds: 0 });
    expect(factsText(stopped, gone)).toBe('interrupted by deletion: Deleted, 0');
  });

  it('has Kubernetes’ own message, with its node', () => {
    const facts = podFacts(pod(status('Succeeded', [main(0, AFTER)], evicted), DELETED));
    expect(facts).toMatchObject({ node: 'gpu-1' });
    expect(facts.interruption).toMatchObject({
      reason: 'EvictionByEvictionAPI',
      message: 'said by EvictionByEvictionAPI',
    });
  });
});

describe('a pod that ended by itself, and is deleted afterwards,', () => {
  const table: readonly [says: string, pod: Pod, expected: string][] = [
    ['has succeeded', pod(status('Succeeded', [main(0, BEFORE)]), DELETED), 'succeeded'],
    ['has failed', pod(status('Failed', [main(42, BEFORE)]), DELETED), 'failed: Error, 42'],
    [
      'has succeeded, when its node is drained later',
      pod(status('Succeeded', [main(0, BEFORE)], { conditions: [target('EvictionByEvictionAPI')] }), DELETED),
      'succeeded',
    ],
    [
      'has succeeded, when only a sidecar had to be told to stop',
      pod(status('Failed', [main(0, BEFORE), ended('metrics', 143, { finishedAt: AFTER })]), DELETED),
      'succeeded',
    ],
    [
      'has failed, when only a sidecar had to be told to stop',
      pod(status('Failed', [main(3, BEFORE), ended('metrics', 0, { finishedAt: AFTER })]), DELETED),
      'failed: Error, 3',
    ],
    [
      'has failed, where an init container did',
      pod(
        status('Failed', [{ name: 'pytorch', state: { waiting: {} } }], {
          initContainerStatuses: [ended('fetch', 7, { finishedAt: BEFORE })],
        }),
        DELETED,
      ),
      'failed: Error, 7',
    ],
    [
      'has failed, where its own deadline was over',
      pod(status('Failed', [main(137, BEFORE)], { reason: 'DeadlineExceeded' }), DELETED),
      'failed: DeadlineExceeded, 137',
    ],
  ];
  it.each(table)('%s', (_, seen, expected) => {
    expect(factsText(seen)).toBe(expected);
  });

  it('stays that if its end was seen before the deletion, whatever the times are', () => {
    const succeeded = pod(status('Succeeded', [main(0, SAME_SECOND)]));
    const failed = pod(status('Failed', [main(1, SAME_SECOND)]));
    const deleted = (seen: Pod): Pod => ({ ...seen, metadata: aPod(DELETED).metadata });
    expect(factsText(succeeded, deleted(succeeded))).toBe('succeeded');
    expect(factsText(failed, deleted(failed))).toBe('failed: Error, 1');
  });
});

it('a pod that was seen running after its deletion was interrupted, for any clock', () => {
  const seen = [pod(RUNNING, DELETED), pod(status('Succeeded', [main(0, BEFORE)]), DELETED)];
  expect(factsText(...seen)).toBe('interrupted by deletion: Deleted, 0');
});

it('a preemption that did not happen interrupts no pod', () => {
  const calledOff = { ...target('PreemptionByScheduler'), status: 'False' as const };
  expect(factsText(pod(status('Succeeded', [main(0, AFTER)], { conditions: [calledOff] })))).toBe(
    'succeeded',
  );
  expect(factsText(pod({ ...RUNNING, conditions: [...RUNNING.conditions!, target('x')] }))).toBe('ready');
});

describe('a pod that has ended before its phase says so', () => {
  const unready = { conditions: [{ type: 'Ready', status: 'False', reason: 'PodCompleted' } as const] };
  const table: readonly [says: string, Parameters<typeof aPod>[0], ContainerStatus[], string][] = [
    ['is as ready as it was, with Never', { restartPolicy: 'Never' }, [main(1)], 'ready'],
    ['is as ready as it was, with OnFailure and 0', { restartPolicy: 'OnFailure' }, [main(0)], 'ready'],
    ['comes back in place, with OnFailure and 1', { restartPolicy: 'OnFailure' }, [main(1)], 'waits'],
    ['comes back in place, with Always', { restartPolicy: 'Always' }, [main(0)], 'waits'],
  ];
  it.each(table)('%s', (_, choice, containers, expected) => {
    expect(factsText(pod(status('Running', containers, unready), choice))).toBe(expected);
  });
});
