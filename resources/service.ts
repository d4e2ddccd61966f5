import type { ContainerPort, KubeObject } from '../contracts/kubernetes.ts';
import type { Replica } from '../frameworks/model/framework.ts';
import { portsOf } from '../frameworks/model/main-container.ts';
import { type JobOfKind, jobMetadata, nameOfPod, podMetadata } from './metadata.ts';

/**
 * Renders the headless Service that gives a replica its name, if its kind has one. It publishes addresses that are not
 * ready: peers can find each other before they are ready, and no init container has to wait for another pod. The
 * Service belongs to the name, not to an attempt: the next attempt reuses it.
 */
export function renderService(of: JobOfKind, replica: Replica, anchorUid: string): KubeObject | undefined {
  const ports = servicePortsOf(of, replica);
  if (!ports) return undefined;
  const { selector } = podMetadata(of, replica);
  const common = jobMetadata(of.job, anchorUid);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...common, name: nameOfPod(of, replica), labels: { ...selector, ...common.labels } },
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector,
      ports: ports.map(servicePort),
    },
  };
}

function servicePortsOf(
  { job, framework }: JobOfKind,
  replica: Replica,
): readonly ContainerPort[] | undefined {
  return framework.servicePorts
    ? framework.servicePorts(job, replica)
    : portsOf(replica.role.template, framework);
}

/** Kubernetes requires names for the ports of a Service that has several. */
const servicePort = ({ name, containerPort, protocol }: ContainerPort, index: number) => ({
  name: name ?? `port-${index}`,
  port: containerPort,
  ...(protocol ? { protocol } : {}),
});
