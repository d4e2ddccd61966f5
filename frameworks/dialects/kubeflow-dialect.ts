import { z } from 'zod';
import { CLEAN_POD_POLICIES, JOB_RESTART_POLICIES } from '../../contracts/training-job.ts';
import type { Fault } from '../../contracts/types.ts';
import { describeValue } from '../fields/faults.ts';
import { count, podTemplate, replicas, schedulingPolicy } from '../fields/manifest-schema.ts';
import type { Dialect, Policies, RoleFields } from '../model/dialect.ts';
import { gangFieldsOf } from './scheduling-policy.ts';

const replicaSpec = z.looseObject({
  replicas: replicas.optional().describe('Number of pods of the role.'),
  restartPolicy: z
    .enum(JOB_RESTART_POLICIES)
    .optional()
    .describe('Which failures are retried; ExitCode: codes from 128 on are.'),
  template: podTemplate,
});

const runPolicy = z
  .looseObject({
    cleanPodPolicy: z
      .enum(CLEAN_POD_POLICIES)
      .optional()
      .describe('Which pods are removed when the job has ended: All, Running, or None (default).'),
    ttlSecondsAfterFinished: count
      .optional()
      .describe('Seconds after the end until everything left in the cluster is deleted; default: never.'),
    activeDeadlineSeconds: z
      .int()
      .min(0)
      .optional()
      .describe('Seconds that the job may run; then it fails (DeadlineExceeded). Default: no limit.'),
    backoffLimit: count.optional().describe('Restarts after which the job fails; default: no limit.'),
    schedulingPolicy: schedulingPolicy.optional().describe('What the gang scheduler is asked for.'),
    suspend: z.boolean().optional().describe('Start without pods, until the job is resumed.'),
    managedBy: z
      .string()
      .optional()
      .describe('The controller of the job. A job of another controller is refused.'),
  })
  .meta({ id: 'RunPolicy', description: 'Deadlines, retries and clean-up of the job.' });
const spec = z.looseObject({
  runPolicy: runPolicy.optional().describe('Deadlines, retries and clean-up of the job.'),
});
type Spec = z.infer<typeof spec>;

/** The values of managedBy that name an original operator, whose jobs these are. */
export const ORIGINAL_MANAGERS = {
  trainingOperator: 'kubeflow.org/training-operator',
  mpiOperator: 'kubeflow.org/mpi-operator',
} as const;

/** The value of managedBy that names signalbox, for clusters where an original operator runs as well. */
export const OWN_MANAGER = 'signalbox.dev/bridge';

/** The value by which Kueue gives a job to another cluster. */
export const MULTI_KUEUE = 'kueue.x-k8s.io/multikueue';

/** The values of managedBy that a custom resource may have: the API server refuses others, as the original operators do. */
export const MANAGERS = [...Object.values(ORIGINAL_MANAGERS), OWN_MANAGER, MULTI_KUEUE] as const;

/** Manifests of kubeflow.org: roles with replicas and restartPolicy, and a runPolicy. `operator`: the original one. */
export const kubeflowDialect = (operator: string): Dialect => ({
  spec,
  role: replicaSpec as unknown as z.ZodType<RoleFields>,
  fields: {
    '': ['runPolicy'],
    runPolicy: Object.keys(runPolicy.shape),
    'runPolicy.schedulingPolicy': Object.keys(schedulingPolicy.shape),
    '*': Object.keys(replicaSpec.shape),
  },
  withoutEffect: {},
  variablesAreUnique: true,
  schedulingPolicyPath: 'spec.runPolicy.schedulingPolicy',
  suspend: 'runPolicy.suspend',
  managedBy: { field: 'runPolicy.managedBy', operator, own: OWN_MANAGER },
  check: (given) => checkRunPolicy((given as Spec).runPolicy ?? {}, operator),
  policies: (given) => policiesOf((given as Spec).runPolicy ?? {}),
});

/** Manifests that training-operator runs, and what it writes for Volcano. */
export const TRAINING_OPERATOR_DIALECT: Dialect = {
  ...kubeflowDialect(ORIGINAL_MANAGERS.trainingOperator),
  volcano: { queue: 'default', podAnnotations: (_, role) => ({ 'volcano.sh/task-spec': role }) },
};

/** Rejects a job that another controller manages. */
function checkRunPolicy({ managedBy }: NonNullable<Spec['runPolicy']>, operator: string): Fault[] {
  const faults: Fault[] = [];
  if (managedBy !== undefined && managedBy !== operator && managedBy !== OWN_MANAGER) {
    faults.push({
      path: 'spec.runPolicy.managedBy',
      expected: `${operator}, ${OWN_MANAGER}, or no value: another controller manages the job`,
      got: describeValue(managedBy),
    });
  }
  return faults;
}

const policiesOf = ({
  cleanPodPolicy = 'None',
  backoffLimit,
  activeDeadlineSeconds,
  suspend,
  ttlSecondsAfterFinished,
  schedulingPolicy: scheduling,
}: NonNullable<Spec['runPolicy']>): Policies => ({
  runPolicy: { cleanPodPolicy, backoffLimit, activeDeadlineSeconds, suspend, ttlSecondsAfterFinished },
  gang: gangFieldsOf(scheduling),
});
