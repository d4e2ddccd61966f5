import type { ContainerPort, KubeObject } from '../contracts/kubernetes.ts';
import { podNameOf } from '../contracts/labels.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { portsOf } from '../frameworks/main-container.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import { type Attempt, attemptMetadata, replicaLabels } from './metadata.ts';
import type { Replica } from './pod.ts';

/**
 * The headless Service that gives a replica its name. It publishes addresses that are not ready: peers find each other
 * before any of them is, so no pod needs to wait for another one in an init container.
 */
export function renderService(job: TrainingJob, { role, index }: Replica, attempt: Attempt): KubeObject {
  const selector = replicaLabels(job, role.name, index);
  const common = attemptMetadata(job, attempt);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...common,
      name: podNameOf(job.name, role.name, index),
      labels: { ...selector, ...common.labels },
    },
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector,
      ports: portsOf(role.template, frameworkOf(job)).map(servicePort),
    },
  };
}

/** A Service's ports need names of their own as soon as there are two. */
const servicePort = ({ name, containerPort, protocol }: ContainerPort, index: number) => ({
  name: name ?? `port-${index}`,
  port: containerPort,
  ...(protocol ? { protocol } : {}),
});
