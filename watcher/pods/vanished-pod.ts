import type { PodFacts } from './pod-facts.ts';

/**
 * Pods that are gone, by name, as they were seen last: a digest that comes too late to show how one ended tells it all the
 * same. Each is forgotten when another one takes its place.
 */
export type VanishedPods = Map<string, { readonly uid: string; readonly pod: PodFacts }>;

/** A pod that had not ended was told to stop; by whom, nobody may have said. */
export function vanishedPod(pod: PodFacts): PodFacts {
  if (pod.state === 'succeeded' || pod.state === 'failed') return pod;
  const interruption = pod.interruption ?? { by: 'deletion', reason: 'Deleted', running: [] };
  const failure = { phase: 'Failed', node: pod.node, finishedAt: '', ended: [] } as const;
  return { ...pod, state: 'failed', waiting: undefined, interruption, failure };
}
