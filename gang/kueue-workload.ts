import type { Condition, KubeObject } from '../contracts/kubernetes.ts';
import { valueAt } from '../language/fields.ts';
import { findCondition } from './conditions.ts';

/** Readers of Kueue's Workload, v1beta1 and v1beta2. */

const isTrue = (workload: KubeObject, type: string): boolean =>
  findCondition(workload, type)?.status === 'True';

export const isFinished = (workload: KubeObject): boolean => isTrue(workload, 'Finished');

/** Whether it counts against a quota: from the reservation until its owner gives that back. */
export const holdsQuota = (workload: KubeObject): boolean => isTrue(workload, 'QuotaReserved');

/** An evicted Workload stays admitted until its pods are gone. */
export const isWorkloadAdmitted = (workload: KubeObject): boolean =>
  isTrue(workload, 'Admitted') && !isTrue(workload, 'Evicted') && !isFinished(workload);

/** Returns why it has to give back its quota; undefined if it may keep it, or has none. */
export const evictionOfWorkload = (workload: KubeObject): Condition | undefined =>
  holdsQuota(workload) && isTrue(workload, 'Evicted') ? findCondition(workload, 'Evicted') : undefined;

/** Returns the condition that says by which rule another one was given its quota. */
export const preemptionOf = (workload: KubeObject): Condition | undefined =>
  isTrue(workload, 'Preempted') ? findCondition(workload, 'Preempted') : undefined;

/** Returns why it was finished, which nobody but signalbox is to do while its job goes on. */
export const finishOf = (workload: KubeObject): Condition | undefined =>
  isFinished(workload) ? findCondition(workload, 'Finished') : undefined;

interface PodCount {
  /** Of a pod set. */
  readonly name: string;
  readonly count: number;
}

export const podSetsOf = (workload: KubeObject): readonly PodCount[] =>
  (valueAt(workload, 'spec.podSets') ?? []) as readonly PodCount[];

/** Returns the pods whose quota others may have already, because they have ended. */
export const reclaimedFrom = (workload: KubeObject): readonly PodCount[] =>
  (valueAt(workload, 'status.reclaimablePods') ?? []) as readonly PodCount[];

export const isDeactivated = (workload: KubeObject): boolean => valueAt(workload, 'spec.active') === false;

/**
 * Returns what explains best why it is not admitted; undefined if it is, or if Kueue has said nothing yet. One that is evicted
 * keeps its quota until its pods are gone; one that has quota may wait for admission checks.
 */
export function waitOfWorkload(workload: KubeObject): Condition | undefined {
  const [evicted, reserved, admitted] = ['Evicted', 'QuotaReserved', 'Admitted'].map((type) =>
    findCondition(workload, type),
  );
  return holdsQuota(workload) ? [evicted, admitted].find(isSaid) : (reserved ?? evicted);
}

/** `Evicted` is said when it is true, `Admitted` when it is not. */
const isSaid = (condition: Condition | undefined) =>
  condition !== undefined && (condition.status === 'True') === (condition.type === 'Evicted');
