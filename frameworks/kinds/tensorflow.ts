import { z } from 'zod';
import { podNameOf } from '../../contracts/labels.ts';
import { findRole, totalReplicas } from '../../contracts/roles.ts';
import type { Role, TrainingJob } from '../../contracts/training-job.ts';
import type { Fault } from '../../contracts/types.ts';
import { TRAINING_OPERATOR_DIALECT } from '../dialects/kubeflow-dialect.ts';
import {
  type Draft,
  type Framework,
  type FrameworkPlan,
  type Replica,
  rolePath,
} from '../model/framework.ts';
import { rendezvousPort } from '../model/main-container.ts';
import { qualifiedMessagesOf } from './messages.ts';
import { oncePerMeeting } from './once-per-job.ts';

const options = z.object({
  successPolicy: z
    .string()
    .refine((policy) => policy === '' || policy === 'AllWorkers', { error: 'AllWorkers, or nothing' })
    .meta({ enum: ['', 'AllWorkers'] })
    .optional()
    .describe('Which workers must succeed: AllWorkers; default: the first one.'),
  enableDynamicWorker: z.boolean().optional().describe('Workers may join and leave while the job runs.'),
});
type Options = z.infer<typeof options>;

/** The container and port of a TensorFlow task. */
const TENSORFLOW_CONTAINER = {
  container: 'tensorflow',
  port: { name: 'tfjob-port', number: 2222 },
} as const;

/** TFJob, kubeflow.org/v1, as training-operator v1.9 runs it. */
export const tensorflow = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'TFJob',
  dialect: TRAINING_OPERATOR_DIALECT,
  operatorName: 'tfjob-controller',
  replicaSpecs: 'tfReplicaSpecs',
  // The order in which TF_CONFIG lists them.
  roles: [
    { name: 'Chief', minReplicas: 0, maxReplicas: 1, defaultRestartPolicy: 'Never' },
    { name: 'Evaluator', minReplicas: 0, defaultRestartPolicy: 'Never' },
    { name: 'Master', minReplicas: 0, maxReplicas: 1, defaultRestartPolicy: 'Never' },
    { name: 'PS', minReplicas: 0, defaultRestartPolicy: 'Never' },
    { name: 'Worker', minReplicas: 0, defaultRestartPolicy: 'Never' },
  ],
  ...TENSORFLOW_CONTAINER,
  options,
  check: ({ roles }) => checkChief(roles),
  masterRole: decidingRole,
  plan,
  meeting: ({ roles, options: { enableDynamicWorker } }) => {
    if (enableDynamicWorker) return 'elastic';
    return findRole(roles, 'PS')?.replicas ? 'servers' : ['TF_CONFIG'];
  },
  environment: (job, replica) => {
    if (totalReplicas(job.roles) === 1) return [];
    const { enableDynamicWorker } = job.options;
    return [{ name: 'TF_CONFIG', value: (enableDynamicWorker ? sparseTfConfig : tfConfig)(job, replica) }];
  },
  environmentOf: 'main',
} as const satisfies Framework<Options>;

function checkChief(roles: readonly Role[]): Fault[] {
  const chiefs = roles.filter(({ name }) => name === 'Chief' || name === 'Master');
  if (chiefs.length < 2) return [];
  return [{ path: rolePath(tensorflow, 'Master'), expected: 'no value when Chief is set', got: 'both' }];
}

/** The success of the first of these roles that has replicas is the job's; Evaluator is meant to end, PS is not. */
const DECIDING = ['Chief', 'Master', 'Worker', 'Evaluator', 'PS'];

function decidingRole(roles: readonly Role[]): string {
  return DECIDING.find((name) => roles.some((role) => role.name === name && role.replicas > 0))!;
}

function plan({ name, namespace, roles, options }: Draft<Options>): FrameworkPlan {
  const { successPolicy, enableDynamicWorker } = options;
  const deciding = decidingRole(roles);
  const job = `${namespace}/${name}`;
  const message = `TFJob ${job} has failed because %n %r replica(s) failed.`;
  return {
    successRoles: [deciding],
    ...(deciding === 'Worker' && successPolicy !== 'AllWorkers' ? { successOf: 'first' } : {}),
    messages: { ...qualifiedMessagesOf('TFJob', job), failed: { PodFailed: { message } } },
    ...(enableDynamicWorker ? { roles: { Worker: dynamicWorker(roles, deciding) } } : {}),
  };
}

/** A worker knows only itself and the servers, so others may join and leave. If workers decide, one must remain. */
const dynamicWorker = (roles: readonly Role[], deciding: string) => ({
  ...onWorkerFailure(roles),
  scales: { min: deciding === 'Worker' ? 1 : 0 },
});

/** With Never, a failed worker does not end the job unless it is the last. Other policies apply unchanged. */
function onWorkerFailure(roles: readonly Role[]) {
  const worker = roles.find(({ name }) => name === 'Worker');
  if (worker?.restartPolicy !== 'Never') return undefined;
  return {
    onFailure: { do: 'ignore', rule: 'spec.enableDynamicWorker: true', lastFails: true },
  } as const;
}

/**
 * The only task type outside the training cluster, whose tasks would otherwise wait for it. Strategies look up a task's
 * own type in its cluster, so the evaluator's own TF_CONFIG lists evaluators too.
 */
const EVALUATOR = 'evaluator';

/** Returns the value of TF_CONFIG: the addresses of all tasks, and which task this one is. */
function tfConfig(job: TrainingJob, { role, index, meeting }: Replica): string {
  const type = role.name.toLowerCase();
  const { training, evaluation } = clustersOf(job, { meeting });
  const cluster = type === EVALUATOR ? evaluation : training;
  return `{"cluster":${cluster},"task":${taskOf(type, index)},"environment":"cloud"}`;
}

/**
 * Returns the sparse form, for workers that join and leave. A task knows the fixed tasks (parameter servers and the
 * chief) and, among the workers, only itself. A chief assigns the work, so it knows all workers.
 */
function sparseTfConfig(job: TrainingJob, { role, index, meeting }: Replica): string {
  const type = role.name.toLowerCase();
  const { worker: workers = [], ps = [], evaluator, ...chief } = addressesOf(job, { meeting });
  const worker = type in chief ? { ...workers } : type === 'worker' ? { [index]: workers[index] } : {};
  const cluster = { worker, ps, ...chief, ...(type === EVALUATOR ? { evaluator } : {}) };
  return `{"cluster":${JSON.stringify(cluster)},"task":${taskOf(type, index)}}`;
}

const taskOf = (type: string, index: number) => JSON.stringify({ type, index });

const clustersOf = oncePerMeeting((job, meeting) => {
  const { evaluator: _, ...training } = addressesOf(job, { meeting });
  return { training: JSON.stringify(training), evaluation: JSON.stringify(addressesOf(job, { meeting })) };
});

/** Addresses by task type. */
const addressesOf = oncePerMeeting(
  ({ name, namespace, roles, conventions }, meeting): Record<string, string[]> => {
    const domain = ['svc', conventions.domain].filter(Boolean).join('.');
    const lists = roles
      .filter(({ replicas }) => replicas > 0)
      .map((role): [string, string[]] => {
        const port = rendezvousPort(role, TENSORFLOW_CONTAINER, { meeting });
        const address = (_: unknown, index: number) =>
          `${podNameOf(name, role.name, index)}.${namespace}.${domain}:${port}`;
        return [role.name.toLowerCase(), Array.from({ length: role.replicas }, address)];
      });
    return Object.fromEntries(lists);
  },
);
