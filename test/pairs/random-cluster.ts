import fc from 'fast-check';
import { inSome, sometimes, upTo } from './chance.ts';
import { APPS, GENERATIONS, POOLS, PORTS, type PRIORITIES, type TAINTS, ZONES } from './names.ts';

/** A cluster as a few numbers; `objects-of-cluster.ts` makes objects of it. */
export interface RandomCluster {
  readonly nodes: readonly RandomNode[];
  readonly others: readonly RandomOther[];
  readonly quotas: readonly RandomQuota[];
  readonly limits: RandomLimits | undefined;
  readonly claims: readonly RandomClaim[];
  /** The level that the namespace enforces. */
  readonly security: 'baseline' | 'restricted' | undefined;
  /** ConfigMaps of others in the namespace. */
  readonly configMaps: number;
}

export interface RandomNode {
  readonly zone: (typeof ZONES)[number] | undefined;
  readonly pool: (typeof POOLS)[number] | undefined;
  readonly generation: (typeof GENERATIONS)[number] | undefined;
  readonly taints: readonly (keyof typeof TAINTS)[];
  readonly isCordoned: boolean;
  readonly isNotReady: boolean;
  readonly cpu: number;
  /** GiB. */
  readonly memory: number;
  readonly gpus: number;
  readonly nics: number;
  readonly pods: number;
  /** Of a driver that has claims. */
  readonly devices: number;
}

/** A pod that has a node. */
export interface RandomOther {
  /** Index of its node, modulo the number of these. */
  readonly node: number;
  readonly cpu: number;
  readonly gpus: number;
  readonly isInNamespace: boolean;
  readonly app: (typeof APPS)[number];
  readonly port: (typeof PORTS)[number] | undefined;
  readonly priority: keyof typeof PRIORITIES | undefined;
  /** Of the node itself: it stays, however empty the node is. */
  readonly isOfNode: boolean;
  /** It is being deleted, and takes its time. */
  readonly isLeaving: boolean;
  /** It bears no pods of this app beside it. */
  readonly keepsAway: (typeof APPS)[number] | undefined;
}

const SCOPES = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
] as const;

export interface RandomQuota {
  readonly scope: (typeof SCOPES)[number] | undefined;
  readonly resource: string;
  readonly hard: number;
}

/** For each container. */
export interface RandomLimits {
  readonly defaultCpu: number | undefined;
  readonly maxCpu: number | undefined;
  readonly minCpu: number | undefined;
  readonly maxMemory: number | undefined;
  readonly ratio: number | undefined;
}

const CLAIMS = [
  ...(['bound', 'later', 'laterNone', 'now', 'nowBinds', 'classless', 'absentClass'] as const),
  ...(['madeNow', 'madeLater', 'madeLaterOrThis', 'madeInZone'] as const),
] as const;

export interface RandomClaim {
  readonly is: (typeof CLAIMS)[number];
  /** Where its volume can be used. */
  readonly zone: (typeof ZONES)[number] | undefined;
  readonly mode: 'ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteOncePod';
}

const A_NODE: fc.Arbitrary<RandomNode> = fc.record({
  zone: sometimes(80, fc.constantFrom(...ZONES)),
  pool: sometimes(70, fc.constantFrom(...POOLS)),
  generation: sometimes(60, fc.constantFrom(...GENERATIONS)),
  taints: fc
    .tuple(inSome(15), inSome(10), inSome(15))
    .map(([dedicated, maintenance, spot]) => [
      ...(dedicated ? (['dedicated'] as const) : []),
      ...(maintenance ? (['maintenance'] as const) : []),
      ...(spot ? (['spot'] as const) : []),
    ]),
  isCordoned: inSome(6),
  isNotReady: inSome(5),
  cpu: fc.integer({ min: 2, max: 32 }),
  memory: fc.integer({ min: 2, max: 64 }),
  gpus: fc.constantFrom(0, 2, 4, 8, 8),
  nics: fc.constantFrom(0, 0, 1, 2, 4),
  pods: fc.constantFrom(110, 110, 110, 110, 4, 2),
  devices: fc.constantFrom(0, 1, 2),
});

const AN_OTHER: fc.Arbitrary<RandomOther> = fc.record({
  node: upTo(4),
  cpu: upTo(4),
  gpus: fc.constantFrom(0, 0, 1, 2, 4),
  isInNamespace: inSome(50),
  app: fc.constantFrom(...APPS),
  port: sometimes(25, fc.constantFrom(...PORTS)),
  priority: sometimes(50, fc.constantFrom<keyof typeof PRIORITIES>('low', 'low', 'high')),
  isOfNode: inSome(10),
  isLeaving: inSome(10),
  keepsAway: sometimes(10, fc.constantFrom(...APPS)),
});

const A_QUOTA: fc.Arbitrary<RandomQuota> = sometimes(40, fc.constantFrom(...SCOPES)).chain((scope) =>
  fc.record({
    scope: fc.constant(scope),
    resource: fc.constantFrom(
      ...(scope === undefined ? OF_ALL : scope === 'BestEffort' ? ['pods'] : OF_PODS),
    ),
    hard: fc.oneof(upTo(8), upTo(40)),
  }),
);

/** What a quota with a scope may limit, and one without. */
const OF_PODS = ['pods', 'pods', 'cpu', 'requests.cpu', 'limits.cpu', 'requests.memory'];
const OF_ALL = [
  ...['pods', 'count/pods', 'requests.cpu', 'limits.cpu'],
  ...['requests.nvidia.com/gpu', 'requests.example.com/nic'],
  ...[
    'count/configmaps',
    'configmaps',
    'count/services',
    'services',
    'count/secrets',
    'persistentvolumeclaims',
  ],
];

const SOME_LIMITS: fc.Arbitrary<RandomLimits> = fc.record({
  defaultCpu: sometimes(60, fc.integer({ min: 1, max: 2 })),
  maxCpu: sometimes(30, fc.integer({ min: 2, max: 4 })),
  minCpu: sometimes(20, fc.constant(1)),
  maxMemory: sometimes(30, fc.integer({ min: 1, max: 8 })),
  ratio: sometimes(15, fc.integer({ min: 1, max: 2 })),
});

const A_CLAIM: fc.Arbitrary<RandomClaim> = fc.record({
  is: fc.constantFrom(...CLAIMS),
  zone: sometimes(70, fc.constantFrom(...ZONES)),
  mode: fc.constantFrom('ReadWriteOnce', 'ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteOncePod'),
});

export const A_CLUSTER: fc.Arbitrary<RandomCluster> = fc.record({
  nodes: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 30, arbitrary: fc.array(A_NODE, { minLength: 1, maxLength: 5, size: 'max' }) },
  ),
  others: fc.array(AN_OTHER, { maxLength: 6, size: 'max' }),
  quotas: sometimes(25, fc.array(A_QUOTA, { minLength: 1, maxLength: 2 })).map((some = []) => some),
  limits: sometimes(15, SOME_LIMITS),
  claims: fc.array(A_CLAIM, { maxLength: 3, size: 'max' }),
  security: sometimes(8, fc.constantFrom('baseline', 'restricted')),
  configMaps: sometimes(30, upTo(2)).map((count = 0) => count),
});
