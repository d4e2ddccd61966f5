import type { Member } from '../../../contracts/host-list.ts';
import type { KubeObject } from '../../../contracts/kubernetes.ts';
import { KUBEFLOW_LABELS } from '../../../contracts/labels.ts';
import { SSH_PRIVATE_KEY, SSH_PUBLIC_KEY } from '../../../contracts/ssh-keys.ts';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import { renderConfigMap } from './config-map.ts';
import { IMPLEMENTATIONS, type ImplementationName } from './implementations.ts';
import { HOSTFILE } from './launcher-environment.ts';
import { launcherNameOf } from './pod-name.ts';
import { DISCOVER_HOSTS, workersAmong, workersOf } from './workers.ts';

export const MPI_OPERATOR = 'mpi-operator';

interface HostOptions {
  readonly slotsPerWorker: number;
  readonly runLauncherAsWorker: boolean;
  readonly mpiImplementation: ImplementationName;
}

export const secretNameOf = ({ name }: Pick<TrainingJob, 'name'>) => `${name}-ssh`;

/** Returns the Service whose DNS names resolve before pods are ready, and the Secret with the ssh keys of the pods. */
export const sshObjects = ({ name }: TrainingJob): readonly KubeObject[] => [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels: { app: name } },
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: { [KUBEFLOW_LABELS.operatorName]: MPI_OPERATOR, [KUBEFLOW_LABELS.jobName]: name },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretNameOf({ name }), labels: { app: name } },
    type: 'kubernetes.io/ssh-auth',
    stringData: { 'ssh-privatekey': SSH_PRIVATE_KEY, 'ssh-publickey': SSH_PUBLIC_KEY },
  },
];

/** Returns the hosts by name: all of them, and those that are ready. */
export function hostFiles(job: TrainingJob, options: HostOptions, ready: readonly Member[]): KubeObject {
  const { hostLine } = IMPLEMENTATIONS[options.mpiImplementation];
  const host = (pod: string) => `${pod}.${job.name}.${job.namespace}.svc`;
  const launcher = options.runLauncherAsWorker ? [launcherNameOf(job.name)] : [];
  const all = [...launcher, ...workersOf(job)];
  const discovered = [...launcher, ...workersAmong(ready)];
  return renderConfigMap(job, {
    [DISCOVER_HOSTS]: `#!/bin/sh\n${discovered.map((pod) => `echo ${host(pod)}\n`).join('')}`,
    [HOSTFILE]: all.map((pod) => hostLine(host(pod), options.slotsPerWorker)).join(''),
  });
}
