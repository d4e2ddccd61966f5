import type { Container, ContainerPort, PodTemplate } from '../../contracts/kubernetes.ts';
import type { Role } from '../../contracts/training-job.ts';
import type { Framework, Replica } from './framework.ts';

type ContainerRules = Pick<Framework, 'container' | 'port'>;

/** Returns the main container: the one with the kind's name, else the first. */
export function mainContainerOf(
  template: PodTemplate,
  { container }: Pick<Framework, 'container'>,
): Container {
  const { containers } = template.spec;
  return containers.find(({ name }) => name === container) ?? containers[0]!;
}

/** Returns the ports of the main container, with the kind's port added unless its name or number is in use. */
export function portsOf(template: PodTemplate, rules: ContainerRules): readonly ContainerPort[] {
  const ports = mainContainerOf(template, rules).ports ?? [];
  const { port } = rules;
  if (!port) return ports;
  const taken = ports.some(
    ({ name, containerPort, protocol = 'TCP' }) =>
      name === port.name || (containerPort === port.number && protocol === 'TCP'),
  );
  return taken ? ports : [...ports, { name: port.name, containerPort: port.number }];
}

/**
 * Returns the port that peers connect to: the user's port with the kind's name, else the kind's default; for a later meeting
 * one of the next ports that no container of the role names.
 */
export function rendezvousPort(
  role: Role,
  rules: ContainerRules & Required<Pick<Framework, 'port'>>,
  { meeting = 0 }: Pick<Replica, 'meeting'> = {},
): number {
  const { port } = rules;
  const named = portsOf(role.template, rules).find(({ name }) => name === port.name);
  const first = named?.containerPort ?? port.number;
  if (meeting === 0) return first;
  const taken = new Set(
    role.template.spec.containers.flatMap(({ ports = [] }) => ports.map((one) => one.containerPort)),
  );
  const later = Array.from({ length: LATER_PORTS + taken.size }, (_, index) => wrapped(first + 1 + index));
  const free = later.filter((one) => !taken.has(one));
  return free[(meeting - 1) % LATER_PORTS]!;
}

/** After so many meetings the first of them is long over. */
const LATER_PORTS = 1_000;

const [FIRST_UNPRIVILEGED, LAST_PORT] = [1_024, 65_535];

const wrapped = (port: number) => (port > LAST_PORT ? port - LAST_PORT + FIRST_UNPRIVILEGED - 1 : port);
