import { describe, expect, it } from '@jest/globals';
import { unknownFields } from '../../../frameworks/fields/unknown-fields.ts';
import { findFramework } from '../../../frameworks/kinds/registry.ts';
import { aManifest, aRole, type ManifestBuilder } from '../manifests.ts';

const pytorch = findFramework('kubeflow.org/v1', 'PyTorchJob')!;
const paddle = findFramework('batch.paddlepaddle.org/v1', 'PaddleJob')!;

const WORKER = 'spec.pytorchReplicaSpecs.Worker';

describe('an unknown field is found, with a suggestion:', () => {
  const table: readonly [(m: ManifestBuilder) => ManifestBuilder, path: string, nearest?: string][] = [
    [(m) => m.with('specs', {}), 'specs', 'spec'],
    [(m) => m.with('metadata.label', {}), 'metadata.label', 'labels'],
    [(m) => m.with('spec.nproc_per_node', 2), 'spec.nproc_per_node', 'nprocPerNode'],
    [(m) => m.with('spec.RunPolicy', {}), 'spec.RunPolicy', 'runPolicy'],
    [(m) => m.with('spec.cleanPodPolicy', 'All'), 'spec.cleanPodPolicy', 'spec.runPolicy.cleanPodPolicy'],
    [(m) => m.with('runPolicy', {}), 'runPolicy', 'spec.runPolicy'],
    [(m) => m.with('spec.replicas', 2), 'spec.replicas', 'spec.pytorchReplicaSpecs.Master.replicas'],
    [(m) => m.with('spec.runPolicy.backofLimt', 2), 'spec.runPolicy.backofLimt', 'backoffLimit'],
    [
      (m) => m.with('spec.runPolicy.schedulingPolicy.minMember', 2),
      'spec.runPolicy.schedulingPolicy.minMember',
    ],
    [(m) => m.with('spec.elasticPolicy.minReplica', 2), 'spec.elasticPolicy.minReplica', 'minReplicas'],
    [
      (m) => m.with('spec.elasticPolicy.rdzvConf', [{ key: 'a', val: 'b' }]),
      'spec.elasticPolicy.rdzvConf[0].val',
      'value',
    ],
    [(m) => m.role('Worker', 'replica', 2), `${WORKER}.replica`, 'replicas'],
    [
      (m) => m.role('Worker', 'template.replicas', 2),
      `${WORKER}.template.replicas`,
      'spec.pytorchReplicaSpecs.Master.replicas',
    ],
    [(m) => m.with('spec.queue', 'a'), 'spec.queue', 'spec.runPolicy.schedulingPolicy.queue'],
    [(m) => m.with('spec.priority', 7), 'spec.priority'],
  ];
  it.each(table.map(([change, path, nearest]) => [path, nearest, change] as const))(
    '%s: %s',
    (path, nearest, change) => {
      const found = unknownFields(pytorch, change(aManifest()).build());
      expect(found).toEqual([expect.objectContaining({ path, nearest, got: expect.any(String) })]);
    },
  );
});

describe('an unknown field of pods is found, with a suggestion:', () => {
  const POD = `${WORKER}.template`;
  const MAIN = `${POD}.spec.containers[0]`;
  const expression = { key: 'gpu', operator: 'In', value: ['a100'] };
  const claim = { volumeClaimTemplate: { spec: { storageClass: 'fast', accessMode: ['ReadWriteOnce'] } } };
  const table: readonly [
    where: string,
    value: object,
    found: Readonly<Record<string, string | undefined>>,
  ][] = [
    ['spec', { nodeSelectr: {} }, { [`${POD}.spec.nodeSelectr`]: 'nodeSelector' }],
    ['spec', { imagePullSecret: [] }, { [`${POD}.spec.imagePullSecret`]: 'imagePullSecrets' }],
    ['spec', { env: [] }, { [`${POD}.spec.env`]: `${POD}.spec.containers[0].env` }],
    ['spec', { backoffLimit: 3 }, { [`${POD}.spec.backoffLimit`]: 'spec.runPolicy.backoffLimit' }],
    ['metadata', { label: {} }, { [`${POD}.metadata.label`]: 'labels' }],
    ['spec.containers[0]', { resource: {} }, { [`${MAIN}.resource`]: 'resources' }],
    ['spec.containers[0]', { nodeSelector: {} }, { [`${MAIN}.nodeSelector`]: `${POD}.spec.nodeSelector` }],
    ['spec.containers[0]', { resources: { limit: {} } }, { [`${MAIN}.resources.limit`]: 'limits' }],
    ['spec.containers[0]', { env: [{ name: 'A', values: 'b' }] }, { [`${MAIN}.env[0].values`]: 'value' }],
    ['spec', { securityContext: { runAsUsr: 7 } }, { [`${POD}.spec.securityContext.runAsUsr`]: 'runAsUser' }],
    [
      'spec',
      { affinity: { nodeAffinity: { requiredDuringScheduling: {} } } },
      {
        [`${POD}.spec.affinity.nodeAffinity.requiredDuringScheduling`]:
          'requiredDuringSchedulingIgnoredDuringExecution',
      },
    ],
    [
      'spec',
      { topologySpreadConstraints: [{ labelSelector: { matchExpressions: [expression] } }] },
      {
        [`${POD}.spec.topologySpreadConstraints[0].labelSelector.matchExpressions[0].value`]: 'values',
      },
    ],
    [
      'spec',
      { volumes: [{ name: 'scratch', ephemeral: claim }] },
      {
        [`${POD}.spec.volumes[0].ephemeral.volumeClaimTemplate.spec.storageClass`]: 'storageClassName',
        [`${POD}.spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessMode`]: 'accessModes',
      },
    ],
  ];
  it.each(table)('in %s: %j', (where, value, expected) => {
    const container = { name: 'pytorch', image: 'busybox', ...(where === 'spec.containers[0]' && value) };
    const spec = { containers: [container], ...(where === 'spec' && value) };
    const whole = { metadata: where === 'metadata' ? value : {}, spec };
    const found = unknownFields(pytorch, aManifest().role('Worker', 'template', whole).build());
    expect(Object.fromEntries(found.map(({ path, nearest }) => [path, nearest]))).toEqual(expected);
  });
});

describe('no unknown field is reported for', () => {
  it.each<[string, (m: ManifestBuilder) => ManifestBuilder]>([
    ['a role in any case', (m) => m.with('spec.pytorchReplicaSpecs', { WORKER: aRole() })],
    [
      'what the API server wrote of pods',
      (m) => m.role('Worker', 'template.metadata.creationTimestamp', null),
    ],
    ['what the API server wrote', (m) => m.with('status', { conditions: [] }).with('metadata.uid', 'a')],
    ['what is no object at all', (m) => m.with('spec.runPolicy', 7)],
  ])('%s', (_what, change) => {
    expect(unknownFields(pytorch, change(aManifest()).build())).toEqual([]);
  });

  it('roles that are fields of spec, in any case', () => {
    const spec = { Worker: { replicas: 1, template: {} }, sp: {} };
    expect(unknownFields(paddle, { spec }).map(({ path, nearest }) => [path, nearest])).toEqual([
      ['spec.sp', 'ps'],
    ]);
  });
});

describe('an unknown annotation with signalbox’s own prefix', () => {
  const annotated = (name: string) => {
    const { metadata, ...others } = aManifest().build() as unknown as { metadata: object };
    const manifest = { ...others, metadata: { ...metadata, annotations: { [name]: 'x' } } };
    return unknownFields(pytorch, manifest).map(({ path, nearest }) => [path, nearest]);
  };

  it('is found, with a suggestion', () => {
    expect(annotated('signalbox.dev/polcy')).toEqual([
      ['metadata.annotations[signalbox.dev/polcy]', 'signalbox.dev/policy'],
    ]);
    expect(annotated('signalbox.dev/whatever')).toEqual([
      ['metadata.annotations[signalbox.dev/whatever]', undefined],
    ]);
  });

  it.each(['signalbox.io/policy', 'signabox.dev/policy'])('is found under a misspelt prefix: %s', (name) => {
    expect(annotated(name)).toEqual([[`metadata.annotations[${name}]`, 'signalbox.dev/policy']]);
  });

  it.each(['signalbox.dev/policy', 'signalbox.dev/workflow-id', 'example.com/polcy'])(
    'does not include %s',
    (name) => {
      expect(annotated(name)).toEqual([]);
    },
  );
});
