import type { GangProvider, TrainingJob } from '../../contracts/training-job.ts';
import { formatFault } from '../../frameworks/fields/faults.ts';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { aContainer, aManifest } from '../frameworks/manifests.ts';

/** A PyTorchJob of three pods. */
export const aJob = (schedulingPolicy?: object): TrainingJob =>
  aManifest().with('spec.runPolicy.schedulingPolicy', schedulingPolicy).job();

/** Of paddle-operator: three pods. */
export const aPaddleJob = (fields: object = {}): TrainingJob =>
  parsed({
    apiVersion: 'batch.paddlepaddle.org/v1',
    kind: 'PaddleJob',
    metadata: { name: 'resnet' },
    spec: { worker: { replicas: 3, template: { spec: { containers: [aContainer()] } } }, ...fields },
  });

/** Of mpi-operator: a launcher and two workers. */
export const anMpiJob = (metadata: object = {}, spec: object = {}): TrainingJob => {
  const template = { spec: { containers: [aContainer()] } };
  return parsed({
    apiVersion: 'kubeflow.org/v2beta1',
    kind: 'MPIJob',
    metadata: { name: 'resnet', ...metadata },
    spec: { ...spec, mpiReplicaSpecs: { Launcher: { template }, Worker: { replicas: 2, template } } },
  });
};

export const rendered = (job: TrainingJob, gang: GangProvider, asGang = true) =>
  renderAttempt(job, { number: 1, anchorUid: 'anchor-uid' }, { gang, asGang });

function parsed(manifest: object): TrainingJob {
  const read = parseManifest(manifest, { namespace: 'ml' });
  if ('faults' in read) throw new Error(read.faults.map(formatFault).join('\n'));
  return read.job;
}
