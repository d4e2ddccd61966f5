import { describe, expect, it } from '@jest/globals';
import { parsePlacement } from '../../contracts/admitted-placement.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { conflictsOf, flavorsOf, placementsOf } from '../../gang/kueue-placement.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { aManifest } from '../frameworks/manifests.ts';
import { aJob } from './jobs.ts';

const spot = { key: 'spot', operator: 'Exists', effect: 'NoSchedule' };

const aFlavor = (name: string, spec: object): [string, KubeObject] => [
  name,
  { apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'ResourceFlavor', metadata: { name }, spec },
];

/** As Kueue 0.19 writes it. */
const workload: KubeObject = {
  ...{ apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'Workload', metadata: { name: 'resnet' } },
  spec: { queueName: 'team', podSets: [{ name: 'master' }, { name: 'worker' }] },
  status: {
    admission: {
      clusterQueue: 'cluster',
      podSetAssignments: [
        { name: 'master', count: 1, flavors: { cpu: 'plain' } },
        { name: 'worker', count: 2, flavors: { cpu: 'spot', 'nvidia.com/gpu': 'a100', memory: 'spot' } },
      ],
    },
    admissionChecks: [
      {
        name: 'provisioned',
        podSetUpdates: [
          {
            name: 'worker',
            nodeSelector: { request: 'r1' },
            annotations: { consumes: 'r1' },
            tolerations: [spot],
          },
        ],
      },
    ],
  },
};

const FLAVORS = new Map([
  aFlavor('plain', {}),
  aFlavor('spot', { nodeLabels: { pool: 'spot' }, tolerations: [spot] }),
  aFlavor('a100', { nodeLabels: { gpu: 'a100' } }),
]);

const COMMON = { 'kueue.x-k8s.io/local-queue-name': 'team', 'kueue.x-k8s.io/cluster-queue-name': 'cluster' };
const OF_WORKLOAD = { 'kueue.x-k8s.io/workload': 'resnet' };

describe('an admission by Kueue', () => {
  it('names its flavors once each', () => {
    expect(flavorsOf(workload)).toEqual(['plain', 'spot', 'a100']);
  });

  it('gives the pods of each role what its flavors and checks say', () => {
    expect(placementsOf(workload, FLAVORS)).toEqual({
      master: {
        labels: { 'kueue.x-k8s.io/podset': 'master', ...COMMON },
        annotations: OF_WORKLOAD,
        ...{ nodeSelector: {}, tolerations: [], schedulingGates: [] },
      },
      worker: {
        labels: { 'kueue.x-k8s.io/podset': 'worker', ...COMMON },
        annotations: { ...OF_WORKLOAD, consumes: 'r1' },
        nodeSelector: { pool: 'spot', gpu: 'a100', request: 'r1' },
        tolerations: [spot],
        schedulingGates: [],
      },
    });
  });

  it('holds pods that Kueue places by its gate', () => {
    const podSetAssignments = [{ name: 'worker', topologyAssignment: { levels: ['rack'] } }];
    const placedAs = (topologyRequest: object | undefined) =>
      placementsOf(
        {
          ...workload,
          spec: { podSets: [{ name: 'worker', topologyRequest }] },
          status: { admission: { podSetAssignments } },
        },
        FLAVORS,
      ).worker!;
    expect(placedAs({ required: 'rack' })).toMatchObject({
      annotations: OF_WORKLOAD,
      schedulingGates: [{ name: 'kueue.x-k8s.io/topology' }],
    });
    expect(placedAs(undefined).annotations).toEqual({
      ...OF_WORKLOAD,
      'kueue.x-k8s.io/podset-unconstrained-topology': 'true',
    });
  });

  it('conflicts with a template that says otherwise', () => {
    const job = aManifest()
      .role('Worker', 'template.spec.nodeSelector', { request: 'mine', zone: 'a' })
      .job();
    expect(conflictsOf(job, workload)).toEqual([
      {
        path: 'spec.pytorchReplicaSpecs.Worker.template.spec.nodeSelector[request]',
        expected: 'r1, which Kueue’s admission check provisioned asks for',
        got: 'mine',
      },
    ]);
    expect(conflictsOf(aJob(), workload)).toEqual([]);
  });
});

describe('the pods of an admitted attempt', () => {
  const job = aManifest()
    .role('Worker', 'template.spec.nodeSelector', { zone: 'a' })
    .role('Worker', 'template.spec.tolerations', [{ key: 'own' }])
    .job();
  const podsWith = (placement?: ReturnType<typeof placementsOf>) =>
    renderAttempt(job, { number: 2, anchorUid: 'u' }, { gang: 'kueue', asGang: true, placement }).pods;

  it('have what the admission adds to their templates', () => {
    const [master, worker] = podsWith(placementsOf(workload, FLAVORS));
    expect(worker).toMatchObject({
      metadata: { labels: { 'kueue.x-k8s.io/podset': 'worker' }, annotations: OF_WORKLOAD },
      spec: {
        nodeSelector: { zone: 'a', pool: 'spot', gpu: 'a100', request: 'r1' },
        tolerations: [{ key: 'own' }, spot],
      },
    });
    expect(master!.spec).not.toHaveProperty('nodeSelector');
    expect(master!.spec).not.toHaveProperty('schedulingGates');
  });

  it('are the same when the admission is read from what the anchor has of it', () => {
    const roles = placementsOf(workload, FLAVORS);
    const kept = parsePlacement(JSON.stringify({ attempt: 2, roles }));
    expect(podsWith(kept?.roles)).toEqual(podsWith(roles));
  });

  it.each(['{', '[]', '{"attempt":1}', undefined])('no admission is read from %s', (text) => {
    expect(parsePlacement(text)).toBeUndefined();
  });
});
