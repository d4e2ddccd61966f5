import type { Container, ContainerPort, PodTemplate } from '../../contracts/kubernetes.ts';
import type { Role } from '../../contracts/training-job.ts';
import type { Framework } from './framework.ts';

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

/** Returns the port that peers connect to: the user's port with the kind's name, else the kind's default. */
export function rendezvousPort(
  role: Role,
  rules: ContainerRules & Required<Pick<Framework, 'port'>>,
): number {
  const { port } = rules;
  const named = portsOf(role.template, rules).find(({ name }) => name === port.name);
  return named?.containerPort ?? port.number;
}
