import { describe, expect, it } from '@jest/globals';
import { isReplica, isSpare } from '../../contracts/pod.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { laneRequestOf } from '../../resources/lane.ts';
import { preferNode } from '../../resources/prefer-node.ts';
import { renderSpares } from '../../resources/spare.ts';
import { aManifest } from '../frameworks/manifests.ts';

const POLICY = { 'signalbox.dev/policy': 'spares: { count: 2 }\nnodes: { lostAfter: 30s }\n' };
const TEMPLATE = {
  metadata: { labels: { team: 'vision', 'signalbox.dev/pod': 'forged' }, annotations: { note: 'x' } },
  spec: {
    nodeSelector: { gpu: 'h100' },
    tolerations: [{ key: 'gpu', operator: 'Exists' }],
    imagePullSecrets: [{ name: 'registry' }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    hostNetwork: true,
    initContainers: [
      { name: 'wait', image: 'busybox' },
      { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } },
    ],
    containers: [
      {
        ...{ name: 'pytorch', image: 'train:1', command: ['python'], args: ['train.py'] },
        env: [{ name: 'TOKEN', value: 'secret' }],
        ports: [{ containerPort: 23456 }],
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
        readinessProbe: { exec: { command: ['true'] } },
        resources: { limits: { 'nvidia.com/gpu': 8 } },
      },
    ],
  },
};
const WORKER = 'spec.pytorchReplicaSpecs.Worker';
const aJob = (policy: Record<string, string> = POLICY) =>
  aManifest().with('metadata.annotations', policy).with(`${WORKER}.template`, TEMPLATE).job();
const spares = (count = 2) => renderSpares(aJob(), { anchorUid: 'anchor-1', gang: 'none', count });

describe('a spare', () => {
  it('has the name of the job and a number, and is no replica', () => {
    const names = spares().map(({ metadata }) => metadata.name);
    expect(names.map((name) => name.replace(aJob().name, 'JOB'))).toEqual(['JOB-spare-0', 'JOB-spare-1']);
    expect(spares().map((pod) => [isSpare(pod), isReplica(pod)])).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  it('has the labels of the template, but none by which a replica is found', () => {
    const { labels, annotations } = spares()[0]!.metadata;
    expect(labels).toEqual({
      team: 'vision',
      'signalbox.dev/job': aJob().name,
      'signalbox.dev/anchor-uid': 'anchor-1',
      'signalbox.dev/pod': `${aJob().name}-spare-0`,
      'signalbox.dev/role': 'spare',
      'signalbox.dev/index': '0',
      'signalbox.dev/main-container': 'pytorch',
      'signalbox.dev/spare': expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(annotations).toEqual({ note: 'x' });
  });

  it('asks for the same place, with the same images, and does nothing else', () => {
    expect(spares()[0]!.spec).toEqual({
      nodeSelector: { gpu: 'h100' },
      tolerations: [{ key: 'gpu', operator: 'Exists' }],
      imagePullSecrets: [{ name: 'registry' }],
      containers: [
        {
          ...{ name: 'pytorch', image: 'train:1', command: ['sleep', 'infinity'] },
          resources: { limits: { 'nvidia.com/gpu': 8 } },
        },
        {
          ...{ name: 'proxy', image: 'proxy:1', command: ['sleep', 'infinity'] },
          resources: { requests: { cpu: '1' } },
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 1,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
    });
  });

  it.each(['none', 'gated', 'native', 'volcano', 'coscheduling'] as const)(
    'belongs to no gang of %s, and waits behind no gate',
    (gang) => {
      const [spare] = renderSpares(aJob(), { anchorUid: 'anchor-1', gang, count: 1 });
      const text = JSON.stringify(spare);
      expect(text).not.toMatch(/pod-group|podGroup|group-name|schedulingGates|signalbox.dev\/gated/);
    },
  );

  it('avoids the nodes that the job avoids', () => {
    const avoid = [{ node: 'bad', until: 1 }];
    const [spare] = renderSpares(aJob(), { anchorUid: 'anchor-1', gang: 'none', count: 1, avoid });
    expect(JSON.stringify(spare!.spec.affinity)).toContain('bad');
    // It stays what it is when they change.
    expect(spare!.metadata.labels).toEqual(spares()[0]!.metadata.labels);
  });

  it('is one of what the job asks of its lane', () => {
    const demand = (policy: Record<string, string>) =>
      laneRequestOf({ ...aJob(policy), lane: 'research' })?.demand;
    expect(demand({})).toMatchObject({ 'nvidia.com/gpu': '16', pods: '3' });
    expect(demand(POLICY)).toMatchObject({ 'nvidia.com/gpu': '32', pods: '5' });
  });
});

describe('a pod that takes the place of a spare', () => {
  it('prefers its node, as the only one', () => {
    const name = `${aJob().name}-worker-1`;
    const { pods } = renderAttempt(
      aJob(),
      { number: 1, anchorUid: 'anchor-1' },
      { gang: 'none', asGang: true, prefer: new Map([[name, 'gpu-7']]) },
    );
    const choosy = pods.filter(({ spec }) => spec.affinity);
    expect(choosy.map(({ metadata }) => metadata.name)).toEqual([name]);
    expect(choosy[0]!.spec.affinity).toEqual({
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            preference: { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['gpu-7'] }] },
          },
        ],
      },
    });
  });

  it('keeps what it prefers besides', () => {
    const own = { weight: 1, preference: {} };
    const affinity = {
      nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [own] },
      podAffinity: {},
    };
    const { affinity: after } = preferNode({ containers: [], affinity }, 'a') as unknown as {
      affinity: typeof affinity;
    };
    expect(after.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution).toHaveLength(2);
    expect(after.podAffinity).toEqual({});
  });
});
