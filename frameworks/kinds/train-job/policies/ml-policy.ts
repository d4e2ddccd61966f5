import type { EnvVar, KubeObject } from '../../../../contracts/kubernetes.ts';
import type { Fault } from '../../../../contracts/types.ts';
import type { TrainOptions } from '../spec/options.ts';
import type { ReplicatedJob } from '../spec/runtime.ts';

/** A TrainJob, as far as a policy reads it. */
export interface JobWithRuntime {
  readonly name: string;
  readonly options: TrainOptions;
}

/** What one of the fields of a runtime's mlPolicy adds to the job. */
export interface MlPolicy {
  /** Variables that it sets itself. */
  readonly reserved: readonly string[];
  /** How many pods a replicated job has, if that is not the number of nodes for the trainer and one for others. */
  podsOf?(replicated: ReplicatedJob, job: JobWithRuntime): number | undefined;
  check?(job: JobWithRuntime, jobs: readonly ReplicatedJob[]): Fault[];
  /** Changes the replicated jobs, which have all else by then. */
  apply?(jobs: readonly ReplicatedJob[], job: JobWithRuntime): readonly ReplicatedJob[];
  objects?(job: JobWithRuntime, jobs: readonly ReplicatedJob[]): readonly KubeObject[];
}

/** The port at which nodes meet. */
export const MEETING_PORT = 29_500;
/** The container that the policies write into. */
export const NODE = 'node';

export const nodesOf = ({ options: { trainer, runtime } }: JobWithRuntime): number =>
  trainer?.numNodes ?? runtime.mlPolicy?.numNodes ?? 1;

/** The name of the first node's pod, in the Service of the job. */
export const firstNodeOf = ({ name, options }: JobWithRuntime, replicated: string): string =>
  `${name}-${replicated}-0-0.${subdomainOf({ name, options })}`;

export const subdomainOf = ({ name, options }: JobWithRuntime): string =>
  options.runtime.template.spec.network?.subdomain ?? name;

export const INDEX = 'batch.kubernetes.io/job-completion-index';

/** The index of a pod in its replicated job, as a variable. */
export const indexVariable = (name: string): EnvVar => ({
  name,
  valueFrom: { fieldRef: { fieldPath: `metadata.annotations['${INDEX}']` } },
});
