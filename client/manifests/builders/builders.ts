// Generated from kinds.ts by `npm run docs`: a function for each kind, whose options have types and comments.
import type {
  JAXJob,
  JobPolicy,
  MPIJob,
  MPIJobV2,
  PaddleJob,
  PaddleOperatorJob,
  PyTorchJob,
  TFJob,
  TrainJob,
  VolcanoJob,
  XGBoostJob,
} from '../manifest-types.ts';
import { buildManifest } from './build-manifest.ts';
import { BUILDERS } from './kinds.ts';

/**
 * What the pods of a job run, and need. All pods of the job get the same, unless the builder says otherwise.
 *
 * @public
 */
export interface AnyJobOptions {
  /** Name of the job: a DNS label that starts with a letter. */
  readonly name: string;
  /** Kubernetes namespace; default: that of the client. */
  readonly namespace?: string;
  readonly image: string;
  /** The program and its first arguments; default: the image's. */
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  /** Variables of the program, by name. */
  readonly env?: Readonly<Record<string, string>>;
  /** CPUs that each pod requests, e.g. `4` or `500m`. It may use more. */
  readonly cpu?: string | number;
  /** Memory that each pod requests and may use, e.g. `64Gi`. */
  readonly memory?: string | number;
  /** Default: none. */
  readonly gpusPerNode?: number;
  /** Resource of a GPU; default: `nvidia.com/gpu`. */
  readonly gpuResource?: string;
  /** Where pods see PersistentVolumeClaims: the path, by the name of the claim. */
  readonly volumes?: Readonly<Record<string, string>>;
  /** Size of /dev/shm, which data loaders and NCCL use, e.g. `16Gi`. It counts as memory. */
  readonly shm?: string | number;
  /** Labels that nodes must have. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Labels of the job, by which clients find it. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** How failures are handled; docs/policy.md. */
  readonly policy?: JobPolicy;
  /** The gang scheduler; default: that of the workers. */
  readonly gang?: 'auto' | 'native' | 'volcano' | 'coscheduling' | 'kube-batch' | 'kueue' | 'gated' | 'gated-native' | 'none';
}

/**
 * Options that all kinds of kubeflow.org have.
 *
 * @public
 */
export interface JobOptions extends AnyJobOptions {
  /**
   * Which failures are retried; default: `Never`, so that a crash ends the job, or `OnFailure` with a `backoffLimit`,
   * with `elastic` or with `policy.restart`. Of an MPIJob the launcher’s.
   */
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /**
   * Restarts after which the job fails; default: 3 with `elastic` or `policy.restart`, no limit with a `restartPolicy`.
   * The kubelet does not wait for that: with 0 and `OnFailure` a program may run twice.
   */
  readonly backoffLimit?: number;
  /** Seconds that the job may run. */
  readonly deadlineSeconds?: number;
  /** Seconds after the end until everything left in the cluster is deleted. */
  readonly ttlSeconds?: number;
  /** Which pods are removed when the job has ended; default: none. */
  readonly cleanPodPolicy?: 'All' | 'Running' | 'None';
  /** Start without pods, until the job is resumed. */
  readonly suspend?: boolean;
}

/**
 * What a PyTorchJob is built from.
 *
 * @public
 */
export interface PyTorchJobOptions extends JobOptions {
  /** Pods: one Master and Workers for the rest. */
  readonly nodes: number;
  /** Processes that torchrun starts in each pod; default: `auto`, one for each GPU. */
  readonly processesPerNode?: number | 'auto' | 'cpu' | 'gpu';
  /** Lets the number of pods change while the job runs. Then all pods are Workers, and `nodes` of them start. */
  readonly elastic?: {
    readonly minNodes: number;
    readonly maxNodes: number;
    /** Restarts of the processes that torchrun allows. */
    readonly maxRestarts?: number;
  };
}

/**
 * Returns the manifest of a PyTorchJob. Throws `InvalidManifestError` with all options that are wrong.
 *
 * @example
 * ```ts
 * const manifest = pytorchJob({
 *   name: 'resnet',
 *   image: 'registry.example/resnet:1',
 *   command: ['torchrun', 'train.py'],
 *   nodes: 4,
 *   gpusPerNode: 8,
 * });
 * ```
 *
 * @public
 */
export function pytorchJob(options: PyTorchJobOptions): PyTorchJob {
  return buildManifest<PyTorchJob>(BUILDERS.pytorchJob, options);
}

/**
 * What a TFJob is built from.
 *
 * @public
 */
export interface TFJobOptions extends JobOptions {
  /** Pods that train: with more than one, one Chief and Workers for the rest. */
  readonly nodes: number;
  /** Pods that hold the parameters, without GPUs; default: 0. */
  readonly parameterServers?: number;
  /** Pods that evaluate, beside those that train; default: 0. */
  readonly evaluators?: number;
  /** `AllWorkers`: every Worker must succeed; default: the Chief, or else the first Worker. */
  readonly successPolicy?: 'AllWorkers';
}

/**
 * Returns the manifest of a TFJob. Throws `InvalidManifestError` with all options that are wrong.
 *
 * @example
 * ```ts
 * const manifest = tfJob({ name: 'mnist', image: 'registry.example/mnist:1', nodes: 3, parameterServers: 1 });
 * ```
 *
 * @public
 */
export function tfJob(options: TFJobOptions): TFJob {
  return buildManifest<TFJob>(BUILDERS.tfJob, options);
}

/**
 * What an XGBoostJob is built from.
 *
 * @public
 */
export interface XGBoostJobOptions extends JobOptions {
  /** Pods: one Master and Workers for the rest. */
  readonly nodes: number;
}

/**
 * Returns the manifest of an XGBoostJob, which also runs LightGBM. Throws `InvalidManifestError` with all options that
 * are wrong.
 *
 * @example
 * ```ts
 * const manifest = xgboostJob({ name: 'churn', image: 'registry.example/churn:1', nodes: 3, cpu: 8, memory: '32Gi' });
 * ```
 *
 * @public
 */
export function xgboostJob(options: XGBoostJobOptions): XGBoostJob {
  return buildManifest<XGBoostJob>(BUILDERS.xgboostJob, options);
}

/**
 * What a JAXJob is built from.
 *
 * @public
 */
export interface JAXJobOptions extends JobOptions {
  /** Pods, which are all Workers; the first one coordinates. */
  readonly nodes: number;
}

/**
 * Returns the manifest of a JAXJob. Throws `InvalidManifestError` with all options that are wrong.
 *
 * @example
 * ```ts
 * const manifest = jaxJob({ name: 'gemma', image: 'registry.example/gemma:1', nodes: 4, gpusPerNode: 8 });
 * ```
 *
 * @public
 */
export function jaxJob(options: JAXJobOptions): JAXJob {
  return buildManifest<JAXJob>(BUILDERS.jaxJob, options);
}

/**
 * What a PaddleJob of kubeflow.org is built from.
 *
 * @public
 */
export interface PaddleJobOptions extends JobOptions {
  /** Pods that train, which are all Workers. */
  readonly nodes: number;
  /** Pods that hold the parameters, the role Master, without GPUs; default: 0. */
  readonly parameterServers?: number;
}

/**
 * Returns the manifest of a PaddleJob of kubeflow.org. Throws `InvalidManifestError` with all options that are wrong.
 *
 * @example
 * ```ts
 * const manifest = paddleJob({ name: 'ocr', image: 'registry.example/ocr:1', nodes: 2, gpusPerNode: 8 });
 * ```
 *
 * @public
 */
export function paddleJob(options: PaddleJobOptions): PaddleJob {
  return buildManifest<PaddleJob>(BUILDERS.paddleJob, options);
}

/**
 * What an MPIJob of kubeflow.org/v1 is built from. `command` and `args` are those of the launcher, which runs mpirun.
 * It requests no GPUs.
 *
 * @public
 */
export interface MPIJobOptions extends JobOptions {
  /** Workers. */
  readonly nodes: number;
  /** Processes on each worker, as the host list says; default: 1. */
  readonly processesPerNode?: number;
  /** What workers run; default: they wait for the launcher. */
  readonly workerCommand?: readonly string[];
}

/**
 * Returns the manifest of an MPIJob of kubeflow.org/v1, whose launcher reaches its workers by kubectl exec. Throws
 * `InvalidManifestError` with all options that are wrong.
 *
 * @example
 * ```ts
 * const manifest = mpiJob({
 *   name: 'horovod',
 *   image: 'registry.example/horovod:1',
 *   command: ['mpirun', 'train'],
 *   nodes: 2,
 * });
 * ```
 *
 * @public
 */
export function mpiJob(options: MPIJobOptions): MPIJob {
  return buildManifest<MPIJob>(BUILDERS.mpiJob, options);
}

/**
 * What an MPIJob of kubeflow.org/v2beta1 is built from. `command` and `args` are those of the launcher, which runs
 * mpirun. It requests no GPUs.
 *
 * @public
 */
export interface MPIJobV2Options extends JobOptions {
  /** Workers. */
  readonly nodes: number;
  /** Processes on each worker, as the host list says; default: 1. */
  readonly processesPerNode?: number;
  /** What workers run; default: they wait for the launcher. */
  readonly workerCommand?: readonly string[];
  /** Restart policies of this kind. */
  readonly restartPolicy?: 'OnFailure' | 'Never';
  readonly implementation?: 'OpenMPI' | 'Intel' | 'MPICH';
  /** Where the SSH keys are mounted; default: `/root/.ssh`. */
  readonly sshAuthMountPath?: string;
  /** Creates the launcher when all workers are ready. */
  readonly waitForWorkers?: boolean;
}

/**
 * Returns the manifest of an MPIJob of kubeflow.org/v2beta1, whose launcher reaches its workers by SSH. Throws
 * `InvalidManifestError` with all options that are wrong.
 *
 * @example
 * ```ts
 * const manifest = mpiJobV2({
 *   name: 'allreduce',
 *   image: 'registry.example/mpi:1',
 *   command: ['mpirun', 'train'],
 *   nodes: 2,
 *   processesPerNode: 8,
 *   gpusPerNode: 8,
 * });
 * ```
 *
 * @public
 */
export function mpiJobV2(options: MPIJobV2Options): MPIJobV2 {
  return buildManifest<MPIJobV2>(BUILDERS.mpiJobV2, options);
}

/**
 * What a PaddleJob of batch.paddlepaddle.org is built from.
 *
 * @public
 */
export interface PaddleOperatorJobOptions extends AnyJobOptions {
  /** Pods that train: the role worker. */
  readonly nodes: number;
  /** Pods that hold the parameters, the role ps, without GPUs; default: 0. */
  readonly parameterServers?: number;
  /** How pods reach each other: by address, by the names of their Services, or on the host network. */
  readonly intranet?: 'PodIP' | 'Service' | 'Host';
  /** Which failures the kubelet retries; default: `Never`, so that a crash ends the job. */
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  /** At which end pods are removed; default: `OnCompletion`. */
  readonly cleanPodPolicy?: 'Always' | 'Never' | 'OnFailure' | 'OnCompletion';
}

/**
 * Returns the manifest of a PaddleJob of batch.paddlepaddle.org. Throws `InvalidManifestError` with all options that
 * are wrong.
 *
 * @example
 * ```ts
 * const manifest = paddleOperatorJob({ name: 'ctr', image: 'registry.example/ctr:1', nodes: 4, parameterServers: 2 });
 * ```
 *
 * @public
 */
export function paddleOperatorJob(options: PaddleOperatorJobOptions): PaddleOperatorJob {
  return buildManifest<PaddleOperatorJob>(BUILDERS.paddleOperatorJob, options);
}

/**
 * What a Job of Volcano is built from. The job restarts when one of its pods has failed, as often as `restarts` says.
 *
 * @public
 */
export interface VolcanoJobOptions extends AnyJobOptions {
  /** Pods: a task master of one, and a task worker for the rest. */
  readonly nodes: number;
  /** Plugins and their arguments, by name, e.g. `pytorch`, `env`, `svc`, `ssh`. */
  readonly plugins?: Readonly<Record<string, readonly string[]>>;
  /** Restarts of the whole job after a pod has failed; default: 0. */
  readonly restarts?: number;
  /** Which failures the kubelet retries, before the pod fails; default: `Never`. */
  readonly restartPolicy?: 'OnFailure' | 'Never';
  /** Pods that must be placed together; default: all. */
  readonly minAvailable?: number;
  /** Queue of Volcano. */
  readonly queue?: string;
  readonly priorityClass?: string;
  /** Seconds after the end until everything left in the cluster is deleted. */
  readonly ttlSeconds?: number;
}

/**
 * Returns the manifest of a Job of Volcano. Throws `InvalidManifestError` with all options that are wrong.
 *
 * @example
 * ```ts
 * const manifest = volcanoJob({
 *   name: 'bert',
 *   image: 'registry.example/bert:1',
 *   command: ['torchrun', 'train.py'],
 *   nodes: 4,
 *   gpusPerNode: 8,
 *   plugins: { pytorch: [] },
 * });
 * ```
 *
 * @public
 */
export function volcanoJob(options: VolcanoJobOptions): VolcanoJob {
  return buildManifest<VolcanoJob>(BUILDERS.volcanoJob, options);
}

/**
 * What a TrainJob of Kubeflow Trainer is built from. What it does not say, its runtime says, also whether a program
 * that crashes is restarted.
 *
 * @public
 */
export interface TrainJobOptions extends AnyJobOptions {
  /** Nodes that train, each a pod. */
  readonly nodes: number;
  /** Name of the runtime that the job is made from; default: `torch-distributed`. */
  readonly runtime?: string;
  /** Whether that is one of the cluster (default), or of the job’s namespace. */
  readonly runtimeKind?: 'ClusterTrainingRuntime' | 'TrainingRuntime';
  /** Processes on each node; default: by its resources. */
  readonly processesPerNode?: number;
  /** Where the data set is loaded from before the training begins, e.g. `hf://tatsu-lab/alpaca`. */
  readonly dataset?: string;
  /** Where the model is loaded from before the training begins. */
  readonly model?: string;
  /** Seconds that the job may run. */
  readonly deadlineSeconds?: number;
  /** Start without pods, until the job is resumed. */
  readonly suspend?: boolean;
}

/**
 * Returns the manifest of a TrainJob of Kubeflow Trainer. Throws `InvalidManifestError` with all options that are
 * wrong.
 *
 * @example
 * ```ts
 * const manifest = trainJob({
 *   name: 'bert',
 *   image: 'registry.example/bert:1',
 *   command: ['torchrun', 'train.py'],
 *   runtime: 'torch-distributed',
 *   nodes: 4,
 *   gpusPerNode: 8,
 * });
 * ```
 *
 * @public
 */
export function trainJob(options: TrainJobOptions): TrainJob {
  return buildManifest<TrainJob>(BUILDERS.trainJob, options);
}
