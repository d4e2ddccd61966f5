import type { PodFacts } from './pod-facts.ts';

/**
 * Deleted pods by name, as last seen, so that a digest after the deletion still reports how they ended. A new pod of
 * the same name removes the entry.
 */
export type VanishedPods = Map<string, { readonly uid: string; readonly pod: PodFacts }>;

/** Returns the last state of a deleted pod. One that had not ended counts as interrupted. */
export function vanishedPod(pod: PodFacts): PodFacts {
  if (pod.state === 'succeeded' || pod.state === 'failed') return pod;
  const interruption = pod.interruption ?? { by: 'deletion', reason: 'Deleted', running: [] };
  const failure = { phase: 'Failed', node: pod.node, finishedAt: '', ended: [] } as const;
  return { ...pod, state: 'failed', waiting: undefined, interruption, failure };
}
