import type { JobAnnotations, JobPolicy } from '../manifest-types.ts';

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
  /** Default: none. */
  readonly gpusPerNode?: number;
  /** Resource of a GPU; default: `nvidia.com/gpu`. */
  readonly gpuResource?: string;
  /** CPUs that each pod requests, e.g. `4` or `500m`. It may use more. */
  readonly cpu?: string | number;
  /** Memory that each pod requests and may use, e.g. `64Gi`. */
  readonly memory?: string | number;
  /** Size of /dev/shm, which data loaders and NCCL use, e.g. `16Gi`. It counts as memory. */
  readonly shm?: string | number;
  /** Where pods see PersistentVolumeClaims: the path, by the name of the claim. */
  readonly volumes?: Readonly<Record<string, string>>;
  /** Labels that nodes must have. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Labels of the job, by which clients find it. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** How failures are handled; docs/policy.md. */
  readonly policy?: JobPolicy;
  /** The gang scheduler; default: that of the workers. */
  readonly gang?: JobAnnotations['signalbox.dev/gang'];
}

/**
 * Options that all kinds of kubeflow.org have.
 *
 * @public
 */
export interface JobOptions extends AnyJobOptions {
  /**
   * Which failures are retried; default: `Never`, so that a crash ends the job, or `OnFailure` with a `backoffLimit`, with
   * `elastic` or with `policy.restart`. Of an MPIJob the launcher's.
   */
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode';
  /**
   * Restarts after which the job fails; default: 3 with `elastic` or `policy.restart`, no limit with a `restartPolicy`. The
   * kubelet does not wait for that: with 0 and `OnFailure` a program may run twice.
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
