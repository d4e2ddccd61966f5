import { describe, expect, it } from '@jest/globals';
import { readReferences } from '../../../../client/use-cases/why/read-references.ts';
import type { PodSpec } from '../../../../contracts/kubernetes.ts';
import { type Answers, readingOf, served } from './answering-cluster.ts';

/** Objects that pods name. */

const CORE = {
  '/api/v1': served('configmaps', 'secrets', 'persistentvolumeclaims', 'serviceaccounts'),
  '/apis/scheduling.k8s.io/v1': served('priorityclasses'),
};

interface Given {
  readonly made?: readonly string[];
  readonly pods?: number;
}

async function found(spec: Partial<PodSpec>, answers: Answers = {}, { made = [], pods = 2 }: Given = {}) {
  const { reading, sent } = readingOf({ ...CORE, ...answers });
  const pod = { role: 'worker', spec: { containers: [], ...spec }, isCreated: false };
  const all = Array.from({ length: pods }, () => pod);
  const references = await readReferences(reading, all, { namespace: 'ml', made: new Set(made) });
  return { ...references, unread: reading.unread, sent };
}

const missing = async (...given: Parameters<typeof found>) =>
  (await found(...given)).missing.map(({ kind, name }) => `${kind}/${name}`);

describe('objects that do not exist', () => {
  const spec = {
    serviceAccountName: 'trainer',
    priorityClassName: 'low',
    imagePullSecrets: [{ name: 'registry' }],
    volumes: [
      { name: 'a', configMap: { name: 'settings' } },
      { name: 'b', secret: { secretName: 'key' } },
      { name: 'c', projected: { sources: [{ configMap: { name: 'ca' } }, { secret: { name: 'token' } }] } },
      { name: 'd', configMap: { name: 'may-be-absent', optional: true } },
    ],
    containers: [
      {
        name: 'pytorch',
        envFrom: [{ configMapRef: { name: 'env' } }],
        env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'password', key: 'a' } } }],
      },
    ],
  };

  it('are all found, without those that may be missing', async () => {
    expect(await missing(spec)).toEqual([
      ...['ConfigMap/ca', 'ConfigMap/env', 'Secret/key', 'PriorityClass/low', 'Secret/password'],
      ...['ConfigMap/settings', 'Secret/token', 'ServiceAccount/trainer'],
    ]);
  });

  it('are notes where pods start without them', async () => {
    expect((await found(spec)).notes).toEqual([
      'the ConfigMap may-be-absent does not exist; volume d of worker names it, and the pods start without it',
      'the Secret registry does not exist; imagePullSecrets of worker names it, and the pods start without it',
    ]);
  });

  it('have the name beside them that was probably meant', async () => {
    const items = ['low-priority', 'lov'].map((name) => ({ metadata: { name } }));
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
    const { missing: references } = await found(
      { priorityClassName: 'low' },
      { [classes]: { metadata: {}, items } },
    );
    expect(references).toMatchObject([{ kind: 'PriorityClass', name: 'low', near: 'lov' }]);
  });

  it('have those that exist beside them, if none has a name like theirs', async () => {
    const names = ['system-node-critical', 'urgent', 'batch', 'nightly', 'idle'];
    const items = names.map((name) => ({ metadata: { name } }));
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
    const { missing: references } = await found(
      { priorityClassName: 'low' },
      { [classes]: { metadata: {}, items } },
    );
    expect(references).toEqual([
      expect.objectContaining({ name: 'low', there: ['batch', 'idle', 'nightly'] }),
    ]);
  });

  it('are not missing if the job makes them', async () => {
    const volumes = [{ name: 'a', configMap: { name: 'hosts' } }];
    expect(await missing({ volumes }, {}, { made: ['ConfigMap/hosts'] })).toEqual([]);
  });

  it('are said with where the pods name them', async () => {
    const { missing: references } = await found({
      volumes: [{ name: 'a', configMap: { name: 'settings' } }],
    });
    expect(references).toEqual([{ kind: 'ConfigMap', name: 'settings', of: 'volume a of worker' }]);
  });
});

describe('keys that containers and volumes name', () => {
  const ref = (key: string, more = {}) => ({ configMapKeyRef: { name: 'hparams', key, ...more } });
  const env = (...refs: readonly Readonly<Record<string, unknown>>[]) => ({
    containers: [{ name: 'main', env: refs.map((valueFrom, at) => ({ name: `V${at}`, valueFrom })) }],
  });
  const HAS = { '/api/v1/namespaces/ml/configmaps/hparams': { metadata: {}, data: { lr: '1', steps: '2' } } };

  it('are missing where the ConfigMap lacks them, with the one that was probably meant', async () => {
    const spec = {
      ...env(ref('step'), ref('learning_rate'), ref('lr'), ref('seed', { optional: true })),
      volumes: [{ name: 'v', configMap: { name: 'hparams', items: [{ key: 'learning_rate', path: 'x' }] } }],
    };
    expect((await found(spec, HAS)).missing).toEqual([
      expect.objectContaining({
        kind: 'ConfigMap',
        name: 'hparams',
        key: 'learning_rate',
        there: ['lr', 'steps'],
      }),
      expect.objectContaining({ key: 'step', near: 'steps', of: 'container main of worker' }),
    ]);
  });

  it('are not looked for where the ConfigMap does not exist', async () => {
    expect(await missing(env(ref('lr')))).toEqual(['ConfigMap/hparams']);
  });

  it('of Secrets are unknown', async () => {
    const { unread, missing: none } = await found(env({ secretKeyRef: { name: 'wandb', key: 'api' } }), {
      '/api/v1/namespaces/ml/secrets/wandb': { metadata: {} },
    });
    expect(none).toEqual([]);
    expect(unread).toEqual(['whether Secret wandb has api is not known: contents of Secrets are not read']);
  });
});

it('of Secrets only metadata is read, and once for all replicas', async () => {
  const { sent } = await found(
    { volumes: [{ name: 'b', secret: { secretName: 'key' } }] },
    { '/api/v1/namespaces/ml/secrets/key': { metadata: { name: 'key' } } },
  );
  expect(sent).toEqual(['GET /api/v1/namespaces/ml/secrets/key (metadata)']);
});

it('what may not be read is unknown, not missing', async () => {
  const answers = { '/api/v1/namespaces/ml/secrets/key': 403 } as const;
  const { missing: none, unread } = await found(
    { volumes: [{ name: 'b', secret: { secretName: 'key' } }] },
    answers,
  );
  expect(none).toEqual([]);
  expect(unread).toEqual(['whether Secret key exists is not known: it may not be read (403 no right)']);
});

it('a claim for devices of an API that the cluster does not serve is not missing', async () => {
  const resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }];
  expect(await missing({ resourceClaims })).toEqual([]);
});

describe('a PersistentVolumeClaim', () => {
  const spec = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
  const CLAIM = '/api/v1/namespaces/ml/persistentvolumeclaims/data';
  const claim = (fields: object, phase: string) => ({
    metadata: { name: 'data', creationTimestamp: '2026-11-27T10:00:00Z' },
    spec: fields,
    status: { phase },
  });
  const FAST = '/apis/storage.k8s.io/v1/storageclasses/fast';
  const pending = claim({ storageClassName: 'fast' }, 'Pending');

  it('that its StorageClass has not bound is a reason', async () => {
    const answers = { [CLAIM]: pending, [FAST]: { metadata: {}, volumeBindingMode: 'Immediate' } };
    expect((await found(spec, answers)).pending).toEqual([
      { claim: 'data', why: 'is not bound yet by its StorageClass fast', since: '2026-11-27T10:00:00Z' },
    ]);
  });

  it('that is bound with its first pod is none, and leaves the place unknown', async () => {
    const answers = { [CLAIM]: pending, [FAST]: { metadata: {}, volumeBindingMode: 'WaitForFirstConsumer' } };
    const { pending: none, places } = await found(spec, answers);
    expect([none, places.get('data')]).toEqual([[], 'later']);
  });

  describe('that is bound with its first pod to a volume that somebody made', () => {
    const wanted = claim(
      {
        ...{ storageClassName: 'fast', accessModes: ['ReadWriteOnce'] },
        resources: { requests: { storage: '10Gi' } },
      },
      'Pending',
    );
    const inZone = (zone: string) => [
      { matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] },
    ];
    const volume = (fields: object = {}) => ({
      metadata: { name: 'v' },
      spec: {
        ...{ storageClassName: 'fast', accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] },
        capacity: { storage: '10Gi' },
        nodeAffinity: { required: { nodeSelectorTerms: inZone('a') } },
        ...fields,
      },
    });
    const among = (...items: object[]) => ({
      [CLAIM]: wanted,
      [FAST]: {
        metadata: {},
        ...{ volumeBindingMode: 'WaitForFirstConsumer', provisioner: 'kubernetes.io/no-provisioner' },
      },
      '/api/v1/persistentvolumes': { metadata: {}, items },
    });

    it('can be used where all that are free for it can', async () => {
      const { places } = await found(spec, among(volume(), volume()));
      expect(places.get('data')).toEqual(inZone('a'));
    });

    it('leaves the place unknown if they differ', async () => {
      const other = volume({ nodeAffinity: { required: { nodeSelectorTerms: inZone('b') } } });
      const { places } = await found(spec, among(volume(), other));
      expect(places.get('data')).toBe('later');
    });

    it.each([
      ['too small', { capacity: { storage: '9Gi' } }],
      ['of another class', { storageClassName: 'slow' }],
      ['of other access modes', { accessModes: ['ReadOnlyMany'] }],
      ['a block device', { volumeMode: 'Block' }],
      ['of another claim', { claimRef: { namespace: 'ml', name: 'others' } }],
    ])('waits for one if that is %s', async (_, fields) => {
      const { pending: waits } = await found(spec, among(volume(fields)));
      expect(waits).toMatchObject([
        { claim: 'data', why: expect.stringMatching(/no PersistentVolume .* is free/) },
      ]);
    });
  });

  describe('that is bound with its first pod to a volume that is made then', () => {
    const PROVISIONER = 'csi.example.com';
    const made = (fields: object, more: Parameters<typeof found>[1] = {}) => ({
      [CLAIM]: pending,
      [FAST]: {
        metadata: { name: 'fast' },
        ...{ volumeBindingMode: 'WaitForFirstConsumer', provisioner: PROVISIONER, ...fields },
      },
      '/api/v1/persistentvolumes': { metadata: {}, items: [] },
      ...more,
    });
    const allowedTopologies = [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }];
    const allowed = [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] }];
    const ofOne = async (answers: Parameters<typeof found>[1]) => found(spec, answers, { pods: 1 });

    it('lets one pod run where its StorageClass allows, or anywhere', async () => {
      expect((await ofOne(made({ allowedTopologies }))).places.get('data')).toEqual(allowed);
      expect((await ofOne(made({}))).places.has('data')).toBe(false);
    });

    it('leaves the place of several unknown: the volume of the first decides', async () => {
      expect((await found(spec, made({ allowedTopologies }))).places.get('data')).toBe('later');
    });

    it.each([
      ['has a limit of its storage', { metadata: {}, spec: { storageCapacity: true } }],
      ['may not be read', 403 as const],
    ])('leaves it unknown where its driver %s', async (_, driver) => {
      const path = `/apis/storage.k8s.io/v1/csidrivers/${PROVISIONER}`;
      expect((await ofOne(made({}, { [path]: driver }))).places.get('data')).toBe('later');
    });

    it('waits for it once a node is chosen', async () => {
      const annotations = { 'volume.kubernetes.io/selected-node': 'node-1' };
      const chosen = { ...pending, metadata: { ...pending.metadata, annotations } };
      expect((await ofOne(made({}, { [CLAIM]: chosen }))).pending).toMatchObject([
        { claim: 'data', why: 'waits for csi.example.com to make its volume for node node-1' },
      ]);
    });
  });

  it('whose StorageClass does not exist names that', async () => {
    expect(await missing(spec, { [CLAIM]: pending })).toEqual(['StorageClass/fast']);
  });

  it('that has lost its volume, or names no StorageClass, is a reason', async () => {
    for (const [phase, why] of [
      ['Lost', 'has lost its volume'],
      ['Pending', 'is not bound, and names no StorageClass'],
    ] as const)
      expect((await found(spec, { [CLAIM]: claim({}, phase) })).pending).toMatchObject([{ why }]);
  });

  it('that is bound limits its pods to the nodes of its volume', async () => {
    const nodeSelectorTerms = [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }];
    const answers = {
      [CLAIM]: claim({ volumeName: 'v' }, 'Bound'),
      '/api/v1/persistentvolumes/v': {
        metadata: {},
        spec: { nodeAffinity: { required: { nodeSelectorTerms } } },
      },
    };
    expect((await found(spec, answers)).places.get('data')).toEqual(nodeSelectorTerms);
  });

  it.each([
    [CLAIM, 'whether PersistentVolumeClaim data exists is not known'],
    ['/api/v1/persistentvolumes/v', 'on which nodes volumes can be used is not known'],
  ])('leaves the place of its pods unknown where %s may not be read', async (path, sentence) => {
    const answers = { [CLAIM]: claim({ volumeName: 'v' }, 'Bound'), [path]: 403 as const };
    const { places, unread, missing: none } = await found(spec, answers);
    expect([places.get('data'), none]).toEqual(['unknown', []]);
    expect(unread).toEqual([expect.stringContaining(sentence)]);
  });
});

describe('devices', () => {
  const claims = '/apis/resource.k8s.io/v1/namespaces/ml/resourceclaims';
  const spec = { devices: { requests: [{ name: 'card', exactly: { deviceClassName: 'gpu.example.com' } }] } };
  const resourceClaims = [{ name: 'card', resourceClaimName: 'cards' }];

  it('of a claim whose class does not exist', async () => {
    const { missing: references } = await found(
      { resourceClaims },
      {
        '/apis/resource.k8s.io/v1': served('resourceclaims', 'deviceclasses'),
        [`${claims}/cards`]: { metadata: { name: 'cards' }, spec },
      },
    );
    expect(references).toEqual([{ kind: 'DeviceClass', name: 'gpu.example.com', of: 'ResourceClaim cards' }]);
  });

  it('of a claim whose class exists', async () => {
    const references = await missing(
      { resourceClaims },
      {
        '/apis/resource.k8s.io/v1': served('resourceclaims', 'deviceclasses'),
        [`${claims}/cards`]: { metadata: { name: 'cards' }, spec },
        '/apis/resource.k8s.io/v1/deviceclasses/gpu.example.com': { metadata: { name: 'gpu.example.com' } },
      },
    );
    expect(references).toEqual([]);
  });
});

it('a claim for one pod is not for several', async () => {
  const { pending } = await found(
    { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
    {
      '/api/v1/namespaces/ml/persistentvolumeclaims/data': {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOncePod'], storageClassName: '' },
      },
    },
  );
  expect(pending).toEqual([
    { claim: 'data', why: 'is ReadWriteOncePod, for one pod; 2 pods mount it', never: true },
  ]);
});
