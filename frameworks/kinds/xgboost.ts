import { z } from 'zod';
import type { EnvVar } from '../../contracts/kubernetes.ts';
import { podNameOf } from '../../contracts/labels.ts';
import { findRole, totalReplicas } from '../../contracts/roles.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { TRAINING_OPERATOR_DIALECT } from '../dialects/kubeflow-dialect.ts';
import { type Framework, type Replica, variables } from '../model/framework.ts';
import { rendezvousPort } from '../model/main-container.ts';
import { messagesOf, restartingOf } from './messages.ts';
import { oncePerMeeting } from './once-per-job.ts';

/** XGBoostJob, kubeflow.org/v1, as training-operator v1.9 runs it; LightGBM jobs are of this kind too. */
export const xgboost = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'XGBoostJob',
  dialect: TRAINING_OPERATOR_DIALECT,
  operatorName: 'xgboostjob-controller',
  replicaSpecs: 'xgbReplicaSpecs',
  roles: [
    { name: 'Master', required: true, minReplicas: 1, maxReplicas: 1, defaultRestartPolicy: 'Never' },
    { name: 'Worker', minReplicas: 0, defaultRestartPolicy: 'Never' },
  ],
  container: 'xgboost',
  port: { name: 'xgboostjob-port', number: 9999 },
  options: z.object({}),
  masterRole: () => 'Master',
  plan: ({ name }) => ({
    successRoles: ['Master'],
    messages: { ...messagesOf('XGBoostJob', name), ...restartingOf('XGBoostJob', name) },
  }),
  meeting: () => ['MASTER_PORT', 'WORKER_PORT'],
  environment: (job, replica) => [...masterVariables(job, replica), ...workerVariables(job, replica)],
} as const satisfies Framework;

function masterVariables(job: TrainingJob, { role, index, meeting }: Replica): EnvVar[] {
  const master = findRole(job.roles, 'Master')!;
  return variables({
    MASTER_PORT: String(rendezvousPort(master, xgboost, { meeting })),
    MASTER_ADDR: podNameOf(job.name, 'Master', 0),
    WORLD_SIZE: String(totalReplicas(job.roles)),
    RANK: String(role.name === 'Master' ? index : index + master.replicas),
    PYTHONUNBUFFERED: '1',
  });
}

/** LightGBM needs the list of machines. */
const workerVariables = oncePerMeeting(({ name, roles }, meeting): EnvVar[] => {
  const worker = findRole(roles, 'Worker');
  if (!worker?.replicas) return [];
  const names = Array.from({ length: worker.replicas }, (_, index) => podNameOf(name, 'Worker', index));
  return variables({
    WORKER_PORT: String(rendezvousPort(worker, xgboost, { meeting })),
    WORKER_ADDRS: names.join(','),
  });
});
