import type { ReasonCode, WaitCode, Who } from '../../contracts/reasons.ts';

/** Situations in which a job waits, or does not, each with what `why` says; docs/why.md shows them as a table. */
export interface WhySituation {
  /** As a row of the table. */
  readonly title: string;
  /** Nodes of its own; without them its pods run on the two of `TWO`. */
  readonly nodes?: readonly SituationNode[];
  /** Its pods may run on all nodes of the cluster. */
  readonly isAnywhere?: true;
  /** In its namespace, unless it belongs to none. */
  readonly objects?: readonly object[];
  /** Labels of its namespace. */
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** Pods of others on its nodes: with labels, and what they request. */
  readonly others?: readonly OtherPod[];
  /** Two by default. */
  readonly pods?: number;
  /** Of the pod template. */
  readonly spec?: Readonly<Record<string, unknown>>;
  /** What its only container requests and has. */
  readonly limits?: Readonly<Record<string, string>>;
  readonly container?: Readonly<Record<string, unknown>>;
  readonly gang?: 'native';
  readonly minAvailable?: number;
  /** Absent: it would start at once. */
  readonly code?: WaitCode;
  /** Words of the reason. */
  readonly says?: string;
  /** Words of what to do. */
  readonly remedy?: string;
  /** Words of a note. */
  readonly note?: string;
  readonly who?: Who;
  /**
   * The first reason once it is submitted, if that is another. `Running`: its pods get nodes, and these have no kubelet that would mind;
   * `Failed`: for that reason, or the one that `failsWith` names.
   */
  readonly onceSubmitted?: WaitCode | 'Running' | 'Failed';
  readonly failsWith?: ReasonCode;
}

export interface SituationNode {
  readonly labels?: Readonly<Record<string, string>>;
  /** `key=value:Effect`. */
  readonly taint?: string;
  readonly has?: Readonly<Record<string, string>>;
  readonly isCordoned?: true;
}

export interface OtherPod {
  /** Of the node, by its index. */
  readonly on: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** The nodes of situations that have none of their own. */
export const TWO: readonly SituationNode[] = [
  { labels: { 'why.example.com/zone': 'a', 'why.example.com/model': 'h100' } },
  { labels: { 'why.example.com/zone': 'b', 'why.example.com/model': 'h100' } },
];

const ZONE = 'why.example.com/zone';
const HOST = 'kubernetes.io/hostname';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Every pod of a situation has this label; its namespace has no others. */
export const ITSELF = { app: 'train' };
const itself = { matchLabels: ITSELF };

const requires = (...matchExpressions: readonly object[]) => ({
  affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [{ matchExpressions }] } } },
});
const between = (kind: 'podAffinity' | 'podAntiAffinity', topologyKey: string, labelSelector: object) => ({
  affinity: { [kind]: { [REQUIRED]: [{ topologyKey, labelSelector }] } },
});
const spread = (topologyKey: string, more: object = {}) => ({
  topologySpreadConstraints: [
    { topologyKey, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: itself, ...more },
  ],
});
const tolerates = (...tolerations: readonly object[]) => ({ tolerations });
const mounts = (volume: object) => ({ volumes: [{ name: 'data', ...volume }] });
const quota = (name: string, spec: object) => ({
  ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name } },
  spec,
});
const named = (kind: string, name: string, more: object = {}) => ({
  ...{ apiVersion: 'v1', kind, metadata: { name } },
  ...more,
});
const limitRange = (limits: object) => ({
  ...{ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'defaults' } },
  spec: { limits: [{ type: 'Container', ...limits }] },
});
const claim = (name: string, storageClassName: string) =>
  named('PersistentVolumeClaim', name, {
    spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '1Gi' } } },
  });

const priorityClass = (name: string, value: number, more: object = {}) => ({
  ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name } },
  ...{ value, ...more },
});
/** Of a provisioner that is not there. */
const storageClass = (name: string, more: object) => ({
  ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name } },
  ...{ provisioner: 'csi.why.example.com', volumeBindingMode: 'WaitForFirstConsumer' },
  ...more,
});

const ROOM: readonly WhySituation[] = [
  { title: 'nodes have room for all pods' },
  {
    title: 'a pod requests more cpu than any node has',
    limits: { cpu: '1000' },
    ...{ code: 'NeverFits', says: '1000 cpu, the largest node has', who: 'you' },
  },
  {
    title: 'a pod requests more memory than any node has',
    limits: { memory: '900Ti' },
    ...{ code: 'NeverFits', says: '900Ti memory, the largest node has', who: 'you' },
  },
  {
    title: 'a pod requests more local storage than any node has',
    limits: { 'ephemeral-storage': '900Ti' },
    ...{ code: 'NeverFits', says: '900Ti ephemeral-storage', who: 'you' },
  },
  {
    title: 'a pod requests huge pages, which no node has',
    limits: { 'hugepages-2Mi': '2Mi', memory: '1Mi' },
    ...{ code: 'NeverFits', says: 'hugepages-2Mi, the largest node has 0', who: 'you' },
  },
  {
    title: 'the name of a resource is misspelt',
    limits: { 'nvidia.com/gpuu': '1' },
    ...{
      code: 'NeverFits',
      says: 'no node has nvidia.com/gpuu',
      remedy: 'Write nvidia.com/gpu for',
      who: 'you',
    },
  },
  {
    title: 'no node has a resource, nor one with a name like it',
    limits: { 'why.example.com/quantum': '1' },
    ...{ code: 'NeverFits', says: '1 why.example.com/quantum, the largest node has 0', who: 'you' },
  },
  {
    title: 'an init container requests more than any node has',
    spec: {
      initContainers: [
        { name: 'load', image: 'load:1', command: ['load'], resources: { limits: { cpu: '1000' } } },
      ],
    },
    ...{ code: 'NeverFits', says: '1000 cpu', who: 'you' },
  },
  {
    title: 'the nodes that match hold two of the three pods',
    nodes: [{ has: { 'nvidia.com/gpu': '4' } }, { has: { 'nvidia.com/gpu': '4' } }],
    ...{ pods: 3, limits: { 'nvidia.com/gpu': '3' } },
    ...{ code: 'NoNodeMatches', says: 'hold 2 of the 3 pods when they are empty', who: 'either' },
  },
  {
    title: 'all nodes of the cluster hold two of the three pods',
    nodes: [{ has: { 'why.example.com/card': '4' } }, { has: { 'why.example.com/card': '4' } }],
    ...{ pods: 3, limits: { 'why.example.com/card': '3' }, isAnywhere: true },
    ...{ code: 'NeverFits', says: 'hold 2 of them when all are empty', who: 'you' },
  },
  {
    title: 'a gang is larger than all nodes of the cluster',
    nodes: [{ has: { 'why.example.com/gang': '2' } }],
    ...{ pods: 3, limits: { 'why.example.com/gang': '1' }, isAnywhere: true, gang: 'native' },
    ...{ code: 'NeverFits', says: 'they need 3 why.example.com/gang, the cluster has 2', who: 'you' },
  },
  {
    title: 'the minimum of a gang finds room, and never the rest',
    nodes: [{ has: { 'why.example.com/minimum': '2' } }],
    ...{
      pods: 3,
      minAvailable: 2,
      limits: { 'why.example.com/minimum': '1' },
      isAnywhere: true,
      gang: 'native',
    },
    ...{
      code: 'NeverFits',
      says: 'the 2 pods that must find room at once do; 3 pods must have a node',
      who: 'you',
    },
  },
  {
    title: 'a node may have fewer pods than the job',
    nodes: [{ has: { pods: '2' } }],
    pods: 3,
    ...{ code: 'NoNodeMatches', says: 'each holds at most 2, by its pods', who: 'either' },
  },
  {
    title: 'pods of others have the room',
    nodes: [{ has: { 'why.example.com/slot': '4' } }],
    others: [{ on: 0, requests: { 'why.example.com/slot': '4' } }],
    limits: { 'why.example.com/slot': '1' },
    ...{ code: 'NotEnoughRoom', says: 'have 0 free in sum', who: 'nobody' },
  },
  {
    title: 'pods of a lower priority have the room',
    nodes: [{ has: { 'why.example.com/seat': '2' } }],
    objects: [priorityClass('why-urgent', 1000)],
    others: [{ on: 0, requests: { 'why.example.com/seat': '2' } }],
    ...{ spec: { priorityClassName: 'why-urgent' }, limits: { 'why.example.com/seat': '1' } },
    ...{
      code: 'RoomByPreemption',
      says: 'has removed pods of a lower priority; it chooses among those of',
      who: 'nobody',
    },
    onceSubmitted: 'Running',
  },
  {
    title: 'pods of a lower priority have the room, and the priority class never preempts',
    nodes: [{ has: { 'why.example.com/chair': '2' } }],
    objects: [priorityClass('why-patient', 1000, { preemptionPolicy: 'Never' })],
    others: [{ on: 0, requests: { 'why.example.com/chair': '2' } }],
    ...{ spec: { priorityClassName: 'why-patient' }, limits: { 'why.example.com/chair': '1' } },
    ...{ code: 'NotEnoughRoom', says: 'have 0 free in sum', who: 'nobody' },
  },
  {
    title: 'pods of others leave enough in sum, not in pieces',
    nodes: [{ has: { 'why.example.com/piece': '4' } }, { has: { 'why.example.com/piece': '4' } }],
    others: [
      { on: 0, requests: { 'why.example.com/piece': '2' } },
      { on: 1, requests: { 'why.example.com/piece': '2' } },
    ],
    ...{ pods: 1, limits: { 'why.example.com/piece': '4' } },
    ...{ code: 'NotEnoughRoom', says: 'Enough in sum, not in pieces', who: 'nobody' },
  },
  {
    title: 'a port of the nodes that others use',
    nodes: [{}],
    others: [
      {
        on: 0,
        spec: { containers: [{ name: 'a', image: 'a:1', ports: [{ containerPort: 80, hostPort: 80 }] }] },
      },
    ],
    ...{ pods: 1, container: { ports: [{ containerPort: 80, hostPort: 80 }] } },
    ...{
      code: 'NotEnoughRoom',
      says: 'each needs hostPort 80/TCP of its node, which 1 of the 1 node that match has in use',
      remedy: 'Choose another hostPort',
      who: 'nobody',
    },
  },
  {
    title: 'pods of others are as many as a node may have',
    nodes: [{ has: { pods: '1' } }],
    others: [{ on: 0 }],
    pods: 1,
    ...{ code: 'NotEnoughRoom', says: 'each needs 1', who: 'nobody' },
  },
];

const TERMS: readonly WhySituation[] = [
  {
    title: 'the key of a node selector is misspelt',
    spec: { nodeSelector: { 'why.example.com/modle': 'h100' } },
    code: 'NoNodeMatches',
    says: 'no node has why.example.com/modle; 2 nodes have why.example.com/model=h100',
    remedy: 'Write why.example.com/model for the key in nodeSelector why.example.com/modle=h100',
    who: 'either',
  },
  {
    title: 'the value of a node selector is misspelt',
    spec: { nodeSelector: { 'why.example.com/model': 'h10' } },
    ...{ code: 'NoNodeMatches', says: '2 nodes have why.example.com/model=h100', who: 'either' },
  },
  {
    title: 'no node has a label, nor one with a name like it',
    spec: { nodeSelector: { 'why.example.com/quantum-bits': '1' } },
    ...{ code: 'NoNodeMatches', says: 'no node has why.example.com/quantum-bits', who: 'either' },
  },
  {
    title: 'two node selectors exclude different nodes',
    nodes: [{ labels: { 'why.example.com/disk': 'ssd' } }, { labels: { 'why.example.com/net': 'fast' } }],
    spec: { nodeSelector: { 'why.example.com/disk': 'ssd', 'why.example.com/net': 'fast' } },
    ...{ code: 'NoNodeMatches', says: 'nodeSelector why.example.com/net=fast', who: 'either' },
  },
  {
    title: 'an affinity wants a value that no node has',
    spec: requires({ key: ZONE, operator: 'In', values: ['c', 'd'] }),
    ...{ code: 'NoNodeMatches', says: `nodeAffinity ${ZONE} In c, d: 1 node has ${ZONE}=`, who: 'either' },
  },
  {
    title: 'an affinity wants a label that no node has',
    spec: requires({ key: 'why.example.com/zome', operator: 'Exists' }),
    ...{ code: 'NoNodeMatches', says: 'no node has why.example.com/zome; 1 node has', who: 'either' },
  },
  {
    title: 'an affinity excludes the values of all nodes',
    spec: requires({ key: ZONE, operator: 'NotIn', values: ['a', 'b'] }),
    ...{ code: 'NoNodeMatches', says: `nodeAffinity ${ZONE} NotIn a, b`, who: 'either' },
  },
  {
    title: 'an affinity wants a larger number than nodes have',
    nodes: [{ labels: { 'why.example.com/generation': '3' } }],
    spec: requires({ key: 'why.example.com/generation', operator: 'Gt', values: ['4'] }),
    ...{ code: 'NoNodeMatches', says: 'nodeAffinity why.example.com/generation Gt 4', who: 'either' },
  },
  {
    title: 'no node meets one of two terms of an affinity',
    spec: {
      affinity: {
        nodeAffinity: {
          [REQUIRED]: {
            nodeSelectorTerms: ['c', 'd'].map((value) => ({
              matchExpressions: [{ key: ZONE, operator: 'In', values: [value] }],
            })),
          },
        },
      },
    },
    ...{ code: 'NoNodeMatches', says: `nodeAffinity (${ZONE} In c) or (${ZONE} In d)`, who: 'either' },
  },
  {
    title: 'an affinity names a node that does not exist',
    spec: {
      affinity: {
        nodeAffinity: {
          [REQUIRED]: {
            nodeSelectorTerms: [
              { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['why-gone'] }] },
            ],
          },
        },
      },
    },
    ...{ code: 'NoNodeMatches', says: 'nodeAffinity metadata.name In why-gone', who: 'either' },
  },
  {
    title: 'an affinity that is only a preference is not met',
    spec: {
      affinity: {
        nodeAffinity: {
          [PREFERRED]: [
            {
              weight: 1,
              preference: { matchExpressions: [{ key: ZONE, operator: 'In', values: ['c'] }] },
            },
          ],
        },
      },
    },
    note: `no node has (${ZONE} In c), which worker pods prefer`,
  },
  {
    title: 'nodes have a taint that the pods do not tolerate',
    nodes: [{ taint: 'why.example.com/dedicated=vision:NoSchedule' }],
    code: 'NoNodeMatches',
    says: 'with a taint that the pods do not tolerate (why.example.com/dedicated=vision:NoSchedule)',
    remedy: 'why.example.com/dedicated=vision:NoSchedule-`',
    who: 'either',
  },
  {
    title: 'a taint is tolerated with another value',
    nodes: [{ taint: 'why.example.com/dedicated=vision:NoSchedule' }],
    spec: tolerates({ key: 'why.example.com/dedicated', value: 'speech' }),
    ...{
      code: 'NoNodeMatches',
      says: 'tolerate why.example.com/dedicated with the value speech',
      who: 'either',
    },
  },
  {
    title: 'a taint is tolerated with another effect',
    nodes: [{ taint: 'why.example.com/dedicated=vision:NoSchedule' }],
    spec: tolerates({ key: 'why.example.com/dedicated', operator: 'Exists', effect: 'NoExecute' }),
    ...{ code: 'NoNodeMatches', says: 'with the effect NoExecute only', who: 'either' },
  },
  {
    title: 'the key of a toleration is misspelt',
    nodes: [{ taint: 'why.example.com/dedicated=vision:NoSchedule' }],
    spec: tolerates({ key: 'why.example.com/dedicate', operator: 'Exists' }),
    ...{ code: 'NoNodeMatches', says: 'the pods tolerate why.example.com/dedicate', who: 'either' },
  },
  {
    title: 'nodes have a taint that would evict the pods',
    nodes: [{ taint: 'why.example.com/maintenance=now:NoExecute' }],
    ...{ code: 'NoNodeMatches', says: 'why.example.com/maintenance=now:NoExecute', who: 'either' },
  },
  {
    title: 'the pods tolerate such a taint for an hour',
    nodes: [{ taint: 'why.example.com/maintenance=tonight:NoExecute' }],
    spec: tolerates({
      ...{ key: 'why.example.com/maintenance', value: 'tonight', effect: 'NoExecute' },
      tolerationSeconds: 3600,
    }),
    note: 'tolerate for 3600 s: then they are evicted from there',
  },
  {
    title: 'the pods tolerate all taints',
    nodes: [{ taint: 'why.example.com/dedicated=vision:NoSchedule' }],
    spec: tolerates({ operator: 'Exists' }),
  },
  {
    title: 'nodes have a taint that is only a preference',
    nodes: [{ taint: 'why.example.com/spare=true:PreferNoSchedule' }],
  },
  {
    title: 'the nodes are cordoned',
    nodes: [{ isCordoned: true }, { isCordoned: true }],
    ...{ code: 'NoNodeMatches', says: '2 cordoned', remedy: '`kubectl uncordon ', who: 'administrator' },
  },
  {
    title: 'the nodes are cordoned, and the pods tolerate that',
    nodes: [{ isCordoned: true }],
    spec: tolerates({ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }),
  },
];

const TOPOLOGY: readonly WhySituation[] = [
  { title: 'a spread over two zones', spec: spread(ZONE) },
  {
    title: 'a spread by a label that no node has',
    spec: spread('why.example.com/rakk'),
    ...{ code: 'NoNodeMatches', says: 'no node has why.example.com/rakk', who: 'either' },
  },
  {
    title: 'a spread by a label that no node has, as a preference',
    spec: spread('why.example.com/rakk', { whenUnsatisfiable: 'ScheduleAnyway' }),
  },
  {
    title: 'a spread over at least three zones, of which there are two',
    spec: spread(ZONE, { minDomains: 3 }),
    pods: 3,
    ...{ code: 'NeverFits', says: 'fewer than minDomains 3: each may have at most 1', who: 'you' },
    isAnywhere: true,
  },
  {
    title: 'a spread over a zone whose only node has a taint',
    nodes: [
      { labels: { 'why.example.com/row': '1' } },
      { labels: { 'why.example.com/row': '2' }, taint: 'why.example.com/dedicated=vision:NoSchedule' },
    ],
    spec: spread('why.example.com/row'),
    code: 'NoNodeMatches',
    says: 'allow 1 with maxSkew 1 over 2 domains of why.example.com/row, 1 of them without room',
    who: 'either',
  },
  {
    title: 'a spread that leaves out nodes with such a taint',
    nodes: [
      { labels: { 'why.example.com/line': '1' } },
      { labels: { 'why.example.com/line': '2' }, taint: 'why.example.com/dedicated=vision:NoSchedule' },
    ],
    spec: spread('why.example.com/line', { nodeTaintsPolicy: 'Honor' }),
  },
  {
    title: 'a spread over a zone that others have filled',
    nodes: [
      { labels: { 'why.example.com/hall': '1' }, has: { 'why.example.com/seat': '4' } },
      { labels: { 'why.example.com/hall': '2' }, has: { 'why.example.com/seat': '4' } },
    ],
    others: [{ on: 1, requests: { 'why.example.com/seat': '4' } }],
    ...{ spec: spread('why.example.com/hall'), limits: { 'why.example.com/seat': '1' } },
    ...{ code: 'NotEnoughRoom', says: 'with maxSkew 1 over 2 domains', who: 'nobody' },
  },
  { title: 'pods that keep apart find a node each', spec: between('podAntiAffinity', HOST, itself) },
  {
    title: 'pods that keep apart are more than the nodes that match',
    spec: between('podAntiAffinity', HOST, itself),
    pods: 3,
    ...{
      code: 'NoNodeMatches',
      says: `podAntiAffinity allows one pod in each ${HOST}, and 2 have room`,
      who: 'either',
    },
  },
  {
    title: 'pods that keep apart are more than the zones of the cluster',
    nodes: [
      { labels: { 'why.example.com/room': '1' }, has: { 'why.example.com/apart': '9' } },
      { labels: { 'why.example.com/room': '1' }, has: { 'why.example.com/apart': '9' } },
    ],
    spec: between('podAntiAffinity', 'why.example.com/room', itself),
    ...{ isAnywhere: true, limits: { 'why.example.com/apart': '1' } },
    ...{
      code: 'NeverFits',
      says: 'podAntiAffinity allows one pod in each why.example.com/room, and 1 has room',
      who: 'you',
    },
  },
  {
    title: 'pods that keep apart by a label that no node has',
    ...{ pods: 3, spec: between('podAntiAffinity', 'why.example.com/rakk', itself) },
  },
  {
    title: 'pods keep away from pods that are on all nodes',
    nodes: [{}, {}],
    others: [
      { on: 0, labels: { app: 'noisy' } },
      { on: 1, labels: { app: 'noisy' } },
    ],
    spec: between('podAntiAffinity', HOST, { matchLabels: { app: 'noisy' } }),
    ...{ code: 'NotEnoughRoom', says: 'pods that it names are in 2 others', who: 'nobody' },
  },
  {
    title: 'pods of others keep away from those of the job',
    nodes: [{}],
    others: [{ on: 0, spec: between('podAntiAffinity', HOST, itself) }],
    ...{
      code: 'NotEnoughRoom',
      says: 'podAntiAffinity of other pods keeps them from 1 node',
      who: 'nobody',
    },
  },
  { title: 'pods that want to be together find a zone', spec: between('podAffinity', ZONE, itself) },
  {
    title: 'pods want to be together, and no zone holds them',
    nodes: [
      { labels: { 'why.example.com/aisle': '1' }, has: { 'why.example.com/near': '2' } },
      { labels: { 'why.example.com/aisle': '2' }, has: { 'why.example.com/near': '2' } },
    ],
    spec: between('podAffinity', 'why.example.com/aisle', itself),
    ...{ pods: 3, isAnywhere: true, limits: { 'why.example.com/near': '1' } },
    ...{
      code: 'NeverFits',
      says: 'in one why.example.com/aisle, and the largest has room for 2',
      who: 'you',
    },
  },
  {
    title: 'pods want to be where certain others are, which are on no node',
    spec: between('podAffinity', HOST, { matchLabels: { app: 'cache' } }),
    ...{ code: 'NoNodeMatches', says: 'podAffinity names pods that are on no node', who: 'either' },
  },
  {
    title: 'pods want to be where certain others are',
    nodes: [{}, {}],
    others: [{ on: 1, labels: { app: 'cache' } }],
    spec: between('podAffinity', HOST, { matchLabels: { app: 'cache' } }),
  },
  {
    title: 'pods want to be together by a label that no node has',
    spec: between('podAffinity', 'why.example.com/zome', itself),
    ...{ code: 'NoNodeMatches', says: 'no node has why.example.com/zome; 1 node has', who: 'either' },
  },
  {
    title: 'a spread and an anti-affinity at once',
    spec: { ...spread(ZONE), ...between('podAntiAffinity', HOST, itself) },
  },
];

const NAMES: readonly WhySituation[] = [
  {
    title: 'the name of a priority class is misspelt',
    objects: [priorityClass('why-batch', 10)],
    spec: { priorityClassName: 'why-bach' },
    ...{ code: 'DependencyMissing', says: 'PriorityClass why-bach does not exist', who: 'either' },
  },
  {
    title: 'the name of a runtime class is misspelt',
    objects: [
      {
        apiVersion: 'node.k8s.io/v1',
        kind: 'RuntimeClass',
        metadata: { name: 'why-gvisor' },
        handler: 'runsc',
      },
    ],
    spec: { runtimeClassName: 'why-gvisr' },
    ...{ code: 'DependencyMissing', says: 'did you mean why-gvisor?', who: 'either' },
  },
  {
    title: 'a ConfigMap does not exist',
    spec: mounts({ configMap: { name: 'settings' } }),
    ...{
      code: 'DependencyMissing',
      says: 'the ConfigMap settings does not exist; volume data of worker names it',
      who: 'you',
    },
    onceSubmitted: 'Running',
  },
  {
    title: 'the name of a ConfigMap is misspelt',
    objects: [named('ConfigMap', 'settings')],
    spec: mounts({ configMap: { name: 'setting' } }),
    ...{ code: 'DependencyMissing', says: 'did you mean settings?', who: 'you', onceSubmitted: 'Running' },
  },
  {
    title: 'the name of a Secret is misspelt',
    objects: [named('Secret', 'wandb-key')],
    container: { envFrom: [{ secretRef: { name: 'wandb-kye' } }] },
    ...{ code: 'DependencyMissing', says: 'did you mean wandb-key?', who: 'you', onceSubmitted: 'Running' },
  },
  {
    title: 'a ConfigMap that may be absent does not exist',
    spec: mounts({ configMap: { name: 'settings', optional: true } }),
    note: 'the ConfigMap settings does not exist; volume data of worker names it, and the pods start without it',
  },
  {
    title: 'a Secret of imagePullSecrets does not exist',
    spec: { imagePullSecrets: [{ name: 'registry' }] },
    note: 'the Secret registry does not exist; imagePullSecrets of worker names it, and the pods start without it',
  },
  {
    // The API server of the sandbox makes pods also without it.
    title: 'the name of a service account is misspelt',
    objects: [named('ServiceAccount', 'trainer')],
    spec: { serviceAccountName: 'trainr' },
    ...{ code: 'DependencyMissing', says: 'did you mean trainer?', who: 'you', onceSubmitted: 'Running' },
  },
  {
    title: 'the name of a claim is misspelt',
    objects: [claim('shards', 'why-none')],
    spec: mounts({ persistentVolumeClaim: { claimName: 'shard' } }),
    ...{ code: 'DependencyMissing', says: 'PersistentVolumeClaim shard does not exist', who: 'you' },
  },
  {
    title: 'the storage class of a claim does not exist',
    objects: [claim('shards', 'why-none')],
    spec: mounts({ persistentVolumeClaim: { claimName: 'shards' } }),
    ...{ code: 'DependencyMissing', says: 'the StorageClass why-none does not exist', who: 'either' },
  },
  {
    title: 'a claim waits for its storage class, whose provisioner does not answer',
    objects: [storageClass('why-slow', { volumeBindingMode: 'Immediate' }), claim('shards', 'why-slow')],
    spec: mounts({ persistentVolumeClaim: { claimName: 'shards' } }),
    ...{ code: 'VolumePending', says: 'is not bound yet by its StorageClass why-slow', who: 'administrator' },
  },
  {
    title: 'a claim is bound with its first pod, on nodes that there are',
    objects: [storageClass('why-first', {}), claim('shards', 'why-first')],
    ...{ pods: 1, spec: mounts({ persistentVolumeClaim: { claimName: 'shards' } }) },
    // Its volume is never made.
    onceSubmitted: 'VolumePending',
  },
  {
    title: 'a claim is bound with its first pod, where its storage class makes no volumes',
    objects: [
      storageClass('why-far', {
        allowedTopologies: [{ matchLabelExpressions: [{ key: 'why.example.com/zone', values: ['z'] }] }],
      }),
      claim('shards', 'why-far'),
    ],
    ...{ pods: 1, spec: mounts({ persistentVolumeClaim: { claimName: 'shards' } }) },
    ...{ code: 'NoNodeMatches', says: 'volume of PersistentVolumeClaim shards', who: 'either' },
  },
  {
    title: 'a ResourceClaim does not exist',
    spec: { resourceClaims: [{ name: 'card', resourceClaimName: 'cards' }] },
    container: { resources: { claims: [{ name: 'card' }] } },
    ...{ code: 'DependencyMissing', says: 'the ResourceClaim cards does not exist', who: 'you' },
  },
];

const NODE_NAMES: readonly WhySituation[] = [
  {
    title: 'a template names a node that does not exist',
    ...{ nodes: [{}], spec: { nodeName: 'why-gone' } },
    ...{
      code: 'DependencyMissing',
      says: 'node why-gone does not exist; spec.nodeName of worker names it, and pods that are made for it fail',
      remedy: 'Name a node that exists in spec.nodeName of the pod template',
      who: 'you',
    },
    // Kubernetes removes the pods half a minute later.
    ...{ onceSubmitted: 'Failed', failsWith: 'PodFailed' },
  },
];

const ADMISSION: readonly WhySituation[] = [
  {
    title: 'a quota allows the namespace fewer pods than the job has',
    objects: [quota('small', { hard: { pods: '1' } })],
    ...{ code: 'NeverFits', says: 'the ResourceQuota small allows the namespace 1', who: 'either' },
    remedy: '`kubectl patch resourcequota small -n why-',
  },
  {
    title: 'a quota allows the namespace less of a resource than the job requests',
    objects: [quota('small', { hard: { 'requests.cpu': '3' } })],
    limits: { cpu: '2' },
    ...{
      code: 'NeverFits',
      says: 'the job needs 4 requests.cpu; the ResourceQuota small allows the namespace 3',
      who: 'either',
    },
  },
  {
    title: 'pods of others use a quota up',
    nodes: [{}],
    objects: [quota('shared', { hard: { pods: '3' } })],
    others: [{ on: 0 }, { on: 0 }],
    ...{ code: 'QuotaExceeded', says: 'the ResourceQuota shared leaves', who: 'nobody' },
    remedy: '`kubectl patch resourcequota shared -n why-',
  },
  {
    title: 'a quota wants requests that the pods do not have',
    objects: [quota('strict', { hard: { 'requests.cpu': '10' } })],
    ...{ code: 'ClusterRefused', onceSubmitted: 'Failed' },
    says: 'must specify requests.cpu',
    remedy: 'Set requests.cpu of container pytorch',
  },
  {
    title: 'a policy of the namespace refuses the pods',
    namespaceLabels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
    ...{
      code: 'ClusterRefused',
      onceSubmitted: 'Failed',
      says: 'violates PodSecurity "restricted',
      remedy: 'pod-security.kubernetes.io/enforce=baseline',
      who: 'you',
    },
  },
  {
    title: 'a LimitRange refuses the pods',
    objects: [limitRange({ max: { cpu: '1' } })],
    limits: { cpu: '2' },
    ...{
      code: 'ClusterRefused',
      onceSubmitted: 'Failed',
      says: 'maximum cpu usage per Container is 1',
      remedy: 'Lower limits.cpu of each container to at most 1.',
      who: 'you',
    },
  },
  {
    title: 'a LimitRange gives each container more than any node has',
    objects: [limitRange({ default: { cpu: '1000' }, defaultRequest: { cpu: '1000' } })],
    ...{ code: 'NeverFits', says: '1000 cpu (from LimitRange defaults, not from the manifest)', who: 'you' },
  },
  {
    title: 'a runtime class adds more to each pod than any node has',
    objects: [
      {
        ...{ apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'why-heavy' } },
        ...{ handler: 'kata', overhead: { podFixed: { cpu: '1000' } } },
      },
    ],
    spec: { runtimeClassName: 'why-heavy' },
    ...{
      code: 'NeverFits',
      says: '1000 cpu (from overhead of RuntimeClass why-heavy, not from the manifest)',
      who: 'you',
    },
  },
  {
    title: 'a scheduling gate of others holds the pods back',
    spec: { schedulingGates: [{ name: 'why.example.com/budget' }] },
    ...{ code: 'SchedulingGated', says: 'the scheduling gate why.example.com/budget', who: 'administrator' },
  },
];

export const SITUATIONS: readonly WhySituation[] = [
  ...[...ROOM, ...TERMS, ...TOPOLOGY, ...NAMES],
  ...[...NODE_NAMES, ...ADMISSION],
];

/** What `why -f` exits with. */
export function exitCodeOf({ code, who }: WhySituation): number {
  if (code === undefined || who === 'nobody') return 0;
  return who === 'unknown' ? 7 : 9;
}
