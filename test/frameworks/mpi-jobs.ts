import type { Container, KubeObject, Pod } from '../../contracts/kubernetes.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { renderHostList } from '../../resources/shared.ts';
import { aContainer, aRole, ManifestBuilder } from './manifests.ts';

const aMain = aContainer({ name: 'mpi' });

/** A launcher and two workers, unless another number is given; no role of workers with none. */
export function anMpiJob(workers: number | undefined = 2) {
  const worker = workers > 0 ? { Worker: aRole({ replicas: workers }, aMain) } : {};
  return new ManifestBuilder('MPIJob', 'mpiReplicaSpecs', { Launcher: aRole({}, aMain), ...worker });
}

export const anMpiV2Job = (workers?: number) => anMpiJob(workers).with('apiVersion', 'kubeflow.org/v2beta1');

const FIRST = { number: 1, anchorUid: 'anchor' };
const rendered = (job: TrainingJob) => renderAttempt(job, FIRST, { gang: 'none', asGang: false });

export const servicesOf = (job: TrainingJob) => rendered(job).services;

export const sharedOf = (job: TrainingJob): Readonly<Record<string, KubeObject>> =>
  Object.fromEntries(rendered(job).shared.map((object) => [object.kind, object]));

/** A pod by the end of its name, e.g. `worker-0`. */
export function podOf(job: TrainingJob, end: string): Pod {
  const pod = rendered(job).pods.find(({ metadata }) => metadata.name === `${job.name}-${end}`);
  if (!pod) throw new Error(`no pod ${job.name}-${end}`);
  return pod;
}

export const mainOf = (job: TrainingJob, end: string): Container => podOf(job, end).spec.containers[0]!;

/** Variables of the first container; one without a value is empty. */
export const variablesOf = (job: TrainingJob, end: string) =>
  Object.fromEntries((mainOf(job, end).env ?? []).map(({ name, value = '' }) => [name, value]));

/** The file while these workers are ready, by index. */
export function fileOf(job: TrainingJob, file: string, ready: readonly number[] = []): string | undefined {
  const members = ready.map((index) => {
    return { pod: `${job.name}-worker-${index}`, role: 'worker', index, address: '10.0.0.1' };
  });
  const [object] = renderHostList(job, 'anchor', members);
  return (object!.data as Record<string, string>)[file];
}
