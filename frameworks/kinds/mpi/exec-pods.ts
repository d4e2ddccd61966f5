import type { Container, PodSpec } from '../../../contracts/kubernetes.ts';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import { restrictedAs } from '../../model/added-container.ts';
import { mainContainerOf } from '../../model/main-container.ts';
import { CONFIG_MOUNT, configVolume } from './config-map.ts';
import { KUBECTL_PATH, KUBEXEC } from './kubectl-exec.ts';
import { serviceAccountOf } from './launcher-access.ts';
import { HOSTFILE } from './launcher-environment.ts';
import { withParts } from './pod-parts.ts';
import { DISCOVER_HOSTS } from './workers.ts';

const KUBECTL_MOUNT = { name: 'mpi-job-kubectl', mountPath: KUBECTL_PATH };
const DELIVERY = 'kubectl-delivery';
const DELIVERY_RESOURCES = { cpu: '100m', 'ephemeral-storage': '5Gi', memory: '512Mi' };

/** Adds to a launcher what it needs to run commands in its workers. */
export function execLauncher(spec: PodSpec, job: TrainingJob): PodSpec {
  const volumes = [
    { name: KUBECTL_MOUNT.name, emptyDir: {} },
    configVolume(job, [KUBEXEC, HOSTFILE, DISCOVER_HOSTS]),
  ];
  return {
    ...withParts(spec, { volumes, mounts: [KUBECTL_MOUNT, CONFIG_MOUNT] }),
    serviceAccountName: serviceAccountOf(job),
    initContainers: withDelivery(spec, job),
  };
}

/** A worker only sleeps until the launcher uses it. Open MPI looks for its rsh agent's file on every host. */
export const execWorker = (spec: PodSpec, job: TrainingJob): PodSpec =>
  withParts(spec, {
    volumes: [configVolume(job, [KUBEXEC])],
    mounts: [CONFIG_MOUNT],
    command: { command: ['sleep'], args: ['365d'] },
  });

/** A manifest may have an init container of this name that delivers kubectl itself. */
function withDelivery(spec: PodSpec, job: TrainingJob): readonly Container[] {
  const { initContainers: own = [] } = spec;
  if (own.some(({ name }) => name === DELIVERY)) return own;
  return [...own, restrictedAs(kubectlDelivery(job), mainContainerOf({ spec }, { container: 'mpi' }))];
}

const kubectlDelivery = ({ namespace, conventions }: TrainingJob): Container => ({
  name: DELIVERY,
  image: conventions.kubectlImage,
  imagePullPolicy: 'IfNotPresent',
  env: [
    { name: 'TARGET_DIR', value: KUBECTL_PATH },
    { name: 'NAMESPACE', value: namespace },
  ],
  resources: { limits: DELIVERY_RESOURCES, requests: DELIVERY_RESOURCES },
  volumeMounts: [KUBECTL_MOUNT, CONFIG_MOUNT],
});
