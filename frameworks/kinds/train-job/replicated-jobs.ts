import type { Container, EnvVar } from '../../../contracts/kubernetes.ts';
import { claimed } from './claims.ts';
import { patchedJobs } from './patches.ts';
import { type JobWithRuntime, NODE, nodesOf } from './policies/ml-policy.ts';
import { policyOf } from './policies/registry.ts';
import { withContainer, withEnv, withJobSpec } from './spec/containers.ts';
import type { TrainOptions } from './spec/options.ts';
import { ancestorOf, containerOfAncestor, type ReplicatedJob, TRAINER } from './spec/runtime.ts';

/**
 * Returns the replicated jobs of a TrainJob: those of the runtime, with what the job says of its nodes, its initializers and its
 * patches, and what the policy of the runtime adds.
 */
export function replicatedJobsOf(job: JobWithRuntime): readonly ReplicatedJob[] {
  const { apply } = policyOf(job);
  const jobs = patchedJobs(job.options).map((one) => sized(withSteps(one, job.options), job));
  return (apply?.(jobs, job) ?? jobs).map((one) => claimed(one, job));
}

/** Every pod of a replicated job has an index, and must succeed. */
function sized(replicated: ReplicatedJob, job: JobWithRuntime): ReplicatedJob {
  const pods = podsOf(replicated, job);
  return withJobSpec(replicated, { parallelism: pods, completions: pods });
}

function podsOf(replicated: ReplicatedJob, job: JobWithRuntime): number {
  const written = replicated.template.spec.parallelism ?? 1;
  const ofPolicy = policyOf(job).podsOf?.(replicated, job);
  if (ofPolicy !== undefined) return ofPolicy;
  const { trainer, runtime } = job.options;
  const isSized = trainer?.numNodes !== undefined || runtime.mlPolicy !== undefined;
  return ancestorOf(replicated) === TRAINER && isSized ? nodesOf(job) : written;
}

function withSteps(job: ReplicatedJob, options: TrainOptions): ReplicatedJob {
  const ancestor = ancestorOf(job);
  if (ancestor === TRAINER) return withTrainer(job, options);
  const isNode = job.name === NODE && options.runtime.mlPolicy?.mpi?.runLauncherAsNode;
  if (isNode) return withContainer(job, NODE, (container) => withNeeds(container, options));
  const step = ancestor === 'dataset-initializer' ? 'dataset' : 'model';
  const given = ancestor === `${step}-initializer` ? options.initializer?.[step] : undefined;
  if (!given || ancestor === undefined) return job;
  const { storageUri, env = [], secretRef } = given;
  const uri = storageUri ? [{ name: 'STORAGE_URI', value: storageUri }] : [];
  return withContainer(job, containerOfAncestor(ancestor), (container) => ({
    ...withEnv(container, [...uri, ...(env as EnvVar[])]),
    ...(secretRef ? { envFrom: [...(container.envFrom ?? []), { secretRef }] } : {}),
  }));
}

function withTrainer(job: ReplicatedJob, options: TrainOptions): ReplicatedJob {
  const { image, command, args } = options.trainer ?? {};
  return withContainer(job, NODE, (container) => ({
    ...withNeeds(container, options),
    ...(image === undefined ? {} : { image }),
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args }),
  }));
}

/** Variables and resources, which also the nodes beside a launcher have. */
function withNeeds(container: Container, { trainer }: TrainOptions): Container {
  const { env, resourcesPerNode } = trainer ?? {};
  const own = env ? withEnv(container, env as EnvVar[]) : container;
  if (!resourcesPerNode) return own;
  const { resources = {} } = own;
  const needs = {
    ...resources,
    ...resourcesPerNode,
    ...mergedAmounts('requests', resources, resourcesPerNode),
    ...mergedAmounts('limits', resources, resourcesPerNode),
  };
  return { ...own, resources: needs };
}

type Amounts = NonNullable<Container['resources']>;

function mergedAmounts(field: 'requests' | 'limits', ofRuntime: Amounts, ofJob: Amounts): Partial<Amounts> {
  const amounts = { ...ofRuntime[field], ...ofJob[field] };
  return Object.keys(amounts).length > 0 ? { [field]: amounts } : {};
}
