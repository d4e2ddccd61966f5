import { ANNOTATIONS } from '../../../contracts/labels.ts';
import { CLEAN_POD_POLICIES, GANG_CHOICES, JOB_RESTART_POLICIES } from '../../../contracts/training-job.ts';
import {
  BOOLEAN,
  integerFrom,
  NAME,
  type OptionRule,
  oneOfWords,
  PATH_BY_NAME,
  POLICY,
  QUANTITY,
  TEXT,
  TEXT_BY_NAME,
  TEXTS,
} from './option-rules.ts';

/** An option of builders: the same in each language, where its name is written as is usual there. */
export interface BuilderOption {
  readonly rule: OptionRule;
  readonly doc?: string;
  readonly required?: true;
  readonly default?: string | number;
  /** Where its value goes; default: nowhere, as the interpreter or a role reads it. */
  readonly at?: readonly ManifestPlace[];
  /** Of an option with several values: they, each with its own place. */
  readonly fields?: BuilderOptions;
}

export type BuilderOptions = Readonly<Record<string, BuilderOption>>;

export interface ManifestPlace {
  /** Begins in `metadata` or `spec` of the manifest, or in each `role`, its `pod` or the `container` in that. */
  readonly path: readonly [Root, ...string[]];
  /** How the value is written there; default: as it is. */
  readonly form?: Form;
  /** Written there instead, unless the option is false. */
  readonly value?: unknown;
}

type Root = 'metadata' | 'spec' | 'role' | 'pod' | 'container';
export type Form = 'json' | 'oneMore' | 'variables' | 'claims' | 'mounts' | 'memory' | 'gpus';

export const at = (...path: ManifestPlace['path']): ManifestPlace => ({ path });

/** Options of all builders. */
export const POD_OPTIONS = {
  name: {
    rule: NAME,
    required: true,
    doc: 'Name of the job: a DNS label that starts with a letter.',
    at: [at('metadata', 'name')],
  },
  namespace: {
    rule: NAME,
    doc: 'Kubernetes namespace; default: that of the client.',
    at: [at('metadata', 'namespace')],
  },
  image: { rule: TEXT, required: true, at: [at('container', 'image')] },
  command: {
    rule: TEXTS,
    doc: "The program and its first arguments; default: the image's.",
    at: [at('container', 'command')],
  },
  args: { rule: TEXTS, at: [at('container', 'args')] },
  env: {
    rule: TEXT_BY_NAME,
    doc: 'Variables of the program, by name.',
    at: [{ path: ['container', 'env'], form: 'variables' }],
  },
  cpu: {
    rule: QUANTITY,
    doc: 'CPUs that each pod requests, e.g. `4` or `500m`. It may use more.',
    // CPUs have no limit: a limit slows a program down even on an idle node.
    at: [at('container', 'resources', 'requests', 'cpu')],
  },
  memory: {
    rule: QUANTITY,
    doc: 'Memory that each pod requests and may use, e.g. `64Gi`.',
    at: [
      at('container', 'resources', 'requests', 'memory'),
      at('container', 'resources', 'limits', 'memory'),
    ],
  },
  gpusPerNode: {
    rule: integerFrom(0),
    doc: 'Default: none.',
    at: [
      { path: ['container', 'resources', 'requests'], form: 'gpus' },
      { path: ['container', 'resources', 'limits'], form: 'gpus' },
    ],
  },
  gpuResource: { rule: TEXT, doc: 'Resource of a GPU; default: `nvidia.com/gpu`.' },
  volumes: {
    rule: PATH_BY_NAME,
    doc: 'Where pods see PersistentVolumeClaims: the path, by the name of the claim.',
    at: [
      { path: ['pod', 'volumes'], form: 'claims' },
      { path: ['container', 'volumeMounts'], form: 'mounts' },
    ],
  },
  shm: {
    rule: QUANTITY,
    doc: 'Size of /dev/shm, which data loaders and NCCL use, e.g. `16Gi`. It counts as memory.',
    at: [
      { path: ['pod', 'volumes'], form: 'memory' },
      { path: ['container', 'volumeMounts'], value: [{ name: 'shm', mountPath: '/dev/shm' }] },
    ],
  },
  nodeSelector: { rule: TEXT_BY_NAME, doc: 'Labels that nodes must have.', at: [at('pod', 'nodeSelector')] },
  labels: {
    rule: TEXT_BY_NAME,
    doc: 'Labels of the job, by which clients find it.',
    at: [at('metadata', 'labels')],
  },
  annotations: { rule: TEXT_BY_NAME, at: [at('metadata', 'annotations')] },
  policy: {
    rule: POLICY,
    doc: 'How failures are handled; docs/policy.md.',
    // JSON is YAML.
    at: [{ path: ['metadata', 'annotations', ANNOTATIONS.policy], form: 'json' }],
  },
  gang: {
    rule: oneOfWords(GANG_CHOICES),
    doc: 'The gang scheduler; default: that of the workers.',
    at: [at('metadata', 'annotations', ANNOTATIONS.gang)],
  },
} as const satisfies BuilderOptions;

/** Options that all kinds of kubeflow.org have beside these. */
export const JOB_OPTIONS = {
  restartPolicy: {
    rule: oneOfWords(JOB_RESTART_POLICIES),
    doc: 'Which failures are retried; default: `Never`, so that a crash ends the job, or `OnFailure` with a `backoffLimit`, with `elastic` or with `policy.restart`. Of an MPIJob the launcher’s.',
    at: [at('role', 'restartPolicy')],
  },
  backoffLimit: {
    rule: integerFrom(0),
    doc: 'Restarts after which the job fails; default: 3 with `elastic` or `policy.restart`, no limit with a `restartPolicy`. The kubelet does not wait for that: with 0 and `OnFailure` a program may run twice.',
    at: [at('spec', 'runPolicy', 'backoffLimit')],
  },
  deadlineSeconds: {
    rule: integerFrom(1),
    doc: 'Seconds that the job may run.',
    at: [at('spec', 'runPolicy', 'activeDeadlineSeconds')],
  },
  ttlSeconds: {
    rule: integerFrom(0),
    doc: 'Seconds after the end until everything left in the cluster is deleted.',
    at: [at('spec', 'runPolicy', 'ttlSecondsAfterFinished')],
  },
  cleanPodPolicy: {
    rule: oneOfWords(CLEAN_POD_POLICIES),
    doc: 'Which pods are removed when the job has ended; default: none.',
    at: [at('spec', 'runPolicy', 'cleanPodPolicy')],
  },
  suspend: {
    rule: BOOLEAN,
    doc: 'Start without pods, until the job is resumed.',
    at: [at('spec', 'runPolicy', 'suspend')],
  },
} as const satisfies BuilderOptions;
