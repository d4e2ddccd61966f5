import { asFields, type Fields, isFields, valueAt } from '../../../language/fields.ts';
import type { JobWithRuntime } from './policies/ml-policy.ts';
import { replicatedJobsOf } from './replicated-jobs.ts';
import { options, type TrainOptions } from './spec/options.ts';
import type { roleOptions } from './spec/role-options.ts';
import { ancestorOf, JOBS_PATH, type ReplicatedJob } from './spec/runtime.ts';

/** The field of spec in which a TrainJob has its roles, once it has been joined with its runtime. */
export const ROLES_FIELD = 'replicatedJobs';

/**
 * Returns a TrainJob as the parser reads it: `spec.runtime` is the spec of its runtime, and `spec.replicatedJobs` the roles with
 * their pods. Roles of a job that has faults are those of the runtime as it is.
 */
export function joinedTrainJob(manifest: Fields, runtime: unknown): Fields {
  const spec = { ...asFields(manifest.spec), runtime };
  const { name } = asFields(manifest.metadata);
  const parsed = options.safeParse(spec);
  const roles = parsed.success
    ? rolesOf({ name: String(name), options: parsed.data })
    : asListed(valueAt(runtime, 'template.spec.replicatedJobs'));
  return { ...manifest, spec: { ...spec, [ROLES_FIELD]: roles } };
}

/** Returns the path that a user knows of a fault in the joined manifest. */
export const pathBeforeJoin = (path: string): string =>
  path
    .replace(/^spec\.replicatedJobs(\[[^\]]+\])\.template\b/, `${JOBS_PATH}$1.template.spec.template`)
    .replace(/^spec\.replicatedJobs\b/, JOBS_PATH);

function rolesOf(job: JobWithRuntime) {
  const jobs = replicatedJobsOf(job);
  return jobs.map((one, index) => ({
    name: one.name,
    replicas: replicasOf(one) * podsOf(one),
    template: one.template.spec.template,
    replicatedJob: placeAmong(jobs, one, index),
  }));
}

/** Faulty as it is: what is wrong is told by its schema. */
const asListed = (jobs: unknown) =>
  (Array.isArray(jobs) ? jobs : []).filter(isFields).map((job) => ({
    name: job.name,
    replicas: 1,
    template: valueAt(job, 'template.spec.template'),
    replicatedJob: placeAmong([], NO_JOB, 0),
  }));

const NO_JOB = { name: '', template: { spec: {} } } as unknown as ReplicatedJob;

/** Of a job that stands for a step there is one. */
const replicasOf = (job: ReplicatedJob): number => (ancestorOf(job) ? 1 : (job.replicas ?? 1));

const podsOf = ({ template }: ReplicatedJob): number => template.spec.parallelism ?? 1;

const groupOf = ({ groupName = 'default' }: ReplicatedJob): string => groupName;

function placeAmong(
  jobs: readonly ReplicatedJob[],
  job: ReplicatedJob,
  index: number,
): ReturnType<typeof roleOptions.parse>['replicatedJob'] {
  const group = groupOf(job);
  const ofGroup = jobs.filter((one) => groupOf(one) === group);
  return {
    ...{ replicas: replicasOf(job), perJob: podsOf(job), ancestor: ancestorOf(job) },
    globalReplicas: sumOf(jobs),
    globalIndex: sumOf(jobs.slice(0, index)),
    group,
    groupReplicas: sumOf(ofGroup),
    groupIndex: sumOf(ofGroup.slice(0, ofGroup.indexOf(job))),
  };
}

const sumOf = (jobs: readonly ReplicatedJob[]) => jobs.reduce((sum, job) => sum + replicasOf(job), 0);

/** The job of a draft, or of an admitted job. */
export const trainJobOf = ({
  name,
  options: given,
}: {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}): JobWithRuntime => ({ name, options: given as unknown as TrainOptions });
