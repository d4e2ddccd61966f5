import type { KubeObject, Node, Pod } from '../../contracts/kubernetes.ts';
import {
  ABSENT,
  claimName,
  DEVICES,
  GENERATION,
  GPU,
  NIC,
  nodeName,
  POOL,
  PRIORITIES,
  PROVISIONER,
  RUNTIMES,
  STORAGE,
  TAINTS,
  ZONE,
} from './names.ts';
import type {
  RandomClaim,
  RandomCluster,
  RandomLimits,
  RandomNode,
  RandomOther,
  RandomQuota,
} from './random-cluster.ts';

/** What a random cluster is made of, in the order in which it is made. */
export interface ClusterObjects {
  readonly namespaces: readonly KubeObject[];
  readonly nodes: readonly Node[];
  /** Made before quotas and limits count. */
  readonly others: readonly Pod[];
  readonly volumes: readonly KubeObject[];
  readonly rest: readonly KubeObject[];
}

/** Objects that all clusters of the pairs have. */
export const OF_EVERY_CLUSTER: readonly KubeObject[] = [
  priorityClass(PRIORITIES.low, { value: 100 }),
  priorityClass(PRIORITIES.high, { value: 1000 }),
  priorityClass(PRIORITIES.polite, { value: 1000, preemptionPolicy: 'Never' }),
  storageClass(STORAGE.now, { volumeBindingMode: 'Immediate' }),
  storageClass(STORAGE.later, {}),
  storageClass(STORAGE.madeNow, { provisioner: PROVISIONER, volumeBindingMode: 'Immediate' }),
  storageClass(STORAGE.madeLater, { provisioner: PROVISIONER }),
  storageClass(STORAGE.madeInZone, {
    provisioner: PROVISIONER,
    allowedTopologies: [{ matchLabelExpressions: [{ key: ZONE, values: ['a'] }] }],
  }),
  {
    ...{ apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: RUNTIMES.heavy } },
    ...{ handler: 'heavy', overhead: { podFixed: { cpu: '1' } } },
  },
  {
    ...{ apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: RUNTIMES.pinned } },
    handler: 'pinned',
    scheduling: {
      nodeSelector: { [ZONE]: 'a' },
      tolerations: [{ ...TAINTS.dedicated, operator: 'Equal' }],
    },
  },
  {
    ...{ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: DEVICES } },
    spec: { selectors: [{ cel: { expression: `device.driver == "${DEVICES}"` } }] },
  },
];

function priorityClass(name: string, of: Readonly<Record<string, unknown>>): KubeObject {
  return { ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name } }, ...of };
}

function storageClass(name: string, of: Readonly<Record<string, unknown>>): KubeObject {
  return {
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name } },
    ...{ provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' },
    ...of,
  };
}

export function objectsOfCluster(cluster: RandomCluster, namespace: string): ClusterObjects {
  const { nodes, others, quotas, limits, claims, configMaps, security } = cluster;
  const neighbours = `${namespace}-others`;
  const claimed = claims.map((claim, index) => volumeAndClaim(claim, { name: claimName(index), namespace }));
  const inNamespace = (kind: string, name: string, more: object, apiVersion = 'v1'): KubeObject => ({
    ...{ apiVersion, kind, metadata: { name, namespace } },
    ...more,
  });
  return {
    namespaces: [namespace, neighbours].map((name) => ({
      ...{ apiVersion: 'v1', kind: 'Namespace' },
      metadata: {
        name,
        labels: {
          pairs: name === namespace ? 'own' : 'neighbours',
          ...(security && name === namespace ? { 'pod-security.kubernetes.io/enforce': security } : {}),
        },
      },
    })),
    nodes: nodes.map(nodeObject),
    others:
      nodes.length === 0
        ? []
        : others.map((other, index) =>
            // A namespace with a level refuses pods with ports of nodes.
            otherPod(other, { index, nodes, neighbours, namespace: security ? neighbours : namespace }),
          ),
    volumes: claimed.flatMap(({ volume }) => volume ?? []),
    rest: [
      ...claimed.map(({ claim }) => claim),
      ...nodes.flatMap((node, index) => (node.devices > 0 ? [devicesOf(node, index)] : [])),
      inNamespace('Secret', 'keys', { stringData: {} }),
      ...Array.from({ length: configMaps }, (_, index) => inNamespace('ConfigMap', `noise-${index}`, {})),
      ...DEVICE_CLAIMS.map(({ kind, name, deviceClassName }) => {
        const spec = { devices: { requests: [{ name: 'card', exactly: { deviceClassName } }] } };
        const more = { spec: kind === 'ResourceClaim' ? spec : { spec } };
        return inNamespace(kind, name, more, 'resource.k8s.io/v1');
      }),
      ...(limits ? [inNamespace('LimitRange', 'limits', { spec: { limits: [limitsObject(limits)] } })] : []),
      ...quotas.map((quota, index) =>
        inNamespace('ResourceQuota', `quota-${index}`, { spec: quotaSpec(quota) }),
      ),
    ],
  };
}

const DEVICE_CLAIMS = [
  { kind: 'ResourceClaimTemplate', name: 'template', deviceClassName: DEVICES },
  { kind: 'ResourceClaim', name: 'cards', deviceClassName: DEVICES },
  { kind: 'ResourceClaim', name: 'classless', deviceClassName: ABSENT },
] as const;

function nodeObject(node: RandomNode, index: number): Node {
  const { zone, pool, generation, taints, isCordoned, isNotReady } = node;
  const name = nodeName(index);
  const amounts = {
    ...{
      cpu: String(node.cpu),
      memory: `${node.memory}Gi`,
      pods: String(node.pods),
      [GPU]: String(node.gpus),
    },
    ...(node.nics > 0 ? { [NIC]: String(node.nics) } : {}),
  };
  return {
    ...{ apiVersion: 'v1', kind: 'Node' },
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        ...(zone ? { [ZONE]: zone } : {}),
        ...(pool ? { [POOL]: pool } : {}),
        ...(generation ? { [GENERATION]: generation } : {}),
      },
    },
    spec: { taints: taints.map((taint) => TAINTS[taint]), ...(isCordoned ? { unschedulable: true } : {}) },
    status: {
      ...{ capacity: amounts, allocatable: amounts },
      conditions: [isNotReady ? { type: 'Ready', status: 'False' } : { type: 'Ready', status: 'True' }],
    },
  };
}

interface Among {
  readonly index: number;
  readonly nodes: readonly RandomNode[];
  readonly namespace: string;
  readonly neighbours: string;
}

function otherPod(other: RandomOther, { index, nodes, namespace, neighbours }: Among): Pod {
  const node = nodeName(other.node % nodes.length);
  const requests: Record<string, string> = {
    ...(other.cpu > 0 ? { cpu: String(other.cpu) } : {}),
    ...(other.gpus > 0 ? { [GPU]: String(other.gpus) } : {}),
  };
  const limits: Record<string, string> = other.gpus > 0 ? { [GPU]: String(other.gpus) } : {};
  const ports = other.port ? [{ containerPort: other.port, hostPort: other.port }] : [];
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: {
      ...{ name: `other-${index}`, namespace: other.isInNamespace ? namespace : neighbours },
      labels: { app: other.app },
      ...(other.isOfNode
        ? { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node, uid: '' }] }
        : {}),
    },
    spec: {
      nodeName: node,
      containers: [{ name: 'main', image: 'other:1', ports, resources: { requests, limits } }],
      tolerations: [{ operator: 'Exists' }],
      terminationGracePeriodSeconds: other.isLeaving ? 3600 : 0,
      ...(other.isOfNode ? { priorityClassName: 'system-node-critical' } : {}),
      ...(other.priority && !other.isOfNode ? { priorityClassName: PRIORITIES[other.priority] } : {}),
      ...(other.keepsAway ? { affinity: keepsAway(other.keepsAway) } : {}),
    },
  };
}

const keepsAway = (app: string) => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      {
        ...{ topologyKey: 'kubernetes.io/hostname', namespaceSelector: {} },
        labelSelector: { matchLabels: { app } },
      },
    ],
  },
});

function volumeAndClaim(
  { is, zone, mode }: RandomClaim,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): { readonly volume?: KubeObject; readonly claim: KubeObject } {
  const storage = { storage: '1Gi' };
  const volumeName = `${namespace}-${name}`;
  const storageClassName = STORAGE_OF[is];
  const volume: KubeObject = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: volumeName } },
    spec: {
      ...{ capacity: storage, accessModes: [mode], storageClassName, hostPath: { path: '/tmp' } },
      persistentVolumeReclaimPolicy: 'Retain',
      ...(is === 'bound' || is === 'nowBinds' ? { claimRef: { namespace, name } } : {}),
      ...(zone ? { nodeAffinity: { required: { nodeSelectorTerms: inZone(zone) } } } : {}),
    },
  };
  const claim: KubeObject = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace } },
    spec: {
      ...{ accessModes: [mode], storageClassName, resources: { requests: storage } },
      ...(is === 'bound' ? { volumeName } : {}),
    },
  };
  return WITH_VOLUME.has(is) ? { volume, claim } : { claim };
}

const inZone = (zone: string) => [{ matchExpressions: [{ key: ZONE, operator: 'In', values: [zone] }] }];

/** What people made a volume for. */
const WITH_VOLUME: ReadonlySet<RandomClaim['is']> = new Set([
  'bound',
  'later',
  'nowBinds',
  'madeLaterOrThis',
]);

const STORAGE_OF: Readonly<Record<RandomClaim['is'], string>> = {
  bound: '',
  later: STORAGE.later,
  laterNone: STORAGE.later,
  now: STORAGE.now,
  nowBinds: STORAGE.now,
  madeNow: STORAGE.madeNow,
  madeLater: STORAGE.madeLater,
  madeLaterOrThis: STORAGE.madeLater,
  madeInZone: STORAGE.madeInZone,
  classless: '',
  absentClass: ABSENT,
};

const devicesOf = ({ devices }: RandomNode, index: number): KubeObject => ({
  ...{
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: `${nodeName(index)}-devices` },
  },
  spec: {
    ...{ driver: DEVICES, nodeName: nodeName(index) },
    pool: { name: nodeName(index), generation: 1, resourceSliceCount: 1 },
    devices: Array.from({ length: devices }, (_, device) => ({ name: `card-${device}` })),
  },
});

const limitsObject = ({ defaultCpu, maxCpu, minCpu, maxMemory, ratio }: RandomLimits) => ({
  type: 'Container',
  default: defaultCpu ? { cpu: String(Math.min(defaultCpu, maxCpu ?? defaultCpu)) } : undefined,
  max: {
    ...(maxCpu ? { cpu: String(maxCpu) } : {}),
    ...(maxMemory ? { memory: `${maxMemory}Gi` } : {}),
  },
  min: minCpu ? { cpu: String(minCpu) } : {},
  maxLimitRequestRatio: ratio ? { cpu: String(ratio) } : {},
});

const quotaSpec = ({ scope, resource, hard }: RandomQuota) => ({
  hard: { [resource]: /memory/.test(resource) ? `${hard}Gi` : String(hard) },
  ...(scope
    ? {
        scopeSelector: {
          matchExpressions: [
            scope === 'PriorityClass'
              ? { scopeName: scope, operator: 'In', values: [PRIORITIES.low, PRIORITIES.high] }
              : { scopeName: scope, operator: 'Exists' },
          ],
        },
      }
    : {}),
});
