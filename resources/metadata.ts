import type { ObjectMeta, OwnerReference } from '../contracts/kubernetes.ts';
import { anchorNameOf, KUBEFLOW_LABELS, LABELS } from '../contracts/labels.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { frameworkOf } from '../frameworks/registry.ts';

/** The run of a job that objects are made for. */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  /** uid of the job's anchor. */
  readonly anchorUid: string;
}

/** What every object of an attempt carries, so that it can be found, told apart from a later attempt's, and collected. */
export function attemptMetadata(job: TrainingJob, attempt: Attempt) {
  return {
    namespace: job.namespace,
    labels: { [LABELS.job]: job.name, [LABELS.attempt]: String(attempt.number) },
    ownerReferences: [ownerOf(job, attempt.anchorUid)],
  } satisfies Partial<ObjectMeta>;
}

/** The labels by which Kubeflow's users find a replica; a Service selects its pod by them. */
export function replicaLabels(job: TrainingJob, role: string, index: number): Record<string, string> {
  return {
    [KUBEFLOW_LABELS.jobName]: job.name,
    [KUBEFLOW_LABELS.operatorName]: frameworkOf(job).operatorName,
    [KUBEFLOW_LABELS.replicaIndex]: String(index),
    [KUBEFLOW_LABELS.replicaType]: role.toLowerCase(),
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
