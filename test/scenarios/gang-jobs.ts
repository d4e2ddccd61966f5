import type { GangChoice } from '../../contracts/training-job.ts';
import type { Manifest } from './manifests.ts';
import type { NodePool } from './node-pool.ts';

export interface GangJobOptions {
  readonly name: string;
  readonly namespace: string;
  /** Each pod takes one slot of it. */
  readonly pool: Pick<NodePool, 'nodeSelector' | 'resource'>;
  /** Of the job's annotation; without one the choice is the engine's. */
  readonly gang?: GangChoice;
  /** A Master among them, unless the job is elastic. */
  readonly pods?: number;
  readonly restartPolicy?: string;
  readonly runPolicy?: Readonly<Record<string, unknown>>;
  /** What the pod template names. */
  readonly schedulerName?: string;
  readonly elasticPolicy?: { readonly minReplicas: number; readonly maxReplicas: number };
  /** Of the job's annotation: YAML. */
  readonly policy?: string;
  /** Of each pod. */
  readonly finalizers?: readonly string[];
}

/** A PyTorchJob of ten pods on simulated nodes, unless said otherwise; nothing of it stays behind when it has ended. */
export function gangJob(options: GangJobOptions): Manifest {
  const { name, namespace, gang, policy, pods = 10, elasticPolicy, runPolicy } = options;
  const role = (replicas: number) => ({
    replicas,
    restartPolicy: options.restartPolicy ?? 'ExitCode',
    template: templateOf(options),
  });
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: {
      ...{ name, namespace },
      annotations: {
        ...(gang ? { 'signalbox.dev/gang': gang } : {}),
        ...(policy ? { 'signalbox.dev/policy': policy } : {}),
      },
    },
    spec: {
      elasticPolicy,
      runPolicy: { cleanPodPolicy: 'All', ...runPolicy },
      pytorchReplicaSpecs: elasticPolicy
        ? { Worker: role(pods) }
        : { Master: role(1), Worker: role(pods - 1) },
    },
  };
}

function templateOf({ pool, schedulerName, finalizers }: GangJobOptions) {
  const resources = { limits: { [pool.resource]: '1' } };
  return {
    metadata: { finalizers },
    spec: {
      schedulerName,
      nodeSelector: pool.nodeSelector,
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'pytorch', image: 'train:1', command: ['train'], resources }],
    },
  };
}
