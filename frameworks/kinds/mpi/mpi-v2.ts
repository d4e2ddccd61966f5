import { z } from 'zod';
import type { Member } from '../../../contracts/host-list.ts';
import { KUBEFLOW_LABELS } from '../../../contracts/labels.ts';
import { roleKey } from '../../../contracts/roles.ts';
import type { ConditionMessages, TrainingJob } from '../../../contracts/training-job.ts';
import { kubeflowDialect, ORIGINAL_MANAGERS } from '../../dialects/kubeflow-dialect.ts';
import { count } from '../../fields/manifest-schema.ts';
import type { Dialect } from '../../model/dialect.ts';
import {
  type Draft,
  type Framework,
  type FrameworkPlan,
  type JobWith,
  type PodMetadata,
  type Replica,
  variables,
} from '../../model/framework.ts';
import { qualifiedMessagesOf } from '../messages.ts';
import { IMPLEMENTATION_NAMES, IMPLEMENTATIONS } from './implementations.ts';
import { NO_GPUS } from './launcher-environment.ts';
import { mpiPodName } from './pod-name.ts';
import { hostFiles, MPI_OPERATOR, sshObjects } from './ssh-objects.ts';
import { ROOT_SSH_PATH, sshLauncher, sshWorker } from './ssh-pods.ts';
import { countWorkers, hostListOf } from './workers.ts';

const options = z.object({
  slotsPerWorker: count.default(1).describe('Processes per worker, as the host list says.'),
  runLauncherAsWorker: z.boolean().default(false).describe('The launcher is on the host list too.'),
  sshAuthMountPath: z
    .string()
    .min(1)
    .default(ROOT_SSH_PATH)
    .describe('Where the SSH keys are mounted; the home of the user that runs the program.'),
  launcherCreationPolicy: z
    .enum(['AtStartup', 'WaitForWorkersReady'])
    .default('AtStartup')
    .describe('When the launcher is created.'),
  mpiImplementation: z
    .enum(IMPLEMENTATION_NAMES)
    .default('OpenMPI')
    .describe('Which MPI the image has: it decides the variables and the format of the host list.'),
});
type Options = z.infer<typeof options>;

const KUBEFLOW = kubeflowDialect(ORIGINAL_MANAGERS.mpiOperator);

/** The default of a batch Job, which runs the launcher under mpi-operator. */
const BACKOFF_LIMIT = 6;

const dialect: Dialect = {
  ...KUBEFLOW,
  policies: (spec) => {
    const { runPolicy, gang } = KUBEFLOW.policies(spec);
    const { backoffLimit = BACKOFF_LIMIT, cleanPodPolicy: policy } = runPolicy;
    // Under mpi-operator, All keeps the launcher and its log.
    const cleanPodPolicy = policy === 'All' ? 'Running' : policy;
    return { runPolicy: { ...runPolicy, backoffLimit, cleanPodPolicy }, gang };
  },
};

const RESTART_POLICIES = ['Never', 'OnFailure'] as const;

/** MPIJob, kubeflow.org/v2beta1, as mpi-operator v0.6 runs it: the launcher reaches its workers by ssh. */
export const mpiV2 = {
  apiVersion: 'kubeflow.org/v2beta1',
  kind: 'MPIJob',
  schema: { name: 'mpijob-v2beta1', title: 'MPIJobV2' },
  dialect,
  operatorName: MPI_OPERATOR,
  replicaSpecs: 'mpiReplicaSpecs',
  roles: [
    {
      name: 'Launcher',
      required: true,
      minReplicas: 1,
      maxReplicas: 1,
      defaultRestartPolicy: 'OnFailure',
      restartPolicies: RESTART_POLICIES,
    },
    {
      name: 'Worker',
      minReplicas: 1,
      defaultReplicas: 0,
      defaultRestartPolicy: 'Never',
      restartPolicies: RESTART_POLICIES,
    },
  ],
  options,
  gang: gangOfMpiJob,
  masterRole: () => 'Launcher',
  plan: planOf,
  meeting: () => 'launcher',
  environmentOf: 'main',
  environment: (job, { role }) =>
    role.name === 'Launcher' ? launcherVariables(job) : variables({ K_MPI_JOB_ROLE: 'worker' }),
  podName: mpiPodName,
  podMetadata,
  shapePod: (spec, job, { role, index }) => {
    const pod = { role, index, ...job.options };
    return role.name === 'Launcher' ? sshLauncher(spec, job, pod) : sshWorker(spec, job, pod);
  },
  servicePorts: () => undefined,
  sharedObjects: (job) => [...sshObjects(job), ...filesOfConfigMap(job, [])],
  hostListObjects: filesOfConfigMap,
} as const satisfies Framework<Options>;

/** An annotation may name Volcano's queue, and the pods may name a priority class. */
function gangOfMpiJob({ annotations, roles }: Draft) {
  const priorities = roles.map(({ template }) => template.spec.priorityClassName);
  return {
    queue: annotations['scheduling.volcano.sh/queue-name'],
    priorityClass: priorities.find(Boolean),
  };
}

function planOf({ name, namespace, roles, options, runPolicy }: Draft<Options>): FrameworkPlan {
  const { launcherCreationPolicy } = options;
  const workers = countWorkers(roles);
  const waits = launcherCreationPolicy === 'WaitForWorkersReady' && workers > 0;
  return {
    successRoles: ['Launcher'],
    messages: mpiOperatorMessages(`${namespace}/${name}`, workers),
    hostList: hostListOf(roles),
    sharesWhileSuspended: true,
    roles: {
      Launcher: {
        // Even with Never: under mpi-operator the launcher is a Job, which creates another pod.
        onFailure: { do: 'replace', rule: `spec.runPolicy.backoffLimit: ${runPolicy.backoffLimit}` },
        ...(waits ? { after: ['Worker'] } : {}),
      },
      Worker: {
        onFailure: { do: 'ignore', rule: 'the launcher decides over an MPIJob', evictedFails: true },
        uncountedAtEnd: true,
      },
    },
  };
}

function launcherVariables({ options }: JobWith<Options>) {
  const { slotsPerWorker, mpiImplementation, runLauncherAsWorker } = options;
  return [
    ...variables({ K_MPI_JOB_ROLE: 'launcher' }),
    ...variables(IMPLEMENTATIONS[mpiImplementation].variables(slotsPerWorker)),
    ...(runLauncherAsWorker ? [] : NO_GPUS),
  ];
}

function podMetadata({ name }: TrainingJob, { role, index }: Replica): PodMetadata {
  const isWorker = role.name === 'Worker';
  return {
    selector: {
      [KUBEFLOW_LABELS.jobName]: name,
      [KUBEFLOW_LABELS.operatorName]: MPI_OPERATOR,
      [KUBEFLOW_LABELS.jobRole]: roleKey(role.name),
      ...(isWorker ? { [KUBEFLOW_LABELS.replicaIndex]: String(index) } : {}),
    },
  };
}

function filesOfConfigMap(job: JobWith<Options>, ready: readonly Member[]) {
  return [hostFiles(job, job.options, ready)];
}

/** mpi-operator's messages. A failed job has the reason and message of the batch Job that runs the launcher there. */
const mpiOperatorMessages = (qualifiedName: string, workers: number): ConditionMessages => ({
  ...qualifiedMessagesOf('MPIJob', qualifiedName),
  created: `MPIJob ${qualifiedName} is created.`,
  suspended: 'MPIJob suspended',
  resumed: 'MPIJob resumed',
  notRunning: `MPIJob ${qualifiedName} is suspended.`,
  failed: {
    BackoffLimitExceeded: {
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
    },
    DeadlineExceeded: {
      reason: 'DeadlineExceeded',
      message: 'Job was active longer than specified deadline',
    },
    PodEvicted: { reason: 'MPIJobEvicted', message: `%n/${workers} workers are evicted` },
  },
});
