import type { ObjectMeta, OwnerReference } from '../contracts/kubernetes.ts';
import { anchorNameOf, KUBEFLOW_LABELS, LABELS, podNameOf } from '../contracts/labels.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import type { PodMetadata, Replica } from '../frameworks/framework.ts';
import { frameworkOf } from '../frameworks/registry.ts';

/** The run of a job that objects are made for. */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  /** uid of the job's anchor. */
  readonly anchorUid: string;
}

/** What pods and groups of an attempt carry, so that they can be found, told apart from a later attempt's, and collected. */
export function attemptMetadata(job: TrainingJob, attempt: Attempt) {
  const { labels, ...common } = jobMetadata(job, attempt.anchorUid);
  return {
    ...common,
    labels: { ...labels, [LABELS.attempt]: String(attempt.number) },
  } satisfies Partial<ObjectMeta>;
}

/** What objects carry that belong to the whole job, and serve every attempt of it. */
export function jobMetadata(job: TrainingJob, anchorUid: string) {
  return {
    namespace: job.namespace,
    labels: { [LABELS.job]: job.name },
    ownerReferences: [ownerOf(job, anchorUid)],
  } satisfies Partial<ObjectMeta>;
}

export const nameOf = (job: TrainingJob, { role, index }: Replica) =>
  (frameworkOf(job).podName ?? podNameOf)(job.name, role.name, index);

export function podMetadata(job: TrainingJob, replica: Replica): PodMetadata {
  const framework = frameworkOf(job);
  return framework.podMetadata?.(job, replica) ?? kubeflowMetadata(job, replica);
}

/** The labels by which Kubeflow's users find a replica, and the master among them. */
function kubeflowMetadata(job: TrainingJob, { role, index }: Replica): PodMetadata {
  const framework = frameworkOf(job);
  // Masters are that all of them; of another role, the first stands in for one.
  const isFirst = index === 0 || role.name === 'Master';
  const isMaster = isFirst && role.name === framework.masterRole?.(job.roles);
  return {
    selector: {
      [KUBEFLOW_LABELS.jobName]: job.name,
      [KUBEFLOW_LABELS.operatorName]: framework.operatorName,
      [KUBEFLOW_LABELS.replicaIndex]: String(index),
      [KUBEFLOW_LABELS.replicaType]: role.name.toLowerCase(),
    },
    labels: isMaster ? { [KUBEFLOW_LABELS.jobRole]: 'master' } : {},
  };
}

const ownerOf = (job: TrainingJob, uid: string): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: anchorNameOf(job.name),
  uid,
  controller: true,
  blockOwnerDeletion: true,
});
