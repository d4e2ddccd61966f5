import type { Manifest } from './manifests.ts';

export interface LocalJobOptions {
  readonly name: string;
  readonly namespace: string;
  /** Of `sh`; `/state` is a folder that lives as long as its pod. */
  readonly script: string;
  /** Beside a Master; they run the same. */
  readonly workers?: number;
  readonly restartPolicy?: string;
  readonly runPolicy?: Readonly<Record<string, unknown>>;
  /** Fields of the container. */
  readonly container?: Readonly<Record<string, unknown>>;
  /** Between SIGTERM and SIGKILL; 5 unless said otherwise. */
  readonly graceSeconds?: number;
  /** A folder of this machine, which pods find as `/out`. */
  readonly out?: string;
}

/** A PyTorchJob of real processes on the local node: a Master, unless said otherwise. */
export function localJob(options: LocalJobOptions): Manifest {
  const { name, namespace, workers = 0, restartPolicy = 'OnFailure', runPolicy } = options;
  const role = (replicas: number) => ({ replicas, restartPolicy, template: templateOf(options) });
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: { name, namespace },
    spec: {
      runPolicy: { cleanPodPolicy: 'All', ...runPolicy },
      pytorchReplicaSpecs: { Master: role(1), ...(workers > 0 ? { Worker: role(workers) } : {}) },
    },
  };
}

function templateOf({ script, container, out, graceSeconds = 5 }: LocalJobOptions) {
  return {
    spec: {
      nodeSelector: { 'signalbox.dev/node': 'local' },
      terminationGracePeriodSeconds: graceSeconds,
      containers: [
        {
          name: 'pytorch',
          image: 'any',
          command: ['sh', '-c', script],
          volumeMounts: [
            { name: 'state', mountPath: '/state' },
            ...(out ? [{ name: 'out', mountPath: '/out' }] : []),
          ],
          ...container,
        },
      ],
      volumes: [{ name: 'state', emptyDir: {} }, ...(out ? [{ name: 'out', hostPath: { path: out } }] : [])],
    },
  };
}

/** The first process of a pod fails, the second one runs on. */
export const FAILS_ONCE = 'if [ -e /state/failed ]; then exec sleep 600; fi; touch /state/failed; exit 1';
