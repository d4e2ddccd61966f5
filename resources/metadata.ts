import type { ObjectMeta, OwnerReference } from '../contracts/kubernetes.ts';
import { anchorNameOf, KUBEFLOW_LABELS, LABELS, podNameOf } from '../contracts/labels.ts';
import { roleKey } from '../contracts/roles.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { type Framework, type PodMetadata, type Replica, rulesOf } from '../frameworks/model/framework.ts';

/** The attempt of a job that objects are rendered for. */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  /** uid of the job's anchor. */
  readonly anchorUid: string;
}

/** Returns the metadata of an attempt's pods and groups: to select them, distinguish attempts and collect garbage. */
export function attemptMetadata(job: TrainingJob, attempt: Attempt) {
  const { labels, ...common } = jobMetadata(job, attempt.anchorUid);
  return {
    ...common,
    labels: { ...labels, [LABELS.attempt]: String(attempt.number) },
  } satisfies Partial<ObjectMeta>;
}

/** Returns the metadata of objects that belong to the whole job and serve every attempt. */
export function jobMetadata(job: TrainingJob, anchorUid: string) {
  return {
    namespace: job.namespace,
    labels: { [LABELS.job]: job.name, [LABELS.anchorUid]: anchorUid },
    ownerReferences: ownersOf(job, anchorUid),
  } satisfies Partial<ObjectMeta>;
}

/** A job with the description of its kind, so that it is looked up once for all pods. */
export interface JobOfKind {
  readonly job: TrainingJob;
  readonly framework: Framework;
}

export const nameOfPod = ({ job, framework }: JobOfKind, { role, index }: Replica) =>
  (framework.podName ?? podNameOf)(job.name, role.name, index);

export const podMetadata = (of: JobOfKind, replica: Replica): PodMetadata =>
  of.framework.podMetadata?.(of.job, replica) ?? kubeflowMetadata(of, replica);

/** Returns the labels by which Kubeflow's users find a replica and the master. */
function kubeflowMetadata({ job, framework }: JobOfKind, { role, index }: Replica): PodMetadata {
  const rules = rulesOf(framework, role.name);
  const isMaster = role.name === framework.masterRole(job.roles) && (index === 0 || rules?.allMasters);
  return {
    selector: {
      [KUBEFLOW_LABELS.jobName]: job.name,
      [KUBEFLOW_LABELS.operatorName]: framework.operatorName,
      [KUBEFLOW_LABELS.replicaIndex]: String(index),
      [KUBEFLOW_LABELS.replicaType]: roleKey(role.name),
    },
    labels: isMaster ? { [KUBEFLOW_LABELS.jobRole]: 'master' } : {},
  };
}

/** The controller of an object is what people applied: programs look for it there, e.g. Kueue. */
function ownersOf(job: TrainingJob, anchorUid: string): readonly OwnerReference[] {
  const anchor = { apiVersion: 'v1', kind: 'ConfigMap', name: anchorNameOf(job.name), uid: anchorUid };
  const resource = resourceOwnersOf(job);
  const isController = resource.length === 0;
  return [...resource, { ...anchor, controller: isController, blockOwnerDeletion: true }];
}

/** Returns the custom resource that the job was made from, as an owner; none if it was submitted. */
export function resourceOwnersOf({ name, resource }: TrainingJob): readonly OwnerReference[] {
  if (!resource) return [];
  const { apiVersion, kind, uid } = resource;
  return [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }];
}
