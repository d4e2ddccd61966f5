import type { Pod } from '../contracts/kubernetes.ts';

/** How long the slowest of these pods may take to end once it is asked to, in milliseconds from now. */
export const remainingGraceOf = (pods: readonly Pod[], graceSeconds?: number) =>
  Math.max(0, ...pods.map((pod) => remainingOf(pod, graceSeconds)));

/** The time of its deletion is when its grace period is over: it lies ahead while a pod may still end by itself. */
function remainingOf({ metadata, spec }: Pod, graceSeconds: number | undefined): number {
  const asked = graceSeconds ?? spec.terminationGracePeriodSeconds ?? KUBERNETES_DEFAULT;
  if (metadata.deletionTimestamp === undefined) return asked * 1000;
  const left = Date.parse(metadata.deletionTimestamp) - Date.now();
  return graceSeconds === undefined ? left : Math.min(left, graceSeconds * 1000);
}

const KUBERNETES_DEFAULT = 30;

/** What a node may take to say that a pod has ended, after its grace period. */
export const WORD_OF_NODE_MS = 10_000;

/** Whether its node should have said by now that it ended; not of one that was forced, and that only a finalizer keeps. */
export const isOverdue = ({ metadata }: Pod) =>
  metadata.deletionGracePeriodSeconds !== 0 &&
  Date.parse(metadata.deletionTimestamp ?? '') + WORD_OF_NODE_MS < Date.now();
