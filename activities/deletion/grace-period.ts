import type { Pod } from '../../contracts/kubernetes.ts';

/** Returns the grace period of a pod in seconds: `graceSeconds`, or the pod's own. */
export const graceOf = ({ spec }: Pod, graceSeconds?: number) =>
  graceSeconds ?? spec.terminationGracePeriodSeconds ?? KUBERNETES_DEFAULT;

const KUBERNETES_DEFAULT = 30;

/** How long a node may take to report the end of a pod after its grace period. */
const NODE_REPORT_MS = 10_000;

/** When the node should have reported the end of a pod that is being deleted, in epoch milliseconds. */
export const dueAt = ({ metadata }: Pod) => Date.parse(metadata.deletionTimestamp ?? '') + NODE_REPORT_MS;

/** Whether the node's report is overdue. False after a forced deletion: only a finalizer then keeps the pod. */
export const isOverdue = (pod: Pod) =>
  pod.metadata.deletionGracePeriodSeconds !== 0 && dueAt(pod) < Date.now();
