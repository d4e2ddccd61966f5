import { describe, expect, it } from '@jest/globals';
import { MESSAGE_LENGTH } from '../../../contracts/digest.ts';
import type { ContainerStatus, Pod, PodPhase, PodStatus } from '../../../contracts/kubernetes.ts';
import { anchorUidOf } from '../../../contracts/objects.ts';
import { podFacts, trimPod } from '../../../watcher/pods/pod-facts.ts';
import { aPod, ended, failed, READY, SUCCEEDED, unschedulable, waitingFor } from '../fixtures.ts';

describe('the state of a pod', () => {
  const deletedAt = '2026-01-01T00:02:00Z';
  it.each<[string, Pod, string]>([
    ['is unscheduled when it has just been made', aPod(), 'unscheduled'],
    ['is unscheduled when no node has room', aPod({ status: unschedulable('0/3 nodes') }), 'unscheduled'],
    ['is placed when it has a node', aPod({ node: 'gpu-1' }), 'scheduled'],
    ['is placed when the scheduler says so', aPod({ status: waitingFor('ContainerCreating') }), 'scheduled'],
    ['is ready when Kubernetes says so', aPod({ status: READY }), 'ready'],
    ['is succeeded', aPod({ status: SUCCEEDED }), 'succeeded'],
    ['is failed, though being deleted', aPod({ status: failed(ended('pytorch', 143)), deletedAt }), 'failed'],
    ['is leaving when it is deleted while it runs', aPod({ status: READY, deletedAt }), 'terminating'],
    ['is leaving when it is deleted before it has a node', aPod({ deletedAt }), 'terminating'],
    [
      'is placed while its node is silent',
      aPod({ node: 'gpu-1', status: { phase: 'Unknown' } }),
      'scheduled',
    ],
  ])('%s', (_, pod, state) => {
    expect(podFacts(pod).state).toBe(state);
  });
});

describe('the attempt of a pod', () => {
  const podOfAttempt = (attempt: string): Pod => {
    const pod = aPod({ attempt: 99 });
    const [container] = pod.spec.containers;
    const env = [
      { name: 'RANK', value: '3' },
      { name: 'SIGNALBOX_ATTEMPT', value: attempt },
    ];
    return { ...pod, spec: { ...pod.spec, containers: [{ ...container!, env }] } };
  };

  it('is that in its environment, whatever its label says', () => {
    expect(podFacts(trimPod(podOfAttempt('2'))).attempt).toBe(2);
  });

  it('is that of its label without one in its environment', () => {
    expect(podFacts(trimPod(aPod({ attempt: 3 }))).attempt).toBe(3);
  });
});

describe('a pod that needs devices', () => {
  const waitingWith = (resourceClaims: Pod['spec']['resourceClaims'], status: PodStatus = {}) => {
    const pod = aPod({ status: { phase: 'Pending', ...status } });
    return podFacts(trimPod({ ...pod, spec: { ...pod.spec, resourceClaims } })).waiting?.message;
  };
  const ofTemplate = { name: 'gpu', resourceClaimTemplateName: 'gpu-template' };

  it('names the missing template or claim, which no scheduler does', () => {
    expect(waitingWith([ofTemplate])).toBe(
      'the scheduler has not tried it yet; it needs a ResourceClaim of the ResourceClaimTemplate gpu-template, which may not exist',
    );
    expect(waitingWith([{ name: 'gpu', resourceClaimName: 'mine' }])).toContain('the ResourceClaim mine,');
  });

  it('has the message of the scheduler once it has its claims', () => {
    expect(waitingWith([ofTemplate], { resourceClaimStatuses: [{ name: 'gpu' }] })).toBeUndefined();
    expect(waitingWith([ofTemplate], unschedulable('0/3 nodes'))).toBe('0/3 nodes');
  });
});

describe('the cause of waiting of a pod', () => {
  const creating = waitingFor('ContainerCreating');
  it.each<[string, PodStatus | undefined, unknown]>([
    ['is unknown for a new pod', { phase: 'Pending' }, undefined],
    [
      'is what the scheduler says',
      unschedulable('0/3 nodes'),
      { reason: 'Unschedulable', message: '0/3 nodes' },
    ],
    ['is what the container says', creating, { reason: 'ContainerCreating', message: undefined }],
    [
      'is the container in trouble rather than the one that is starting',
      {
        ...creating,
        initContainerStatuses: creating.containerStatuses,
        containerStatuses: [
          { name: 'pytorch', state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } },
        ],
      },
      { reason: 'ImagePullBackOff', message: 'not found' },
    ],
    [
      'is what the kubelet says when every container runs',
      { ...creating, containerStatuses: [{ name: 'pytorch', state: { running: {} } }] },
      { reason: 'ContainersNotReady', message: undefined },
    ],
    ['does not matter once it is ready', READY, undefined],
  ])('%s', (_, status, waiting) => {
    expect(podFacts(aPod({ status })).waiting).toEqual(waiting);
  });
});

describe('the failure of a pod', () => {
  it('has every container that ended with another exit code than 0', () => {
    const status = failed(ended('metrics', 0), ended('pytorch', 139, { signal: 11 }));
    expect(podFacts(aPod({ status, node: 'gpu-1' })).failure).toEqual({
      phase: 'Failed',
      node: 'gpu-1',
      reason: undefined,
      message: undefined,
      finishedAt: '2026-01-01T00:01:00Z',
      ended: [
        {
          container: 'pytorch',
          exitCode: 139,
          signal: 11,
          reason: 'Error',
          message: undefined,
          finishedAt: '2026-01-01T00:01:00Z',
        },
      ],
    });
  });

  it('has the reason of the pod, where no container ended', () => {
    const status: PodStatus = { phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory.' };
    expect(podFacts(aPod({ status })).failure).toMatchObject({
      reason: 'Evicted',
      message: 'The node was low on memory.',
      finishedAt: '2026-01-01T00:00:00Z',
      ended: [],
    });
  });

  it('has the condition of a preempted pod', () => {
    const disruption = { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' } as const;
    const status = { ...failed(ended('pytorch', 143)), conditions: [disruption] };
    expect(podFacts(aPod({ status })).interruption?.reason).toBe('PreemptionByScheduler');
  });

  it('has truncated messages', () => {
    const status = failed(ended('pytorch', 1, { message: 'x'.repeat(4096) }));
    expect(podFacts(aPod({ status })).failure?.ended[0]?.message).toHaveLength(MESSAGE_LENGTH);
  });
});

it('restarts are the sum over all containers', () => {
  const status: PodStatus = {
    phase: 'Running',
    initContainerStatuses: [{ name: 'fetch', restartCount: 1 }],
    containerStatuses: [{ name: 'pytorch', restartCount: 2 }, { name: 'metrics' }],
  };
  expect(podFacts(aPod({ status })).restarts).toBe(3);
});

it('a restart that the kubelet counts for a lost container does not count once the pod has failed', () => {
  const lost = { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } };
  const restarts = (container: Partial<ContainerStatus>, phase: PodPhase = 'Failed') =>
    podFacts(
      aPod({
        status: {
          phase,
          reason: 'Evicted',
          containerStatuses: [{ name: 'pytorch', restartCount: 1, lastState: lost, ...container }],
        },
      }),
    ).restarts;
  expect(restarts({ state: { waiting: { reason: 'ContainerCreating' } } })).toBe(0);
  expect(restarts({ state: lost })).toBe(0);
  expect(restarts({ state: lost, restartCount: 3 })).toBe(2);
  expect(restarts({ state: { waiting: { reason: 'ContainerCreating' } } }, 'Running')).toBe(1);
  expect(restarts({ state: { terminated: { exitCode: 1, reason: 'Error' } } })).toBe(1);
  expect(restarts({ state: lost, lastState: { terminated: { exitCode: 1, reason: 'Error' } } })).toBe(1);
});

it('a pod belongs to the ConfigMap that owns it', () => {
  expect(anchorUidOf(aPod({ owner: 'anchor-7' }))).toBe('anchor-7');
  const pod = aPod();
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'x' }];
  expect(anchorUidOf({ ...pod, metadata: { ...pod.metadata, ownerReferences } })).toBeUndefined();
});
