import { type Manifest, withPolicy } from '../scenarios/manifests.ts';

interface RealRole {
  readonly replicas?: number;
  /** Of `sh`. */
  readonly script: string;
  /** Fields of the container. */
  readonly container?: Readonly<Record<string, unknown>>;
  /** Of `sh`, in a container beside it. */
  readonly beside?: string;
  /** Fields of the pod. */
  readonly pod?: Readonly<Record<string, unknown>>;
}

export interface RealJobOptions {
  readonly name: string;
  readonly namespace: string;
  readonly master: RealRole;
  readonly worker?: RealRole;
  /** `Never` unless said otherwise. */
  readonly restartPolicy?: string;
  readonly runPolicy?: Readonly<Record<string, unknown>>;
  readonly policy?: object;
  /** Between SIGTERM and SIGKILL; 3 unless said otherwise. */
  readonly graceSeconds?: number;
  /** A folder of this machine, which pods on all nodes find as `/out`. */
  readonly out?: string;
}

/** A PyTorchJob of shell scripts for real nodes. */
export function realJob(options: RealJobOptions): Manifest {
  const { name, namespace, master, worker, runPolicy, policy } = options;
  const manifest = {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: { name, namespace },
    spec: {
      runPolicy: { cleanPodPolicy: 'All', ...runPolicy },
      pytorchReplicaSpecs: {
        Master: replicaSpec(master, options),
        ...(worker ? { Worker: replicaSpec(worker, options) } : {}),
      },
    },
  };
  return policy ? withPolicy(manifest, policy) : manifest;
}

function replicaSpec(
  { replicas = 1, script, container, beside, pod }: RealRole,
  { restartPolicy = 'Never', graceSeconds = 3, out }: RealJobOptions,
) {
  const mounts = out && { volumeMounts: [{ name: 'out', mountPath: '/out' }] };
  const volumes = out && { volumes: [{ name: 'out', hostPath: { path: out } }] };
  const main = { name: 'pytorch', image: 'node:24', command: ['sh', '-c', script], ...mounts, ...container };
  const sidecar = beside ? [{ name: 'proxy', image: 'node:24', command: ['sh', '-c', beside] }] : [];
  const containers = [main, ...sidecar];
  const spec = { terminationGracePeriodSeconds: graceSeconds, containers, ...volumes, ...pod };
  return { replicas, restartPolicy, template: { spec } };
}

/** Runs for as long as a test takes. */
export const RUNS_ON = { script: 'sleep 3600' } as const;

/** Fields of a pod that may be on this node only. */
export const onNode = (name: string) => ({ nodeSelector: { [HOST_NAME]: name } });

/** Of a pod that is placed on this node as long as that is possible. */
export const preferringNode = (name: string) => {
  const preference = { matchExpressions: [{ key: HOST_NAME, operator: 'In', values: [name] }] };
  const preferred = [{ weight: 100, preference }];
  return { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } } };
};

const HOST_NAME = 'kubernetes.io/hostname';
