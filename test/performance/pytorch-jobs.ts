import type { Condition, KubeObject, Resource } from '../../contracts/kubernetes.ts';
import { type FollowJobs, followObjects } from './observation.ts';

/** The custom resource of training-operator. */
export interface PyTorchJob extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly replicaStatuses?: Readonly<Record<string, { readonly active?: number }>>;
  };
}

export const PYTORCH_JOBS: Resource<PyTorchJob> = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  plural: 'pytorchjobs',
  namespaced: true,
};

/** A job that is deleted is Stopped: it has no other end that a user asks for. */
export const followPyTorchJobs =
  (podsPerJob: number): FollowJobs =>
  (client, signal, notify) =>
    followObjects(client, { resource: PYTORCH_JOBS, signal }, (type, job, at) => {
      const phase = type === 'DELETED' ? 'Stopped' : isRunning(job, podsPerJob) ? 'Running' : undefined;
      notify({ name: job.metadata.name, phase }, at);
    });

/** The condition alone is True as soon as the master runs. */
function isRunning({ status }: PyTorchJob, pods: number): boolean {
  const active = Object.values(status?.replicaStatuses ?? {}).map((replica) => replica.active ?? 0);
  const running = status?.conditions?.find(({ type }) => type === 'Running');
  return running?.status === 'True' && active.reduce((sum, count) => sum + count, 0) === pods;
}
