import { ANNOTATIONS, podNameOf } from '../../contracts/labels.ts';
import type { CleanPodPolicy } from '../../contracts/training-job.ts';
import { type Manifest, withPolicy } from './manifests.ts';

/** Jobs of simulated pods, of all kinds. */

interface KindOfJob {
  readonly apiVersion?: string;
  /** If it is not its name here. */
  readonly kind?: string;
  /** The field of spec that has the roles; they are fields of spec itself without it. */
  readonly specs?: string;
  readonly leader: string | undefined;
  readonly worker?: string;
  readonly container: string;
}

/** In which each pod counts, and workers may end before their leader. */
export const KINDS = {
  PyTorchJob: { specs: 'pytorchReplicaSpecs', leader: 'Master', container: 'pytorch' },
  TFJob: { specs: 'tfReplicaSpecs', leader: 'Chief', container: 'tensorflow' },
  JAXJob: { specs: 'jaxReplicaSpecs', leader: undefined, container: 'jax' },
  XGBoostJob: { specs: 'xgbReplicaSpecs', leader: 'Master', container: 'xgboost' },
  PaddleJob: { specs: 'paddleReplicaSpecs', leader: 'Master', container: 'paddle' },
} as const satisfies Record<string, KindOfJob>;

/** With rules of their own about who decides, and who may fail. */
export const SPECIAL_KINDS = {
  MPIJob: { specs: 'mpiReplicaSpecs', leader: 'Launcher', container: 'mpi' },
  MPIJobV2: {
    apiVersion: 'kubeflow.org/v2beta1',
    kind: 'MPIJob',
    specs: 'mpiReplicaSpecs',
    leader: 'Launcher',
    container: 'mpi',
  },
  PaddleJobV1: {
    apiVersion: 'batch.paddlepaddle.org/v1',
    kind: 'PaddleJob',
    leader: undefined,
    worker: 'worker',
    container: 'paddle',
  },
} as const satisfies Record<string, KindOfJob>;

export type Kind = keyof typeof KINDS | keyof typeof SPECIAL_KINDS;

const kindOf = (kind: Kind): KindOfJob => ({ ...KINDS, ...SPECIAL_KINDS })[kind];

/** The pod that decides how a job ends; undefined where all workers do. */
export function leaderOf(name: string, kind: Kind): string | undefined {
  const { leader } = kindOf(kind);
  if (!leader) return undefined;
  return leader === 'Launcher' ? `${name}-launcher` : podNameOf(name, leader, 0);
}

export interface ManifestOptions {
  readonly name: string;
  readonly kind: Kind;
  readonly restartPolicy: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  readonly cleanPodPolicy: CleanPodPolicy;
  readonly gang: 'native' | 'none';
  /** Default 8. */
  readonly pods?: number;
  readonly runPolicy?: Readonly<Record<string, unknown>>;
  readonly policy?: object;
}

export interface Place {
  readonly namespace: string;
  readonly nodeSelector: Readonly<Record<string, string>>;
}

const PODS_PER_JOB = 8;

export function chaosManifest(options: ManifestOptions, place: Place): Manifest {
  const { name, kind, restartPolicy, cleanPodPolicy, gang, runPolicy, policy } = options;
  const { apiVersion = 'kubeflow.org/v1', kind: kindName = kind, specs } = kindOf(kind);
  const roles = rolesOf(options, place);
  const policies = specs ? { runPolicy: { cleanPodPolicy, ...runPolicy } } : { cleanPodPolicy };
  const manifest: Manifest = {
    apiVersion,
    kind: kindName,
    metadata: { name, namespace: place.namespace, annotations: { [ANNOTATIONS.gang]: gang } },
    spec: {
      ...policies,
      // Of such jobs what would be a worker's end is not the job's, and policies say nothing of it.
      ...(kind === 'TFJob' && restartPolicy !== 'Never' ? { enableDynamicWorker: true } : {}),
      ...(specs ? { [specs]: roles } : roles),
    },
  };
  return policy ? withPolicy(manifest, policy) : manifest;
}

function rolesOf(options: ManifestOptions, place: Place): Record<string, object> {
  const { kind, pods = PODS_PER_JOB } = options;
  const { leader, worker = 'Worker' } = kindOf(kind);
  const role = (replicas: number) => ({ replicas, ...replicaSpec(options, place) });
  if (!leader) return { [worker]: role(pods) };
  return { [leader]: role(1), ...(pods > 1 ? { [worker]: role(pods - 1) } : {}) };
}

function replicaSpec({ kind, restartPolicy }: ManifestOptions, { nodeSelector }: Place) {
  const { container, specs } = kindOf(kind);
  const spec = {
    nodeSelector,
    terminationGracePeriodSeconds: 1,
    containers: [{ name: container, image: 'train:1', command: ['train'] }],
  };
  // Without a field for roles the policy of a role is the one of its pods.
  if (!specs) return { template: { spec: { ...spec, restartPolicy } } };
  return { restartPolicy, template: { spec } };
}
