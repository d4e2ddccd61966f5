import type { Member } from '../../../contracts/host-list.ts';
import { podNameOf } from '../../../contracts/labels.ts';
import { findRole, totalReplicas } from '../../../contracts/roles.ts';
import type { FailureRule, JobRestartPolicy, Role } from '../../../contracts/training-job.ts';
import type { Fault } from '../../../contracts/types.ts';
import { PADDLE_DIALECT } from '../../dialects/paddle-dialect.ts';
import { celText } from '../../model/cel.ts';
import type { Framework, KindWarning } from '../../model/framework.ts';
import { messagesOf } from '../messages.ts';
import { GLOO_OBSTACLES, glooObstacle, renderPaddleConfigMap } from './config-map.ts';
import { checkHostPort } from './host-port.ts';
import {
  isElastic,
  type OperatorPaddleDraft,
  type OperatorPaddleJob,
  type PaddleOptions,
  paddleOptions,
} from './options.ts';
import { environment, servicePorts, shapePod, sizeInEtcd } from './pod.ts';

const withoutGloo = (obstacle: string) => `spec.withGloo: no effect ${obstacle}`;

const glooWithoutEffect: KindWarning<PaddleOptions> = {
  in: ({ roles, options }) => {
    const obstacle = glooObstacle({ roles, options });
    return options.withGloo && obstacle ? [withoutGloo(obstacle)] : [];
  },
  cel: () => {
    const given = 'object.spec.?withGloo.orValue(0) != 0';
    const found = GLOO_OBSTACLES.map(({ cel, text }) => `${cel} ? [${celText(withoutGloo(text))}] : `).join(
      '',
    );
    return `${given} ? (${found}[]) : []`;
  },
};

/** Whether there is one by default, only the engine knows. */
const noEtcd: KindWarning<PaddleOptions> = {
  in: ({ roles, options, conventions }) =>
    isElastic({ options }) && !conventions.etcdServers && !roles.every(namesServer)
      ? ['spec.elastic: no etcd is configured, so PADDLE_ELASTIC_SERVER is not set']
      : [],
};

const namesServer = ({ template }: Role) =>
  template.spec.containers[0]?.env?.some(({ name }) => name === 'PADDLE_ELASTIC_SERVER');

/** PaddleJob, batch.paddlepaddle.org/v1, as paddle-operator v0.3.0 runs it. */
export const paddleOperator = {
  apiVersion: 'batch.paddlepaddle.org/v1',
  kind: 'PaddleJob',
  schema: { name: 'paddlejob-paddle-operator', title: 'PaddleOperatorJob' },
  dialect: PADDLE_DIALECT,
  operatorName: 'paddlejob-controller',
  replicaSpecs: '',
  roles: [
    { name: 'ps', minReplicas: 0, defaultRestartPolicy: 'Never' },
    { name: 'worker', minReplicas: 0, defaultRestartPolicy: 'Never' },
    { name: 'heter', minReplicas: 0, defaultRestartPolicy: 'Never' },
  ],
  options: paddleOptions,
  check,
  complete: ({ roles, options }) => ({
    roles: roles.map((role) => ({ ...role, restartPolicy: restartPolicyOf(role, options) })),
  }),
  warnings: [glooWithoutEffect, noEtcd],
  masterRole: (roles) => (findRole(roles, 'worker') ?? roles[0]!).name,
  plan: (draft) => ({
    successRoles: draft.roles.map(({ name }) => name),
    messages: messagesOf('PaddleJob', draft.name),
    mode: modeOf(draft.roles),
    replicaCounts: ['pending', 'starting', 'running', 'succeeded', 'failed'],
    hostList: listsAddresses(draft)
      ? { when: 'addressed', roles: draft.roles.map(({ name }) => name) }
      : undefined,
    roles: Object.fromEntries(
      draft.roles.map(({ name }) => [
        name,
        {
          onFailure: FIRST_FAILURE_ENDS,
          ...(name === 'worker' && isElastic(draft) ? { scales: { min: 1 } } : {}),
        },
      ]),
    ),
  }),
  meeting: (draft) => {
    if (isElastic(draft)) return 'elastic';
    return findRole(draft.roles, 'ps') ? 'servers' : 'unknown';
  },
  environment,
  environmentOf: 'main',
  podMetadata: (job, { role, index }) => ({
    selector: { 'paddle-res-name': podNameOf(job.name, role.name, index) },
    labels: { 'paddle-res-type': role.name },
    annotations: { 'paddle-resource': role.name },
  }),
  shapePod,
  servicePorts,
  sizeInEtcd,
  sharedObjects: (job) =>
    job.options.intranet === 'Service' && !isElastic(job)
      ? [renderPaddleConfigMap(job, (role, index) => podNameOf(job.name, role, index))]
      : [],
  hostListObjects,
} as const satisfies Framework<PaddleOptions>;

const FIRST_FAILURE_ENDS: FailureRule = {
  do: 'fail',
  rule: 'batch.paddlepaddle.org/v1 PaddleJob: fails with the first pod that fails',
};

/** Names are known in advance, addresses are not. Elastic launchers find each other through etcd. */
const listsAddresses = (job: Pick<OperatorPaddleDraft, 'options'>) =>
  job.options.intranet !== 'Service' && !isElastic(job);

function check(draft: OperatorPaddleDraft): Fault[] {
  const faults = draft.options.intranet === 'Host' ? checkHostPort(draft) : [];
  if (!isElastic(draft) || findRole(draft.roles, 'worker')) return faults;
  return [...faults, { path: 'spec.worker', expected: 'a value when elastic is set', got: 'nothing' }];
}

/** Elastic launchers restart in place. So do workers with Services, as they may start before their peers. */
function restartPolicyOf({ name, template }: Role, { intranet, elastic }: PaddleOptions): JobRestartPolicy {
  if (elastic !== undefined) return 'OnFailure';
  const otherwise = name === 'worker' && intranet === 'Service' ? 'OnFailure' : 'Never';
  return template.spec.restartPolicy ?? otherwise;
}

function modeOf(roles: readonly Role[]): string {
  if (findRole(roles, 'ps')) return 'PS';
  return (findRole(roles, 'worker')?.replicas ?? 0) > 1 ? 'Collective' : 'Single';
}

/** Pods wait for the ConfigMap, so create it only when complete. An empty `members` asks only for its name. */
function hostListObjects(job: OperatorPaddleJob, members: readonly Member[]) {
  const addresses = new Map(
    members.filter(({ address }) => address).map(({ role, index, address }) => [`${role}/${index}`, address]),
  );
  const isComplete = addresses.size >= totalReplicas(job.roles) || members.length === 0;
  if (!listsAddresses(job) || !isComplete) return [];
  return [renderPaddleConfigMap(job, (role, index) => addresses.get(`${role}/${index}`) ?? '')];
}
