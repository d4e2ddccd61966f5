import type { ConfigMap } from '../../../contracts/kubernetes.ts';
import { findRole } from '../../../contracts/roles.ts';
import { celRole } from '../../model/cel.ts';
import { hostPortOf, PORTS } from './host-port.ts';
import { isElastic, type OperatorPaddleDraft, type OperatorPaddleJob, PADDLE_PORT } from './options.ts';

/** Returns the name or the address of a pod. */
type Whereabouts = (role: string, index: number) => string;

/** Renders the ConfigMap with the variables that all pods of a job share: the members and their endpoints. */
export function renderPaddleConfigMap(job: OperatorPaddleJob, whereabouts: Whereabouts): ConfigMap {
  const port = portOf(job);
  const hostsOf = (role: string) => listOfRole(job, role, (index) => whereabouts(role, index));
  const endpointsOf = (role: string) =>
    listOfRole(job, role, (index) => endpoint(whereabouts(role, index), port));
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: job.name, labels: { 'paddle-res-name': job.name } },
    data: present({
      TRAINER_PORTS_NUM: String(PORTS),
      PADDLE_PORT: String(port),
      PADDLE_PSERVERS_IP_PORT_LIST: endpointsOf('ps'),
      PADDLE_TRAINER_ENDPOINTS: endpointsOf('worker'),
      PADDLE_TRAINERS: hostsOf('worker'),
      PADDLE_TRAINERS_NUM: findRole(job.roles, 'worker')?.replicas.toString(),
      PADDLE_HETER_ENDPOINTS: endpointsOf('heter'),
      ...glooVariables(job, whereabouts, port),
    }),
  };
}

type RolesAndOptions = Pick<OperatorPaddleDraft, 'roles' | 'options'>;

/** Why a job that requests gloo runs without it: the first that holds. `cel`: the same as an expression. */
export const GLOO_OBSTACLES = [
  { text: 'in an elastic job', is: isElastic, cel: 'has(object.spec.elastic)' },
  {
    text: 'with intranet Service',
    is: ({ options }: RolesAndOptions) => options.intranet === 'Service',
    cel: 'object.spec.?intranet.orValue("") == "Service"',
  },
  {
    text: 'without ps',
    is: ({ roles }: RolesAndOptions) => !findRole(roles, 'ps')?.replicas,
    cel: `${celRole('ps').fields}.?replicas.orValue(0) == 0`,
  },
] as const;

/** Returns why a job that requests gloo runs without it; undefined if gloo is available. */
export const glooObstacle = (job: RolesAndOptions): string | undefined =>
  GLOO_OBSTACLES.find(({ is }) => is(job))?.text;

/** The first server also serves gloo's rendezvous over HTTP (3), on the second-to-last port. */
function glooVariables(job: OperatorPaddleJob, whereabouts: Whereabouts, port: number) {
  const { withGloo = 0 } = job.options;
  if (withGloo === 0 || glooObstacle(job)) return {};
  return {
    PADDLE_WITH_GLOO: String(withGloo),
    PADDLE_GLOO_RENDEZVOUS: '3',
    PADDLE_GLOO_HTTP_ENDPOINT: endpoint(whereabouts('ps', 0), port + PORTS - 2),
  };
}

/** Jobs on the host network share addresses, so each needs its own ports. */
const portOf = (job: OperatorPaddleJob) => (job.options.intranet === 'Host' ? hostPortOf(job) : PADDLE_PORT);

/** Returns entries separated by commas, ordered by index; undefined for a role that the job does not have. */
function listOfRole(
  job: OperatorPaddleJob,
  role: string,
  entry: (index: number) => string,
): string | undefined {
  const replicas = findRole(job.roles, role)?.replicas;
  return replicas === undefined ? undefined : Array.from({ length: replicas }, (_, i) => entry(i)).join(',');
}

/** An IPv6 address contains colons, so it needs brackets. */
const endpoint = (host: string, port: number) => `${IPV6.test(host) ? `[${host}]` : host}:${port}`;

const IPV6 = /^[\da-f]*:[\da-f:.]*$/i;

const present = (values: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
