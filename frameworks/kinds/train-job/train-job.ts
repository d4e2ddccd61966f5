import type { EnvVar, KubeObject, PodSpec } from '../../../contracts/kubernetes.ts';
import type { Role, TrainingJob } from '../../../contracts/training-job.ts';
import {
  ANY_ROLE,
  type Draft,
  type Framework,
  type FrameworkPlan,
  type Replica,
} from '../../model/framework.ts';
import { messagesOf } from '../messages.ts';
import { checkTrainJob } from './checks.ts';
import { claimsOfRuntime } from './claims.ts';
import { TRAIN_JOB_DIALECT } from './dialect.ts';
import { ROLES_FIELD, trainJobOf } from './join.ts';
import { JOB_SET_LABEL, marksOf, placeOf } from './marks.ts';
import { olderForms } from './older-forms.ts';
import { INDEX, NODE, subdomainOf } from './policies/ml-policy.ts';
import { policyOf } from './policies/registry.ts';
import { RUNTIMES } from './references.ts';
import { replicatedJobsOf } from './replicated-jobs.ts';
import { TRAIN_JOB_RESOURCE } from './resource.ts';
import { rulesOfFailures } from './restarts.ts';
import { DEFAULT_RESTART_POLICY } from './spec/job-spec.ts';
import { options, type TrainOptions } from './spec/options.ts';
import { roleOptions, roleOptionsOf } from './spec/role-options.ts';
import { TRAINER } from './spec/runtime.ts';
import { afterJobs } from './start-order.ts';

const INDEX_VARIABLE: EnvVar = {
  name: 'JOB_COMPLETION_INDEX',
  valueFrom: { fieldRef: { fieldPath: `metadata.labels['${INDEX}']` } },
};

/** TrainJob, trainer.kubeflow.org/v1alpha1, as Kubeflow Trainer 2.3 with JobSet 0.12 runs it; without either of them. */
export const trainKind = {
  apiVersion: 'trainer.kubeflow.org/v1alpha1',
  kind: 'TrainJob',
  resource: TRAIN_JOB_RESOURCE,
  references: RUNTIMES,
  dialect: TRAIN_JOB_DIALECT,
  operatorName: 'trainer',
  replicaSpecs: `${ROLES_FIELD}[]`,
  roles: [{ name: ANY_ROLE, minReplicas: 1, defaultRestartPolicy: DEFAULT_RESTART_POLICY }],
  roleOptions,
  container: NODE,
  options,
  check: checkTrainJob,
  complete: ({ roles }) => ({ roles: roles.map(withRestartPolicy) }),
  warnings: [olderForms],
  masterRole: (roles) => leadingRole(roles).name,
  plan,
  environment: () => [INDEX_VARIABLE],
  podMetadata: marksOf,
  shapePod,
  servicePorts: () => undefined,
  sharedObjects,
} as const satisfies Framework<TrainOptions>;

/** Batch Jobs have the restart policy of their pods. */
const withRestartPolicy = (role: Role): Role => ({
  ...role,
  restartPolicy: role.template.spec.restartPolicy ?? DEFAULT_RESTART_POLICY,
});

const leadingRole = (roles: readonly Role[]): Role =>
  roles.find((role) => roleOptionsOf(role).ancestor === TRAINER) ?? roles[0]!;

function plan({ name, roles, options }: Draft<TrainOptions>): FrameworkPlan {
  const { runtime } = options;
  const { successPolicy, replicatedJobs } = runtime.template.spec;
  const targets = successPolicy?.targetReplicatedJobs ?? [];
  return {
    successRoles: targets.length > 0 ? targets : roles.map((role) => role.name),
    messages: messagesOf('TrainJob', name),
    replicaCounts: ['pending', 'starting', 'running', 'succeeded', 'failed'],
    // Claims keep what has been loaded, and the Service its name.
    sharesWhileSuspended: true,
    roles: Object.fromEntries(
      replicatedJobs.map((job) => [
        job.name,
        { ...afterJobs(job, runtime), ...rulesOfFailures(job, runtime) },
      ]),
    ),
  };
}

/** Host name and domain are those of JobSet; the index is also for init containers. */
function shapePod(spec: PodSpec, job: TrainingJob, replica: Replica): PodSpec {
  const { jobIndex, podIndex } = placeOf(replica);
  return {
    ...spec,
    ...(spec.initContainers
      ? {
          initContainers: spec.initContainers.map((container) => ({
            ...container,
            env: [...(container.env ?? []), INDEX_VARIABLE],
          })),
        }
      : {}),
    hostname: `${job.name}-${replica.role.name}-${jobIndex}-${podIndex}`,
    subdomain: subdomainOf(trainJobOf(job)),
  };
}

function sharedObjects(job: TrainingJob): readonly KubeObject[] {
  const own = trainJobOf(job);
  return [
    serviceOf(job, own),
    ...claimsOfRuntime(own),
    ...(policyOf(own).objects?.(own, replicatedJobsOf(own)) ?? []),
  ];
}

const serviceOf = ({ name }: TrainingJob, own: ReturnType<typeof trainJobOf>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: subdomainOf(own) },
  spec: {
    clusterIP: 'None',
    publishNotReadyAddresses: own.options.runtime.template.spec.network?.publishNotReadyAddresses ?? true,
    selector: { [JOB_SET_LABEL]: name },
  },
});
