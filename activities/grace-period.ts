import type { Pod } from '../contracts/kubernetes.ts';

/** What a pod gets to end, in seconds: its own, unless it is asked to in another time. */
export const graceOf = ({ spec }: Pod, graceSeconds?: number) =>
  graceSeconds ?? spec.terminationGracePeriodSeconds ?? KUBERNETES_DEFAULT;

const KUBERNETES_DEFAULT = 30;

/** How long the slowest of these pods may take to end once it is asked to, in milliseconds from now. */
export const remainingGraceOf = (pods: readonly Pod[], graceSeconds?: number) =>
  Math.max(0, ...pods.map((pod) => remainingOf(pod, graceSeconds)));

/** The time of its deletion is when its grace period is over: it lies ahead while a pod may still end by itself. */
function remainingOf(pod: Pod, graceSeconds: number | undefined): number {
  const asked = graceOf(pod, graceSeconds) * 1000;
  const { deletionTimestamp } = pod.metadata;
  if (deletionTimestamp === undefined) return asked;
  return Math.min(Date.parse(deletionTimestamp) - Date.now(), asked);
}

/** What a node may take to say that a pod has ended, after its grace period. */
export const WORD_OF_NODE_MS = 10_000;

export interface Patience {
  /** Waits however long it takes. */
  readonly patient?: boolean;
  /** What is left after its grace period is removed from the API server without its node's word. */
  readonly force?: boolean;
}

/**
 * How long pods are waited for before it is told that they do not go, in milliseconds; undefined: however long it takes.
 * What is forced goes at once, when its node has had its time.
 */
export function patienceWith(pods: readonly Pod[], { patient, force }: Patience): number | undefined {
  return patient ? undefined : remainingGraceOf(pods) + (force ? 2 : 1) * WORD_OF_NODE_MS;
}

/** Whether its node should have said by now that it ended; not of one that was forced, and that only a finalizer keeps. */
export const isOverdue = ({ metadata }: Pod) =>
  metadata.deletionGracePeriodSeconds !== 0 &&
  Date.parse(metadata.deletionTimestamp ?? '') + WORD_OF_NODE_MS < Date.now();
