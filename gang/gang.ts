import type { KubeObject, PodSpec, Resource } from '../contracts/kubernetes.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';

/** How one gang scheduler is asked to place all pods of a job or none. */
export interface GangAdapter {
  readonly provider: GangProvider;
  /** The kind of its group object, which the cluster must serve; none needs nothing. */
  readonly resource?: Resource;
  /** The group of an attempt, without what all objects of a job carry (namespace, labels, owner). */
  renderGroup(job: TrainingJob, groupName: string): KubeObject | undefined;
  /** The fields of a pod's spec that make it a member. */
  membership(groupName: string): Partial<PodSpec>;
}

/**
 * A new group for each attempt: a native group's spec cannot be changed, and its PodGroupScheduled condition never goes
 * back to False.
 */
export const groupNameOf = (jobName: string, attempt: number) => `${jobName}-${attempt}`;
