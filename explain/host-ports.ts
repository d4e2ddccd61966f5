import type { PodSpec } from '../contracts/kubernetes.ts';
import type { Amounts } from '../contracts/pod-requests.ts';
import { parseQuantity, type Quantity, ZERO } from '../contracts/quantity.ts';
import { asFields, type Fields } from '../language/fields.ts';

/**
 * Ports of a node are counted like a resource of which each node has one, e.g. `hostPort 8080/TCP`. A pod on one address of its node
 * keeps others from the port on all addresses.
 */
export function hostPortsOf(spec: PodSpec): Amounts {
  const ports = portsOf(spec);
  return new Map(ports.flatMap((port) => namesOf(port).map((name) => [name, ONE] as const)));
}

/** Whether pods use ports of one address of their node: with those of another they may share it. */
export const usesOneAddress = (spec: PodSpec): boolean =>
  portsOf(spec).some((port) => addressOf(port) !== ANY);

/** Whether it is a port of nodes. */
export const isHostPort = (resource: string): boolean => resource.startsWith(PREFIX);

/** What who needs such a port can do. */
export const portRemedy = (where: string): string =>
  `Choose another hostPort in ${where}, or remove it: pods of a job reach each other without it. With hostNetwork each containerPort is one.`;

/** What there is of a resource in the free amounts of a node: of a port that nobody uses one. */
export const amountIn = (free: Amounts, resource: string): Quantity =>
  free.get(resource) ?? (isHostPort(resource) ? ONE : ZERO);

const PREFIX = 'hostPort ';
const ONE = parseQuantity(1)!;
const ANY = '0.0.0.0';

/** Schedulers count those of containers that run beside each other. */
function portsOf({ containers, initContainers = [], hostNetwork }: PodSpec): Fields[] {
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...containers, ...sidecars]
    .flatMap(({ ports = [] }) => ports.map((port) => asFields(port)))
    .map((port) => ({ ...port, hostPort: port.hostPort ?? (hostNetwork ? port.containerPort : 0) }))
    .filter(({ hostPort }) => Number(hostPort) > 0);
}

const addressOf = ({ hostIP }: Fields): string => (hostIP ? String(hostIP) : ANY);

function namesOf(port: Fields): string[] {
  const { hostPort, protocol = 'TCP' } = port;
  const address = addressOf(port);
  const all = `${PREFIX}${hostPort}/${protocol}`;
  return address === ANY ? [all] : [all, `${PREFIX}${address}:${hostPort}/${protocol}`];
}
