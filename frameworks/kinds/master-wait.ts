import type { Container, PodSpec } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, podNameOf } from '../../contracts/labels.ts';
import { findRole } from '../../contracts/roles.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { restrictedAs } from '../model/added-container.ts';
import type { Replica } from '../model/framework.ts';
import { mainContainerOf } from '../model/main-container.ts';

const MOST_TRIES = 100;
const PAUSE_SECONDS = 2;

/**
 * Adds an init container to a worker that waits until the master's name resolves, if the job or the configuration names
 * an image for it. An empty annotation disables the configured image.
 */
export function withMasterWait(spec: PodSpec, job: TrainingJob, { role }: Replica): PodSpec {
  const image = job.annotations[ANNOTATIONS.waitForMaster] ?? job.conventions.masterWaitImage;
  if (!image || role.name !== 'Worker' || !findRole(job.roles, 'Master')) return spec;
  const main = mainContainerOf({ spec }, { container: 'pytorch' });
  const wait = restrictedAs(waitContainer(image, podNameOf(job.name, 'Master', 0)), main);
  return { ...spec, initContainers: [...(spec.initContainers ?? []), wait] };
}

/** Name, resources and timing are those of training-operator, so that existing quotas and policies still fit. */
const waitContainer = (image: string, master: string): Container => ({
  name: 'init-pytorch',
  image,
  imagePullPolicy: 'IfNotPresent',
  command: ['sh', '-c', waitLoop(master)],
  resources: {
    limits: { cpu: '100m', memory: '20Mi' },
    requests: { cpu: '50m', memory: '10Mi' },
  },
});

const waitLoop = (master: string) =>
  `for try in $(seq ${MOST_TRIES}); do nslookup ${master} && exit 0; echo waiting for master; sleep ${PAUSE_SECONDS}; done; exit 1`;
