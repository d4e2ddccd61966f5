import type { Digest, GangDigest } from '../contracts/digest.ts';
import type { KubeObject, PodSpec, Resource } from '../contracts/kubernetes.ts';
import { type GangProvider, givesQuota, type TrainingJob } from '../contracts/training-job.ts';
import type { Fault } from '../contracts/types.ts';

/** Adapter for one gang scheduler, which places all pods of a job or none. Pure. */
export interface GangAdapter {
  readonly provider: GangProvider;
  /** The resource of its groups, which the cluster must serve; absent if it needs none. */
  readonly resource?: Resource;
  /**
   * Set if pods may be created only once the scheduler has admitted the group (see `readGroup`). Until then the
   * scheduler plans with minResources alone.
   */
  readonly holdsPods?: true;
  /** Set if a pod can still join the group when other members have succeeded; else the pod is placed on its own. */
  readonly countsFinished?: true;
  /** Fields of the scheduling policy that it ignores, and why. A job that sets them prefers another scheduler. */
  readonly ignores: Readonly<Partial<Record<PolicyField, string>>>;
  /** Returns what makes a job impossible with it; absent if it takes any. */
  refuses?(job: TrainingJob): readonly Fault[];
  /** Name of the scheduler that places the gang's pods. A pod that names another scheduler is placed by that one. */
  schedulerOf?(job: TrainingJob): string;
  /** Fields of the group's spec that can follow the size of a job; absent if the API server does not allow changes. */
  readonly sizeFields?: readonly string[];
  /** Renders the group of an attempt, without the metadata of all job objects (namespace, labels, owner). */
  renderGroup(job: TrainingJob, groupName: string): KubeObject | undefined;
  /** Returns what makes a pod a member of the group. */
  membership(job: TrainingJob, groupName: string, role: string): Membership;
  /** Returns what also holds a member back, until there is room for the gang; absent where signalbox does not look for that. */
  gate?(job: TrainingJob, role: string): Membership | undefined;
  /** Returns what a pod needs that is placed without the group. */
  outsideGroup?(job: TrainingJob): Membership;
  /** Returns whether a pod reports only that it waits for the rest of its gang. The other pods then explain more. */
  waitsForOthers?(condition: { readonly reason: string; readonly message?: string }): boolean;
  /** Reads the scheduler's view of the group from the group's status. */
  readGroup(group: KubeObject): GangDigest;
  /** Reads whether the scheduler takes back what it has admitted: all pods are to go. */
  readEviction?(group: KubeObject): Eviction | undefined;
}

/** Why the queue that has admitted a job takes that back. */
export interface Eviction extends Omit<NonNullable<Digest['eviction']>, 'attempt'> {
  /** uid of the group that takes the place. */
  readonly by?: string;
}

/** Fields of a scheduling policy, as manifests spell them. All schedulers support minAvailable. */
export type PolicyField =
  | 'queue'
  | 'priorityClass'
  | 'minResources'
  | 'scheduleTimeoutSeconds'
  | 'networkTopology';

/** What a scheduler says that knows no tiers of a network. */
export const NO_TIERS =
  'only Volcano reads tiers of the network; an affinity of the templates keeps pods together';

/** What is added to a pod. It replaces neither a schedulerName nor a priorityClassName in the template. */
export interface Membership {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodSpec>;
  /** Labels of the template that the pod must not have. */
  readonly withoutLabels?: readonly string[];
}

/**
 * Returns the job's name, as the original operators do. Each later attempt has a new group, because some schedulers
 * never remove a condition; not where the group holds quota. Job names have no dot, so no group can have another job's name.
 */
export const groupNameOf = (jobName: string, attempt: number, gang: GangProvider) =>
  attempt === 1 || givesQuota(gang) ? jobName : `${jobName}.${attempt}`;
