import type { ContainerPort, EnvVar, PodSpec } from '../../../contracts/kubernetes.ts';
import { podNameOf } from '../../../contracts/labels.ts';
import { findRole } from '../../../contracts/roles.ts';
import { ofAttempt, type Replica, type SizeInEtcd, variables } from '../../model/framework.ts';
import { PORTS } from './host-port.ts';
import { isElastic, type OperatorPaddleJob, PADDLE_PORT } from './options.ts';

const TRAINING_ROLES: Readonly<Record<string, string>> = { ps: 'PSERVER', worker: 'TRAINER', heter: 'HETER' };

/** Variables that differ between pods: address, index and role. */
export function environment(job: OperatorPaddleJob, replica: Replica): EnvVar[] {
  const { role, index } = replica;
  return [
    podAddress(job, replica),
    ...variables({
      PADDLE_TRAINER_ID: String(index),
      TRAINING_ROLE: TRAINING_ROLES[role.name],
      PADDLE_TRAINING_ROLE: TRAINING_ROLES[role.name],
    }),
    ...elasticVariables(job, replica),
  ];
}

function podAddress(job: OperatorPaddleJob, { role, index }: Replica): EnvVar {
  if (job.options.intranet === 'Service') {
    return { name: 'POD_IP', value: podNameOf(job.name, role.name, index) };
  }
  return { name: 'POD_IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } };
}

/** State in etcd outlives the attempt, so each attempt has its own id. */
const elasticIdOf = (job: OperatorPaddleJob, replica: Pick<Replica, 'attempt'>) =>
  ofAttempt(`${job.namespace}-${job.name}`, replica);

/** The key to which launchers write their number at the rendezvous, and from which they read a changed number. */
export function sizeInEtcd(job: OperatorPaddleJob, attempt: number): SizeInEtcd | undefined {
  const servers = job.conventions.etcdServers?.split(',').filter(Boolean) ?? [];
  const size = findRole(job.roles, 'worker')?.replicas;
  if (!isElastic(job) || servers.length === 0 || size === undefined) return undefined;
  return { servers, key: `/paddle/${elasticIdOf(job, { attempt })}/np`, size };
}

function elasticVariables(job: OperatorPaddleJob, replica: Replica): EnvVar[] {
  if (!isElastic(job)) return [];
  return variables({
    PADDLE_ELASTIC_JOB_ID: elasticIdOf(job, replica),
    PADDLE_ELASTIC_NP: findRole(job.roles, 'worker')?.replicas.toString(),
    PADDLE_ELASTIC_TIMEOUT: '60',
    PADDLE_ELASTIC_SERVER: job.conventions.etcdServers,
  });
}

/** The main container is the first one. It gets the job's variables, and the port if pods have Services. */
export function shapePod(spec: PodSpec, job: OperatorPaddleJob): PodSpec {
  const { intranet } = job.options;
  const [main, ...others] = spec.containers;
  const { envFrom = [], ports = [] } = main!;
  const shaped = {
    ...main!,
    ...(isElastic(job) ? {} : { envFrom: [...envFrom, { configMapRef: { name: job.name } }] }),
    ...(intranet === 'Service' && !ports.some(isPaddlePort)
      ? { ports: [...ports, { containerPort: PADDLE_PORT }] }
      : {}),
  };
  const network = intranet === 'Host' ? { hostNetwork: true } : {};
  return { ...spec, containers: [shaped, ...others], ...network };
}

const isPaddlePort = ({ containerPort, protocol = 'TCP' }: ContainerPort) =>
  containerPort === PADDLE_PORT && protocol === 'TCP';

/** Returns ports only with intranet Service, where Service names are the addresses of pods. */
export const servicePorts = (job: OperatorPaddleJob): readonly ContainerPort[] | undefined =>
  job.options.intranet === 'Service'
    ? Array.from({ length: PORTS }, (_, index) => ({
        name: `p-${index}`,
        containerPort: PADDLE_PORT + index,
      }))
    : undefined;
