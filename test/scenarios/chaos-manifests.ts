import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { CleanPodPolicy } from '../../contracts/training-job.ts';
import { type Manifest, withPolicy } from './manifests.ts';

/** Jobs of eight simulated pods, of many kinds. */

export const KINDS = {
  PyTorchJob: { specs: 'pytorchReplicaSpecs', leader: 'Master', container: 'pytorch' },
  TFJob: { specs: 'tfReplicaSpecs', leader: 'Chief', container: 'tensorflow' },
  JAXJob: { specs: 'jaxReplicaSpecs', leader: undefined, container: 'jax' },
  XGBoostJob: { specs: 'xgbReplicaSpecs', leader: 'Master', container: 'xgboost' },
  PaddleJob: { specs: 'paddleReplicaSpecs', leader: 'Master', container: 'paddle' },
} as const;

export type Kind = keyof typeof KINDS;

export interface ManifestOptions {
  readonly name: string;
  readonly kind: Kind;
  readonly restartPolicy: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  readonly cleanPodPolicy: CleanPodPolicy;
  readonly gang: 'native' | 'none';
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
  const { specs, leader } = KINDS[kind];
  const role = (replicas: number) => ({ replicas, ...replicaSpec(options, place) });
  const roles = leader
    ? { [leader]: role(1), Worker: role(PODS_PER_JOB - 1) }
    : { Worker: role(PODS_PER_JOB) };
  const manifest: Manifest = {
    apiVersion: 'kubeflow.org/v1',
    kind,
    metadata: { name, namespace: place.namespace, annotations: { [ANNOTATIONS.gang]: gang } },
    spec: {
      runPolicy: { cleanPodPolicy, ...runPolicy },
      // Of such jobs what would be a worker's end is not the job's, and policies say nothing of it.
      ...(kind === 'TFJob' && restartPolicy !== 'Never' ? { enableDynamicWorker: true } : {}),
      [specs]: roles,
    },
  };
  return policy ? withPolicy(manifest, policy) : manifest;
}

const replicaSpec = ({ kind, restartPolicy }: ManifestOptions, { nodeSelector }: Place) => ({
  restartPolicy,
  template: {
    spec: {
      nodeSelector,
      terminationGracePeriodSeconds: 1,
      containers: [{ name: KINDS[kind].container, image: 'train:1', command: ['train'] }],
    },
  },
});
