import { ANNOTATIONS } from '../../contracts/labels.ts';

/** Manifests for scenarios, built up from a small job on simulated nodes. */

interface RoleOptions {
  readonly replicas?: number;
  readonly restartPolicy?: string;
  /** Annotations of the pods, e.g. how they end by themselves. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly schedulerName?: string;
}

export interface JobOptions {
  readonly name: string;
  readonly namespace: string;
  readonly master?: RoleOptions | false;
  readonly worker?: RoleOptions | false;
  readonly runPolicy?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly gpus?: number;
  /** Of each container. */
  readonly limits?: Readonly<Record<string, string | number>>;
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string } & Readonly<
    Record<string, unknown>
  >;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** A PyTorchJob with a Master and two Workers, unless said otherwise. */
export function simulatedJob(options: JobOptions): Manifest {
  const { name, namespace, master = {}, worker = {}, runPolicy, annotations } = options;
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: { name, namespace, annotations },
    spec: {
      runPolicy,
      pytorchReplicaSpecs: {
        ...(master ? { Master: replicaSpec({ replicas: 1, ...master }, options) } : {}),
        ...(worker ? { Worker: replicaSpec({ replicas: 2, ...worker }, options) } : {}),
      },
    },
  };
}

function replicaSpec(
  { replicas, restartPolicy, annotations, schedulerName }: RoleOptions,
  { gpus, limits: own }: JobOptions,
) {
  const limits = gpus ? { 'nvidia.com/gpu': gpus, ...own } : own;
  const resources = limits && { limits };
  return {
    replicas,
    restartPolicy,
    template: {
      metadata: { annotations },
      spec: {
        schedulerName,
        nodeSelector: { 'signalbox.dev/node': 'simulated' },
        terminationGracePeriodSeconds: 1,
        containers: [{ name: 'pytorch', image: 'train:1', command: ['train'], resources }],
      },
    },
  };
}

/** Pods with these annotations succeed by themselves. */
export const SUCCEEDS = { 'signalbox.dev/simulate': 'succeeded' } as const;

/** A manifest of any kind with all of its pods on simulated nodes, which end them as soon as they are deleted. */
export function onSimulatedNodes<T>(manifest: T): T {
  if (Array.isArray(manifest)) return manifest.map(onSimulatedNodes) as T;
  if (manifest === null || typeof manifest !== 'object') return manifest;
  const fields = Object.entries(manifest).map(([name, value]): [string, unknown] =>
    name === 'template' ? [name, { ...value, spec: simulated(value.spec) }] : [name, onSimulatedNodes(value)],
  );
  return Object.fromEntries(fields) as T;
}

const simulated = (spec: object) => ({
  ...spec,
  nodeSelector: { 'signalbox.dev/node': 'simulated' },
  terminationGracePeriodSeconds: 1,
});

/** A manifest with a policy, which is written as people write it. */
export const withPolicy = <T extends Manifest>(manifest: T, policy: object): T => ({
  ...manifest,
  metadata: {
    ...manifest.metadata,
    annotations: {
      ...(manifest.metadata.annotations as object | undefined),
      [ANNOTATIONS.policy]: JSON.stringify(policy),
    },
  },
});
