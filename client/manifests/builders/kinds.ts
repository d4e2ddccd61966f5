import { CLEAN_UP_TIMES } from '../../../contracts/training-job.ts';
import { type BuilderKind, type BuilderRole, KUBEFLOW, type RoleSize } from './builder-kind.ts';
import { at, type BuilderOptions, JOB_OPTIONS } from './common-options.ts';
import { BOOLEAN, integerFrom, oneOfWords, TEXT, TEXTS, TEXTS_BY_NAME } from './option-rules.ts';
import { TRAINER_OPTIONS } from './trainer-options.ts';

const kubeflow = (kind: string, version = 'v1') => ({
  manifest: kind,
  apiVersion: `${KUBEFLOW}${version}`,
  kind,
});

const ONE: RoleSize = { least: 1 };
const NODES: RoleSize = { of: 'nodes' };
const OTHERS: RoleSize = { of: 'nodes', less: 1 };

const nodes = (doc: string) => ({ nodes: { rule: integerFrom(1), required: true, doc } }) as const;
const parameterServers = (role: string) => ({
  parameterServers: {
    rule: integerFrom(0),
    doc: `Pods that hold the parameters${role}, without GPUs; default: 0.`,
  },
});
const SERVERS = { replicas: { of: 'parameterServers' }, without: ['gpusPerNode'] } as const;

const MPI_OPTIONS = {
  ...nodes('Workers.'),
  processesPerNode: {
    rule: integerFrom(1),
    doc: 'Processes on each worker, as the host list says; default: 1.',
    at: [at('spec', 'slotsPerWorker')],
  },
  workerCommand: {
    rule: TEXTS,
    doc: 'What workers run; default: they wait for the launcher.',
    at: [at('container', 'command')],
  },
} as const satisfies BuilderOptions;
const MPI_ROLES = [
  { name: 'Launcher', container: 'mpi-launcher', replicas: ONE, without: ['gpusPerNode', 'workerCommand'] },
  {
    ...{ name: 'Worker', container: 'mpi-worker', replicas: NODES },
    ...({ without: ['command', 'args'], hasOwnRestarts: true } as const),
  },
] as const satisfies readonly BuilderRole[];
const MPI_DOC = '`command` and `args` are those of the launcher, which runs mpirun. It requests no GPUs.';

/** Every builder, by its name. */
export const BUILDERS = {
  pytorchJob: {
    ...kubeflow('PyTorchJob'),
    makes: 'a PyTorchJob',
    example: {
      ...{ name: 'resnet', image: 'registry.example/resnet:1' },
      ...{ command: ['torchrun', 'train.py'], nodes: 4, gpusPerNode: 8 },
    },
    options: {
      ...nodes('Pods: one Master and Workers for the rest.'),
      processesPerNode: {
        rule: {
          ...{ is: 'integer', expected: 'an integer >= 1, auto, cpu or gpu' },
          ...{ least: 1, words: ['auto', 'cpu', 'gpu'] },
        },
        doc: 'Processes that torchrun starts in each pod; default: `auto`, one for each GPU.',
        at: [at('spec', 'nprocPerNode')],
      },
      elastic: {
        rule: {
          is: 'bounds',
          expected: 'minNodes and maxNodes, both integers, with 1 <= minNodes <= maxNodes',
          bounds: ['minNodes', 'maxNodes'],
        },
        doc: 'Lets the number of pods change while the job runs. Then all pods are Workers, and `nodes` of them start.',
        fields: {
          minNodes: {
            rule: integerFrom(1),
            required: true,
            at: [at('spec', 'elasticPolicy', 'minReplicas')],
          },
          maxNodes: {
            rule: integerFrom(1),
            required: true,
            at: [at('spec', 'elasticPolicy', 'maxReplicas')],
          },
          maxRestarts: {
            rule: integerFrom(0),
            doc: 'Restarts of the processes that torchrun allows.',
            at: [at('spec', 'elasticPolicy', 'maxRestarts')],
          },
        },
      },
    },
    rolesAt: ['spec', 'pytorchReplicaSpecs'],
    roles: [
      { name: 'Master', container: 'pytorch', replicas: ONE, unless: 'elastic' },
      { name: 'Worker', container: 'pytorch', replicas: OTHERS, unless: 'elastic' },
      { name: 'Worker', container: 'pytorch', replicas: NODES, onlyWith: 'elastic' },
    ],
  },
  tfJob: {
    ...kubeflow('TFJob'),
    makes: 'a TFJob',
    example: { name: 'mnist', image: 'registry.example/mnist:1', nodes: 3, parameterServers: 1 },
    options: {
      ...nodes('Pods that train: with more than one, one Chief and Workers for the rest.'),
      ...parameterServers(''),
      evaluators: {
        rule: integerFrom(0),
        doc: 'Pods that evaluate, beside those that train; default: 0.',
      },
      successPolicy: {
        rule: oneOfWords(['AllWorkers']),
        doc: '`AllWorkers`: every Worker must succeed; default: the Chief, or else the first Worker.',
        at: [at('spec', 'successPolicy')],
      },
    },
    rolesAt: ['spec', 'tfReplicaSpecs'],
    roles: [
      { name: 'Chief', container: 'tensorflow', replicas: { ...OTHERS, most: 1 } },
      { name: 'Worker', container: 'tensorflow', replicas: { ...OTHERS, least: 1 } },
      { name: 'PS', container: 'tensorflow', ...SERVERS },
      { name: 'Evaluator', container: 'tensorflow', replicas: { of: 'evaluators' } },
    ],
  },
  xgboostJob: {
    ...kubeflow('XGBoostJob'),
    makes: 'an XGBoostJob, which also runs LightGBM',
    example: { name: 'churn', image: 'registry.example/churn:1', nodes: 3, cpu: 8, memory: '32Gi' },
    options: nodes('Pods: one Master and Workers for the rest.'),
    rolesAt: ['spec', 'xgbReplicaSpecs'],
    roles: [
      { name: 'Master', container: 'xgboost', replicas: ONE },
      { name: 'Worker', container: 'xgboost', replicas: OTHERS },
    ],
  },
  jaxJob: {
    ...kubeflow('JAXJob'),
    makes: 'a JAXJob',
    example: { name: 'gemma', image: 'registry.example/gemma:1', nodes: 4, gpusPerNode: 8 },
    options: nodes('Pods, which are all Workers; the first one coordinates.'),
    rolesAt: ['spec', 'jaxReplicaSpecs'],
    roles: [{ name: 'Worker', container: 'jax', replicas: NODES }],
  },
  paddleJob: {
    ...kubeflow('PaddleJob'),
    makes: 'a PaddleJob of kubeflow.org',
    example: { name: 'ocr', image: 'registry.example/ocr:1', nodes: 2, gpusPerNode: 8 },
    options: {
      ...nodes('Pods that train, which are all Workers.'),
      ...parameterServers(', the role Master'),
    },
    rolesAt: ['spec', 'paddleReplicaSpecs'],
    roles: [
      { name: 'Master', container: 'paddle', ...SERVERS },
      { name: 'Worker', container: 'paddle', replicas: NODES },
    ],
  },
  mpiJob: {
    ...kubeflow('MPIJob'),
    makes: 'an MPIJob of kubeflow.org/v1, whose launcher reaches its workers by kubectl exec',
    doc: MPI_DOC,
    example: {
      ...{ name: 'horovod', image: 'registry.example/horovod:1' },
      ...{ command: ['mpirun', 'train'], nodes: 2 },
    },
    options: MPI_OPTIONS,
    rolesAt: ['spec', 'mpiReplicaSpecs'],
    roles: MPI_ROLES,
  },
  mpiJobV2: {
    ...kubeflow('MPIJob', 'v2beta1'),
    manifest: 'MPIJobV2',
    makes: 'an MPIJob of kubeflow.org/v2beta1, whose launcher reaches its workers by SSH',
    doc: MPI_DOC,
    example: {
      ...{ name: 'allreduce', image: 'registry.example/mpi:1', command: ['mpirun', 'train'] },
      ...{ nodes: 2, processesPerNode: 8, gpusPerNode: 8 },
    },
    // Even with Never, this kind replaces the pod of a launcher as often as backoffLimit allows, by default six times.
    backoffLimitOfNever: 0,
    options: {
      ...MPI_OPTIONS,
      restartPolicy: {
        rule: oneOfWords(['OnFailure', 'Never']),
        doc: 'Restart policies of this kind.',
        at: [at('role', 'restartPolicy')],
      },
      implementation: {
        rule: oneOfWords(['OpenMPI', 'Intel', 'MPICH']),
        at: [at('spec', 'mpiImplementation')],
      },
      sshAuthMountPath: {
        rule: TEXT,
        doc: 'Where the SSH keys are mounted; default: `/root/.ssh`.',
        at: [at('spec', 'sshAuthMountPath')],
      },
      waitForWorkers: {
        rule: BOOLEAN,
        doc: 'Creates the launcher when all workers are ready.',
        at: [{ path: ['spec', 'launcherCreationPolicy'], value: 'WaitForWorkersReady' }],
      },
    },
    rolesAt: ['spec', 'mpiReplicaSpecs'],
    roles: MPI_ROLES,
  },
  paddleOperatorJob: {
    manifest: 'PaddleOperatorJob',
    apiVersion: 'batch.paddlepaddle.org/v1',
    kind: 'PaddleJob',
    makes: 'a PaddleJob of batch.paddlepaddle.org',
    example: { name: 'ctr', image: 'registry.example/ctr:1', nodes: 4, parameterServers: 2 },
    options: {
      ...nodes('Pods that train: the role worker.'),
      ...parameterServers(', the role ps'),
      intranet: {
        rule: oneOfWords(['PodIP', 'Service', 'Host']),
        doc: 'How pods reach each other: by address, by the names of their Services, or on the host network.',
        at: [at('spec', 'intranet')],
      },
      restartPolicy: {
        rule: oneOfWords(['Always', 'OnFailure', 'Never']),
        doc: 'Which failures the kubelet retries; default: `Never`, so that a crash ends the job.',
        default: 'Never',
        at: [at('pod', 'restartPolicy')],
      },
      cleanPodPolicy: {
        rule: oneOfWords(CLEAN_UP_TIMES),
        doc: 'At which end pods are removed; default: `OnCompletion`.',
        at: [at('spec', 'cleanPodPolicy')],
      },
    },
    rolesAt: ['spec'],
    roles: [
      { name: 'ps', container: 'paddle', ...SERVERS },
      { name: 'worker', container: 'paddle', replicas: NODES },
    ],
  },
  volcanoJob: {
    manifest: 'VolcanoJob',
    apiVersion: 'batch.volcano.sh/v1alpha1',
    kind: 'Job',
    makes: 'a Job of Volcano',
    doc: 'The job restarts when one of its pods has failed, as often as `restarts` says.',
    example: {
      ...{ name: 'bert', image: 'registry.example/bert:1', command: ['torchrun', 'train.py'] },
      ...{ nodes: 4, gpusPerNode: 8, plugins: { pytorch: [] } },
    },
    options: {
      ...nodes('Pods: a task master of one, and a task worker for the rest.'),
      plugins: {
        rule: TEXTS_BY_NAME,
        doc: 'Plugins and their arguments, by name, e.g. `pytorch`, `env`, `svc`, `ssh`.',
        at: [at('spec', 'plugins')],
      },
      restarts: {
        rule: integerFrom(0),
        doc: 'Restarts of the whole job after a pod has failed; default: 0.',
        default: 0,
        at: [
          { path: ['spec', 'maxRetry'], form: 'oneMore' },
          { path: ['spec', 'policies'], value: [{ event: 'PodFailed', action: 'RestartJob' }] },
        ],
      },
      restartPolicy: {
        rule: oneOfWords(['OnFailure', 'Never']),
        doc: 'Which failures the kubelet retries, before the pod fails; default: `Never`.',
        default: 'Never',
        at: [at('pod', 'restartPolicy')],
      },
      minAvailable: {
        rule: integerFrom(1),
        doc: 'Pods that must be placed together; default: all.',
        at: [at('spec', 'minAvailable')],
      },
      queue: { rule: TEXT, doc: 'Queue of Volcano.', at: [at('spec', 'queue')] },
      priorityClass: { rule: TEXT, at: [at('spec', 'priorityClassName')] },
      ttlSeconds: {
        rule: integerFrom(0),
        doc: 'Seconds after the end until everything left in the cluster is deleted.',
        at: [at('spec', 'ttlSecondsAfterFinished')],
      },
    },
    rolesAt: ['spec', 'tasks'],
    rolesAre: 'list',
    roles: [
      { name: 'master', container: 'main', replicas: ONE },
      { name: 'worker', container: 'main', replicas: OTHERS },
    ],
  },
  trainJob: {
    manifest: 'TrainJob',
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    makes: 'a TrainJob of Kubeflow Trainer',
    doc: 'What it does not say, its runtime says, also whether a program that crashes is restarted.',
    example: {
      ...{ name: 'bert', image: 'registry.example/bert:1', command: ['torchrun', 'train.py'] },
      ...{ runtime: 'torch-distributed', nodes: 4, gpusPerNode: 8 },
    },
    options: {
      nodes: { ...nodes('Nodes that train, each a pod.').nodes, at: [at('spec', 'trainer', 'numNodes')] },
      runtime: {
        rule: TEXT,
        doc: 'Name of the runtime that the job is made from; default: `torch-distributed`.',
        default: 'torch-distributed',
        at: [at('spec', 'runtimeRef', 'name')],
      },
      runtimeKind: {
        rule: oneOfWords(['ClusterTrainingRuntime', 'TrainingRuntime']),
        doc: 'Whether that is one of the cluster (default), or of the job’s namespace.',
        at: [at('spec', 'runtimeRef', 'kind')],
      },
      processesPerNode: {
        rule: integerFrom(1),
        doc: 'Processes on each node; default: by its resources.',
        at: [at('spec', 'trainer', 'numProcPerNode')],
      },
      dataset: {
        rule: TEXT,
        doc: 'Where the data set is loaded from before the training begins, e.g. `hf://tatsu-lab/alpaca`.',
        at: [at('spec', 'initializer', 'dataset', 'storageUri')],
      },
      model: {
        rule: TEXT,
        doc: 'Where the model is loaded from before the training begins.',
        at: [at('spec', 'initializer', 'model', 'storageUri')],
      },
      deadlineSeconds: { ...JOB_OPTIONS.deadlineSeconds, at: [at('spec', 'activeDeadlineSeconds')] },
      suspend: { ...JOB_OPTIONS.suspend, at: [at('spec', 'suspend')] },
      ...TRAINER_OPTIONS,
    },
    rolesAt: ['spec', 'runtimePatches'],
    rolesAre: 'patches',
    roles: [{ name: 'node', container: 'node', replicas: ONE }],
  },
} as const satisfies Readonly<Record<string, BuilderKind>>;
