import fc from 'fast-check';
import { inSome, sometimes, upTo } from './chance.ts';
import {
  ABSENT,
  APPS,
  GENERATION,
  GENERATIONS,
  POOL,
  POOLS,
  PORTS,
  PRIORITIES,
  ROOT_CA,
  RUNTIMES,
  type TAINTS,
  ZONE,
  ZONES,
} from './names.ts';

/** A job as a few choices; `manifest-of-job.ts` makes a manifest of it. */
export interface RandomJob {
  readonly kind: (typeof KINDS)[number];
  /** Whether it has the role that leads, where that is up to it. */
  readonly hasLead: boolean;
  /** What the template of that role says, if it is not that of the workers. */
  readonly lead: RandomTemplate | undefined;
  readonly workers: number;
  readonly spares: number | undefined;
  readonly gang: 'none' | 'native';
  /** Of all its pods, if it is a gang that may begin with fewer. */
  readonly fewer: number | undefined;
  readonly worker: RandomTemplate;
}

const KINDS = ['PyTorchJob', 'TFJob', 'XGBoostJob', 'MPIJob', 'PaddleJob', 'JAXJob'] as const;

/** What a template says; most say little of it. */
export interface RandomTemplate {
  readonly cpu: number | undefined;
  readonly limitsCpu: number | undefined;
  readonly memory: number | undefined;
  readonly gpus: number | undefined;
  readonly nics: number | undefined;
  readonly initCpu: number | undefined;
  readonly nodeSelector: readonly [string, string] | undefined;
  readonly nodeAffinity: RandomRequirement | undefined;
  readonly podTerm: RandomPodTerm | undefined;
  readonly otherTerm: RandomPodTerm | undefined;
  readonly spread: RandomSpread | undefined;
  readonly tolerations: readonly RandomToleration[];
  readonly port: (typeof PORTS)[number] | undefined;
  readonly hostNetwork: boolean;
  readonly priority: string | undefined;
  readonly runtime: string | undefined;
  /** Index of a claim of the cluster; one more than there are is absent. */
  readonly claim: number | undefined;
  readonly configMap: typeof ROOT_CA | typeof ABSENT | undefined;
  readonly secret: 'keys' | typeof ABSENT | undefined;
  readonly scheduler: string | undefined;
  /** Index of a node; one more than there are is absent. */
  readonly nodeName: number | undefined;
  readonly account: 'default' | typeof ABSENT | undefined;
  readonly pullSecret: 'keys' | typeof ABSENT | undefined;
  readonly gate: boolean;
  readonly deadline: boolean;
  readonly isPrivileged: boolean;
  /** Name of a ResourceClaim, or of a template. */
  readonly device: 'template' | 'cards' | 'classless' | typeof ABSENT | undefined;
}

interface RandomRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

export interface RandomPodTerm {
  readonly is: 'podAffinity' | 'podAntiAffinity';
  readonly isRequired: boolean;
  readonly of: (typeof APPS)[number] | 'itself';
  readonly topologyKey: string;
  /** In which namespaces; undefined: its own. */
  readonly across: 'all' | 'neighbours' | typeof ABSENT | undefined;
}

export interface RandomSpread {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number | undefined;
  readonly isRequired: boolean;
}

export interface RandomToleration {
  readonly of: keyof typeof TAINTS | 'all' | 'unschedulable' | 'notReady';
  readonly isExists: boolean;
  readonly seconds: number | undefined;
}

const A_LABEL = fc.constantFrom<readonly [string, string]>(
  ...ZONES.map((zone) => [ZONE, zone] as const),
  ...POOLS.map((pool) => [POOL, pool] as const),
  ...ZONES.map((zone) => [ZONE, zone] as const),
  ...POOLS.map((pool) => [POOL, pool] as const),
  [POOL, ABSENT],
  [ABSENT, 'x'],
);

const A_REQUIREMENT: fc.Arbitrary<RandomRequirement> = fc.oneof(
  fc.record({
    key: fc.constantFrom(ZONE, POOL, ABSENT),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.subarray([...ZONES, ...POOLS], { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    key: fc.constantFrom(ZONE, POOL, ABSENT),
    operator: fc.constantFrom('Exists', 'DoesNotExist'),
    values: fc.constant([]),
  }),
  fc.record({
    key: fc.constantFrom(GENERATION, POOL),
    operator: fc.constantFrom('Gt', 'Lt'),
    values: fc.constantFrom(...GENERATIONS).map((value) => [value]),
  }),
);

const TOPOLOGIES = ['kubernetes.io/hostname', ZONE, ABSENT];

const A_TERM: fc.Arbitrary<RandomPodTerm> = fc.record({
  is: fc.constantFrom('podAffinity', 'podAntiAffinity'),
  isRequired: inSome(80),
  of: fc.constantFrom(...APPS, 'itself'),
  topologyKey: fc.constantFrom(...TOPOLOGIES),
  across: sometimes(40, fc.constantFrom('all', 'neighbours', ABSENT)),
});

const A_SPREAD: fc.Arbitrary<RandomSpread> = fc.record({
  topologyKey: fc.constantFrom(...TOPOLOGIES),
  maxSkew: fc.integer({ min: 1, max: 2 }),
  minDomains: sometimes(20, fc.integer({ min: 1, max: 4 })),
  isRequired: inSome(80),
});

const A_TOLERATION: fc.Arbitrary<RandomToleration> = fc.record({
  of: fc.constantFrom('dedicated', 'maintenance', 'spot', 'all', 'unschedulable', 'notReady'),
  isExists: fc.boolean(),
  seconds: sometimes(40, fc.constant(3600)),
});

const A_TEMPLATE: fc.Arbitrary<RandomTemplate> = fc.record({
  cpu: sometimes(50, fc.integer({ min: 1, max: 8 })),
  limitsCpu: sometimes(20, fc.integer({ min: 1, max: 8 })),
  memory: sometimes(30, fc.integer({ min: 1, max: 12 })),
  gpus: sometimes(35, fc.constantFrom(1, 1, 2, 4, 8)),
  nics: sometimes(10, fc.integer({ min: 1, max: 2 })),
  initCpu: sometimes(6, fc.integer({ min: 1, max: 8 })),
  nodeSelector: sometimes(10, A_LABEL),
  nodeAffinity: sometimes(8, A_REQUIREMENT),
  podTerm: sometimes(10, A_TERM),
  otherTerm: sometimes(4, A_TERM),
  spread: sometimes(8, A_SPREAD),
  tolerations: sometimes(25, fc.array(A_TOLERATION, { minLength: 1, maxLength: 2 })).map((some = []) => some),
  port: sometimes(10, fc.constantFrom(...PORTS)),
  hostNetwork: inSome(4),
  priority: sometimes(
    25,
    fc.constantFrom(...Object.values(PRIORITIES), ...Object.values(PRIORITIES), ABSENT),
  ),
  runtime: sometimes(8, fc.constantFrom(...Object.values(RUNTIMES), ...Object.values(RUNTIMES), ABSENT)),
  claim: sometimes(16, upTo(3)),
  configMap: sometimes(3, fc.constantFrom(ROOT_CA, ABSENT)),
  secret: sometimes(3, fc.constantFrom('keys', ABSENT)),
  scheduler: sometimes(1, fc.constant(ABSENT)),
  nodeName: sometimes(2, upTo(5)),
  account: sometimes(3, fc.constantFrom('default', ABSENT)),
  pullSecret: sometimes(3, fc.constantFrom('keys', ABSENT)),
  gate: inSome(1),
  deadline: inSome(5),
  isPrivileged: inSome(4),
  device: sometimes(5, fc.constantFrom('template', 'template', 'cards', 'classless', ABSENT)),
});

export const A_JOB: fc.Arbitrary<RandomJob> = fc.record({
  kind: fc.oneof(
    { weight: 1, arbitrary: fc.constant('PyTorchJob' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...KINDS) },
  ),
  hasLead: inSome(40),
  lead: sometimes(30, A_TEMPLATE),
  workers: fc.integer({ min: 1, max: 4 }),
  spares: sometimes(5, fc.integer({ min: 1, max: 2 })),
  gang: fc.constantFrom('none', 'native'),
  fewer: sometimes(15, fc.integer({ min: 1, max: 3 })),
  worker: A_TEMPLATE,
});
