import type { Dataset } from './activities.ts';

interface Training {
  readonly dataset: Dataset;
  readonly workers: number;
  readonly namespace: string;
}

/** A PyTorchJob of a master and some workers. The sandbox runs the command without an image. */
export function manifestFor({ dataset, workers, namespace }: Training): object {
  const template = {
    spec: {
      containers: [
        {
          name: 'pytorch',
          image: 'node:24',
          command: ['node', 'examples/pytorch/ddp-node/train.mjs'],
          args: [`--steps=${dataset.steps}`, '--step-millis=20'],
          env: [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
        },
      ],
    },
  };
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: {
      name: `${dataset.name}-${workers}`,
      namespace,
      // What a job has reached is in its status, and so in its outcome.
      annotations: { 'signalbox.dev/policy': "progress: { log: 'step=.*' }" },
    },
    spec: {
      runPolicy: { cleanPodPolicy: 'Running' },
      pytorchReplicaSpecs: {
        Master: { replicas: 1, restartPolicy: 'OnFailure', template },
        Worker: { replicas: workers, restartPolicy: 'OnFailure', template },
      },
    },
  };
}
