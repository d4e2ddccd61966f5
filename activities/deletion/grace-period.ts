import type { Pod } from '../../contracts/kubernetes.ts';
import type { SurvivorGrace } from '../../contracts/survivors.ts';

interface GracePeriods {
  /** Of all pods, whatever they ask for. */
  readonly graceSeconds?: number;
  readonly survivors?: SurvivorGrace;
}

/** Returns the grace period of a pod in seconds. */
export function graceOf({ spec }: Pod, { graceSeconds, survivors }: GracePeriods = {}): number {
  const own = spec.terminationGracePeriodSeconds ?? KUBERNETES_DEFAULT;
  if (graceSeconds !== undefined) return graceSeconds;
  const asks = own !== KUBERNETES_DEFAULT || spec.containers.some(({ lifecycle }) => lifecycle?.preStop);
  return survivors && !(survivors.unlessAsked && asks) ? survivors.seconds : own;
}

/** The API server writes it into each pod that says nothing. */
const KUBERNETES_DEFAULT = 30;

/** How long a node may take to report the end of a pod after its grace period. */
const NODE_REPORT_MS = 10_000;

/** When the node should have reported the end of a pod that is being deleted, in epoch milliseconds. */
export const dueAt = ({ metadata }: Pod) => Date.parse(metadata.deletionTimestamp ?? '') + NODE_REPORT_MS;

/** Whether the node's report is overdue. False after a forced deletion: only a finalizer then keeps the pod. */
export const isOverdue = (pod: Pod) =>
  pod.metadata.deletionGracePeriodSeconds !== 0 && dueAt(pod) < Date.now();
