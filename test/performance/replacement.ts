import type { ClusterClient } from '../../cluster/client.ts';
import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { Milestone } from './milestone.ts';
import { followObjects } from './observation.ts';
import { NAMESPACE } from './workload.ts';

export interface Replacement {
  /** The pod that is to be replaced. */
  readonly pod: Pod;
  /** A pod in its place runs. */
  readonly running: Milestone;
  stop(): void;
}

/** Watches the pod of a job that has one. */
export async function awaitReplacement(cluster: ClusterClient, job: string): Promise<Replacement> {
  const label = `${LABELS.job}=${job}`;
  const { items } = await cluster.list(PODS, { namespace: NAMESPACE, labelSelector: label });
  const pod = items[0]!;
  const running = new Milestone(`pods running in place of ${pod.metadata.name}`, 1);
  const ending = new AbortController();
  const source = { resource: PODS, label, signal: ending.signal };
  await followObjects(cluster, source, (type, { metadata, status }, at) => {
    const isAnother = type === 'CHANGED' && metadata.uid !== pod.metadata.uid;
    if (isAnother && status?.phase === 'Running') running.note(metadata.name, at);
  });
  return { pod, running, stop: () => ending.abort() };
}
