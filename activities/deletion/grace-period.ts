import type { Pod } from '../../contracts/kubernetes.ts';

/** What a pod gets to end, in seconds: its own, unless it is asked to in another time. */
export const graceOf = ({ spec }: Pod, graceSeconds?: number) =>
  graceSeconds ?? spec.terminationGracePeriodSeconds ?? KUBERNETES_DEFAULT;

const KUBERNETES_DEFAULT = 30;

/** What a node may take to say that a pod has ended, after its grace period. */
const WORD_OF_NODE_MS = 10_000;

/** When the word of its node is due that a pod which was told to end has ended, in epoch milliseconds. */
export const dueAt = ({ metadata }: Pod) => Date.parse(metadata.deletionTimestamp ?? '') + WORD_OF_NODE_MS;

/** Whether its node should have said by now that it ended; not of one that was forced, and that only a finalizer keeps. */
export const isOverdue = (pod: Pod) =>
  pod.metadata.deletionGracePeriodSeconds !== 0 && dueAt(pod) < Date.now();
