import type { KubeObject } from '../../../contracts/kubernetes.ts';
import { ownValue } from '../../../language/fields.ts';
import { ANCESTOR_LABEL, type Ancestor } from './spec/runtime.ts';

/** The runtimes that Trainer 2.3 comes with, for clusters and sandboxes without them. */

const TRAINER_IMAGES = 'ghcr.io/kubeflow/trainer';

interface JobParts {
  readonly name: string;
  readonly ancestor?: Ancestor;
  readonly dependsOn?: readonly { readonly name: string; readonly status: 'Ready' | 'Complete' }[];
  readonly container: Readonly<Record<string, unknown>>;
  readonly pod?: Readonly<Record<string, unknown>>;
}

const jobWith = ({ name, ancestor, dependsOn, container, pod }: JobParts) => ({
  name,
  ...(dependsOn ? { dependsOn } : {}),
  template: {
    ...(ancestor ? { metadata: { labels: { [ANCESTOR_LABEL]: ancestor } } } : {}),
    spec: { template: { spec: { ...pod, containers: [container] } } },
  },
});

const nodes = (image: string) => [
  jobWith({ name: 'node', ancestor: 'trainer', container: { name: 'node', image } }),
];

const NOBODY_ELSE = { securityContext: { runAsUser: 1000 } };

/** Nodes wait for ssh; the launcher, a node itself, runs mpirun when they are ready. */
const underMpi = (framework: string) => {
  const image = `${TRAINER_IMAGES}/${framework}-runtime`;
  const pod = { securityContext: { fsGroup: 1000 } };
  return {
    mlPolicy: {
      numNodes: 1,
      mpi: {
        numProcPerNode: 1,
        mpiImplementation: 'OpenMPI',
        sshAuthMountPath: '/home/mpiuser/.ssh',
        runLauncherAsNode: true,
      },
    },
    set: {
      network: { publishNotReadyAddresses: true },
      successPolicy: { operator: 'All', targetReplicatedJobs: ['launcher'] },
    },
    jobs: [
      jobWith({
        name: 'node',
        pod,
        container: {
          ...{ name: 'node', image, ...NOBODY_ELSE },
          command: ['/usr/sbin/sshd'],
          args: ['-De', '-f', '/home/mpiuser/.sshd_config'],
          readinessProbe: { tcpSocket: { port: 2222 }, initialDelaySeconds: 5 },
        },
      }),
      jobWith({
        name: 'launcher',
        ancestor: 'trainer',
        dependsOn: [{ name: 'node', status: 'Ready' }],
        pod,
        container: { name: 'node', image, ...NOBODY_ELSE },
      }),
    ],
  };
};

const WORKSPACE = { name: 'initializer', mountPath: '/workspace' };

interface Tuned {
  readonly model: string;
  readonly source: string;
  readonly tokenizer: readonly string[];
}

const loaded = (step: 'dataset' | 'model', uri: string) =>
  jobWith({
    name: `${step}-initializer`,
    ancestor: `${step}-initializer`,
    container: {
      name: `${step}-initializer`,
      image: `${TRAINER_IMAGES}/${step}-initializer`,
      env: [{ name: 'STORAGE_URI', value: `hf://${uri}` }],
      volumeMounts: [WORKSPACE],
    },
  });

/** A data set and a model are loaded into a volume, where torchtune finds them. */
const tuned = ({ model, source, tokenizer }: Tuned) => ({
  mlPolicy: { numNodes: 1, torch: {} },
  set: {
    volumeClaimPolicies: [
      {
        templates: [
          {
            metadata: { name: 'initializer' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '20Gi' } } },
          },
        ],
      },
    ],
  },
  jobs: [
    loaded('dataset', 'tatsu-lab/alpaca'),
    loaded('model', source),
    jobWith({
      name: 'node',
      ancestor: 'trainer',
      dependsOn: [
        { name: 'dataset-initializer', status: 'Complete' },
        { name: 'model-initializer', status: 'Complete' },
      ],
      container: {
        name: 'node',
        image: `${TRAINER_IMAGES}/torchtune-trainer`,
        command: [
          ...['tune', 'run', '--rdzv_endpoint=localhost:29500', 'full_finetune_distributed'],
          ...['--config', `${model}_full`],
          'dataset=torchtune.datasets.instruct_dataset',
          'dataset.source=parquet',
          'dataset.data_dir=/workspace/dataset/data',
          'output_dir=/workspace/output',
          ...tokenizer,
          'checkpointer.checkpoint_dir=/workspace/model',
        ],
        resources: { limits: { 'nvidia.com/gpu': 2 } },
        volumeMounts: [WORKSPACE],
      },
    }),
  ],
});

interface RuntimeParts {
  readonly mlPolicy: Readonly<Record<string, unknown>>;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly jobs: readonly unknown[];
}

const LLAMA = ['tokenizer.path=/workspace/model/original/tokenizer.model'];
const QWEN = [
  'tokenizer.path=/workspace/model/vocab.json',
  'tokenizer.merges_file=/workspace/model/merges.txt',
];

export const SHIPPED_RUNTIMES: Readonly<Record<string, RuntimeParts & { readonly framework: string }>> = {
  'torch-distributed': {
    framework: 'torch',
    mlPolicy: { numNodes: 1, torch: {} },
    jobs: nodes('pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime'),
  },
  'jax-distributed': {
    framework: 'jax',
    mlPolicy: { numNodes: 1, jax: {} },
    jobs: nodes('nvcr.io/nvidia/jax:25.10-py3'),
  },
  'xgboost-distributed': {
    framework: 'xgboost',
    mlPolicy: { numNodes: 1, xgboost: {} },
    jobs: nodes(`${TRAINER_IMAGES}/xgboost-runtime`),
  },
  'deepspeed-distributed': { framework: 'deepspeed', ...underMpi('deepspeed') },
  'mlx-distributed': { framework: 'mlx', ...underMpi('mlx') },
  'torchtune-llama3.2-1b': {
    framework: 'torchtune',
    ...tuned({ model: 'llama3_2/1B', source: 'meta-llama/Llama-3.2-1B-Instruct', tokenizer: LLAMA }),
  },
  'torchtune-llama3.2-3b': {
    framework: 'torchtune',
    ...tuned({ model: 'llama3_2/3B', source: 'meta-llama/Llama-3.2-3B-Instruct', tokenizer: LLAMA }),
  },
  'torchtune-qwen2.5-1.5b': {
    framework: 'torchtune',
    ...tuned({ model: 'qwen2_5/1.5B', source: 'Qwen/Qwen2.5-1.5B-Instruct', tokenizer: QWEN }),
  },
};

/** Returns a runtime that comes with signalbox. */
export function shippedRuntime(name: string): KubeObject | undefined {
  const parts = ownValue(SHIPPED_RUNTIMES, name);
  if (!parts) return undefined;
  const { framework, mlPolicy, set, jobs } = parts;
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'ClusterTrainingRuntime',
    metadata: { name, labels: { 'trainer.kubeflow.org/framework': framework } },
    spec: { mlPolicy, template: { spec: { ...set, replicatedJobs: jobs } } },
  };
}
