import type { GangDigest } from '../contracts/digest.ts';
import type { KubeObject, PodSpec, Resource } from '../contracts/kubernetes.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';

/** How one gang scheduler is asked to place all pods of a job or none. Pure. */
export interface GangAdapter {
  readonly provider: GangProvider;
  /** The kind of its group object, which the cluster must serve; none needs nothing. */
  readonly resource?: Resource;
  /**
   * Pods are created only once the scheduler has admitted the group (`readGroup` says so): until then it plans with
   * minResources alone.
   */
  readonly holdsPods?: true;
  /** A pod can still join when others of the group have succeeded; else it is placed by itself. */
  readonly countsFinished?: true;
  /** What it makes nothing of in a scheduling policy: why. A job that asks for it prefers another scheduler. */
  readonly ignores: Readonly<Partial<Record<PolicyField, string>>>;
  /** Name of the scheduler that places the gang's pods; a pod that names another one is placed by that. */
  schedulerOf?(job: TrainingJob): string;
  /** Fields of its group's spec that can follow the size of a job; none where the API server does not let them change. */
  readonly sizeFields?: readonly string[];
  /** The group of an attempt, without what all objects of a job carry (namespace, labels, owner). */
  renderGroup(job: TrainingJob, groupName: string): KubeObject | undefined;
  /** What makes a pod a member. */
  membership(job: TrainingJob, groupName: string, role: string): PodMarks;
  /** What a pod needs that is placed without the group. */
  alone?(job: TrainingJob): PodMarks;
  /** Whether a pod says only that it waits for the others of its gang; they then tell more. */
  waitsForOthers?(said: { readonly reason: string; readonly message?: string }): boolean;
  /** What the scheduler says of the group, from its status. */
  readGroup(group: KubeObject): GangDigest;
}

/** Of a scheduling policy, as manifests spell them. All schedulers take minAvailable. */
export type PolicyField = 'queue' | 'priorityClass' | 'minResources' | 'scheduleTimeoutSeconds';

/** What is added to a pod. A schedulerName that its template has stays. */
export interface PodMarks {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodSpec>;
}

/**
 * The job's name, as the original operators have it; a new group for each later attempt, as some schedulers never take
 * back what they once said of one. Job names have no dot, so no job's group can have another job's name.
 */
export const groupNameOf = (jobName: string, attempt: number) =>
  attempt === 1 ? jobName : `${jobName}.${attempt}`;
