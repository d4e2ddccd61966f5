import type { ContainerPort, KubeObject } from '../contracts/kubernetes.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import type { Replica } from '../frameworks/framework.ts';
import { portsOf } from '../frameworks/manifest/main-container.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import { jobMetadata, nameOf, podMetadata } from './metadata.ts';

/**
 * The headless Service that gives a replica its name, if its kind has one. It publishes addresses that are not ready:
 * peers find each other before any of them is, so no pod needs to wait for another one in an init container. It belongs
 * to the name, not to an attempt: the next attempt finds it there.
 */
export function renderService(job: TrainingJob, replica: Replica, anchorUid: string): KubeObject | undefined {
  const ports = servicePortsOf(job, replica);
  if (!ports) return undefined;
  const { selector } = podMetadata(job, replica);
  const common = jobMetadata(job, anchorUid);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...common, name: nameOf(job, replica), labels: { ...selector, ...common.labels } },
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector,
      ports: ports.map(servicePort),
    },
  };
}

function servicePortsOf(job: TrainingJob, replica: Replica): readonly ContainerPort[] | undefined {
  const framework = frameworkOf(job);
  return framework.servicePorts
    ? framework.servicePorts(job, replica)
    : portsOf(replica.role.template, framework);
}

/** A Service's ports need names of their own as soon as there are two. */
const servicePort = ({ name, containerPort, protocol }: ContainerPort, index: number) => ({
  name: name ?? `port-${index}`,
  port: containerPort,
  ...(protocol ? { protocol } : {}),
});
