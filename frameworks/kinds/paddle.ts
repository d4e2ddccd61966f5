import { z } from 'zod';
import type { EnvVar } from '../../contracts/kubernetes.ts';
import { podNameOf } from '../../contracts/labels.ts';
import { findRole, totalReplicas } from '../../contracts/roles.ts';
import type { Role, TrainingJob } from '../../contracts/training-job.ts';
import { TRAINING_OPERATOR_DIALECT } from '../dialects/kubeflow-dialect.ts';
import { type Framework, ofAttempt, type Replica, variables } from '../model/framework.ts';
import { mainContainerOf, rendezvousPort } from '../model/main-container.ts';
import { warnedField } from '../model/manifest-warning.ts';
import {
  checkElastic,
  completeElastic,
  ELASTIC_WARNINGS,
  elasticMinMember,
  elasticPolicy,
  elasticRoles,
} from './elastic-policy.ts';
import { messagesOf, qualifiedMessagesOf, restartingOf } from './messages.ts';

const options = z.object({
  elasticPolicy: elasticPolicy
    .meta({ id: 'PaddleElasticPolicy', description: 'Lets the number of workers change while the job runs.' })
    .optional()
    .describe('Lets the number of workers change while the job runs.'),
});
type Options = z.infer<typeof options>;

const REPLICA_SPECS = 'paddleReplicaSpecs';

const restartsOfPolicy = warnedField(
  'elasticPolicy.maxRestarts',
  'spec.elasticPolicy.maxRestarts: ignored; restartPolicy and runPolicy.backoffLimit decide what is restarted',
);

/** PaddleJob, kubeflow.org/v1, as training-operator v1.9 runs it. */
export const paddle = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PaddleJob',
  dialect: TRAINING_OPERATOR_DIALECT,
  operatorName: 'paddlejob-controller',
  replicaSpecs: REPLICA_SPECS,
  roles: [
    { name: 'Master', minReplicas: 0, defaultRestartPolicy: 'OnFailure', allMasters: true },
    { name: 'Worker', minReplicas: 0, defaultRestartPolicy: 'OnFailure' },
  ],
  container: 'paddle',
  port: { name: 'master', number: 36_543 },
  options,
  check: ({ roles, options }) => checkElastic(REPLICA_SPECS, roles, options.elasticPolicy),
  complete: ({ roles, options }) => {
    const { elasticPolicy } = options;
    return { options: elasticPolicy ? { elasticPolicy: completeElastic(roles, elasticPolicy) } : {} };
  },
  warnings: [...ELASTIC_WARNINGS, restartsOfPolicy],
  minMember: ({ roles, options }) => elasticMinMember(roles, options.elasticPolicy),
  masterRole: (roles) => leadingRole(roles).name,
  plan: ({ name, namespace, roles, options }) => ({
    showsSelector: true,
    roles: elasticRoles(options.elasticPolicy),
    successRoles: [leadingRole(roles).name],
    messages: {
      ...(isCollective(roles)
        ? qualifiedMessagesOf('PaddleJob', `${namespace}/${name}`)
        : messagesOf('PaddleJob', name)),
      ...restartingOf('PaddleJob', name, { whileActive: true }),
    },
  }),
  meeting: ({ roles, options: { elasticPolicy } }) => {
    if (elasticPolicy) return 'elastic';
    return isCollective(roles) ? ['PADDLE_MASTER'] : 'servers';
  },
  environment: (job, replica) => [
    ...variables({
      PYTHONUNBUFFERED: '1',
      PADDLE_JOB_ID: meetsInEtcd(replica) ? ofAttempt(job.name, replica) : job.name,
      PADDLE_NNODES: String(totalReplicas(job.roles)),
    }),
    ...masterVariables(job, replica),
    ...(isCollective(job.roles) ? [] : serverVariables(replica)),
  ],
} as const satisfies Framework<Options>;

/** The role Master stands for parameter servers; without them, workers train among themselves. */
const isCollective = (roles: readonly Role[]) => leadingRole(roles).name === 'Worker';

/** The role whose first replica is the rendezvous and whose success is the job's success. */
const leadingRole = (roles: readonly Role[]): Role => {
  const master = findRole(roles, 'Master');
  return master?.replicas ? master : findRole(roles, 'Worker')!;
};

/** The rendezvous is the first replica of the leading role; that replica uses its own address. */
function masterVariables(job: TrainingJob, { role, index, meeting }: Replica): EnvVar[] {
  const leading = leadingRole(job.roles);
  const port = rendezvousPort(leading, paddle, { meeting });
  if (role.name !== leading.name || index > 0) {
    return variables({ PADDLE_MASTER: `${podNameOf(job.name, leading.name, 0)}:${port}` });
  }
  return [
    { name: 'POD_IP_DUMMY', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
    { name: 'PADDLE_MASTER', value: `$(POD_IP_DUMMY):${port}` },
  ];
}

/** A manifest can move the rendezvous to etcd, where state under the job's id outlives an attempt. */
function meetsInEtcd({ role }: Replica): boolean {
  const { env = [] } = mainContainerOf(role.template, paddle);
  return env.some(({ name, value }) => name === 'PADDLE_MASTER' && value?.startsWith('etcd://'));
}

/** How many processes of its role paddle.distributed.launch starts in a pod. */
const serverVariables = ({ role }: Replica): EnvVar[] =>
  variables({ [role.name === 'Master' ? 'PADDLE_SERVER_NUM' : 'PADDLE_TRAINER_NUM']: '1' });
