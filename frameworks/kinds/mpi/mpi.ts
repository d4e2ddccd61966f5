import { z } from 'zod';
import type { Member } from '../../../contracts/host-list.ts';
import { KUBEFLOW_LABELS } from '../../../contracts/labels.ts';
import { findRole, roleKey } from '../../../contracts/roles.ts';
import { CLEAN_POD_POLICIES, type TrainingJob } from '../../../contracts/training-job.ts';
import { TRAINING_OPERATOR_DIALECT } from '../../dialects/kubeflow-dialect.ts';
import { count } from '../../fields/manifest-schema.ts';
import { celPlace, celRole, celSentence } from '../../model/cel.ts';
import type { Dialect } from '../../model/dialect.ts';
import {
  type Framework,
  type JobWith,
  type KindWarning,
  type PodMetadata,
  type Replica,
  variables,
} from '../../model/framework.ts';
import { messagesOf, restartingOf } from '../messages.ts';
import { CONFIG_PATH, renderConfigMap } from './config-map.ts';
import { execLauncher, execWorker } from './exec-pods.ts';
import { execFiles, isGpuLauncher, KUBEXEC } from './kubectl-exec.ts';
import { launcherAccess } from './launcher-access.ts';
import { HOSTFILE_PATH, NO_GPUS } from './launcher-environment.ts';
import { mpiPodName } from './pod-name.ts';
import { countWorkers, hostListOf } from './workers.ts';

const options = z.object({
  slotsPerWorker: count.default(1).describe('Processes per worker, as the host list says.'),
  mainContainer: z.string().optional().describe('The container of a worker in which processes start.'),
  cleanPodPolicy: z
    .enum(CLEAN_POD_POLICIES)
    .optional()
    .describe('Former place of runPolicy.cleanPodPolicy, which takes precedence.'),
});
type Options = z.infer<typeof options>;

/** cleanPodPolicy was once a field of spec; the field of runPolicy takes precedence. */
const dialect: Dialect = {
  ...TRAINING_OPERATOR_DIALECT,
  policies: ({ cleanPodPolicy, runPolicy, ...spec }) =>
    TRAINING_OPERATOR_DIALECT.policies({
      ...spec,
      runPolicy: { cleanPodPolicy, ...(runPolicy as object) },
    }),
};

const unreached = (container: string) =>
  `spec.mainContainer: Worker has no container named ${container}; its launcher cannot reach it`;

const noMainContainer: KindWarning<Options> = {
  in: ({ roles, options: { mainContainer } }) => {
    const containers = findRole(roles, 'Worker')?.template.spec.containers ?? [];
    return !mainContainer || containers.some(({ name }) => name === mainContainer)
      ? []
      : [unreached(mainContainer)];
  },
  cel: () => {
    const main = 'object.spec.?mainContainer.orValue("")';
    const isThere = `${celRole('Worker').containers}.exists(c, c.?name.orValue("") == ${main})`;
    return `${main} != "" && !${isThere} ? [${celSentence(unreached(celPlace(main)))}] : []`;
  },
};

/** MPIJob, kubeflow.org/v1, as training-operator v1.9 runs it: the launcher reaches its workers by kubectl exec. */
export const mpi = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'MPIJob',
  dialect,
  operatorName: 'mpijob-controller',
  replicaSpecs: 'mpiReplicaSpecs',
  roles: [
    { name: 'Launcher', required: true, minReplicas: 1, maxReplicas: 1, defaultRestartPolicy: 'Never' },
    { name: 'Worker', minReplicas: 0, defaultReplicas: 0, defaultRestartPolicy: 'Never' },
  ],
  options,
  warnings: [noMainContainer],
  masterRole: () => 'Launcher',
  plan: ({ name, roles }) => ({
    successRoles: ['Launcher'],
    messages: { ...messagesOf('MPIJob', name), ...restartingOf('MPIJob', name) },
    hostList: hostListOf(roles),
    roles: {
      // The launcher cannot reach a worker that is not running.
      Launcher: countWorkers(roles) > 0 ? { after: ['Worker'] } : {},
      Worker: { uncountedAtEnd: 'byDeciding' },
    },
  }),
  meeting: () => 'launcher',
  environmentOf: 'main',
  environment: (job, { role }) => (role.name === 'Launcher' ? launcherVariables(job) : []),
  podName: mpiPodName,
  podMetadata,
  shapePod: (spec, job, { role }) =>
    role.name === 'Launcher' ? execLauncher(spec, job) : execWorker(spec, job),
  servicePorts: () => undefined,
  sharedObjects: (job) => [...filesOfConfigMap(job, []), ...launcherAccess(job)],
  hostListObjects: filesOfConfigMap,
} as const satisfies Framework<Options>;

const launcherVariables = ({ roles }: TrainingJob) => [
  ...variables({
    OMPI_MCA_plm_rsh_agent: `${CONFIG_PATH}/${KUBEXEC}`,
    OMPI_MCA_orte_default_hostfile: HOSTFILE_PATH,
  }),
  ...(isGpuLauncher(roles) ? [] : NO_GPUS),
  ...variables({
    I_MPI_HYDRA_BOOTSTRAP: 'rsh',
    I_MPI_HYDRA_BOOTSTRAP_EXEC: `${CONFIG_PATH}/${KUBEXEC}`,
  }),
];

function podMetadata(job: TrainingJob, { role, index }: Replica): PodMetadata {
  const isLauncher = role.name === 'Launcher';
  return {
    selector: {
      [KUBEFLOW_LABELS.jobName]: job.name,
      [KUBEFLOW_LABELS.operatorName]: mpi.operatorName,
      [KUBEFLOW_LABELS.replicaType]: roleKey(role.name),
      ...(isLauncher ? {} : { [KUBEFLOW_LABELS.replicaIndex]: String(index) }),
    },
    labels: isLauncher ? { [KUBEFLOW_LABELS.jobRole]: 'master' } : {},
  };
}

function filesOfConfigMap(job: JobWith<Options>, ready: readonly Member[]) {
  return [renderConfigMap(job, execFiles(job, job.options, ready))];
}
