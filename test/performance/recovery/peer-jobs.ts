import type { ClusterClient } from '../../../cluster/client.ts';
import { type KubeObject, PODS, type Resource, SERVICES } from '../../../contracts/kubernetes.ts';
import { eventually } from '../../eventually.ts';
import { NAMESPACE } from '../workload.ts';

const COLLECTED_WITHIN = { withinMs: 120_000, everyMs: 250 };

/** A kind of job of others: its resource, and the label that names the job on its pods and Services. */
export interface PeerKind {
  readonly resource: Resource<KubeObject>;
  readonly podLabel: string;
}

/** Deletes a job; resolves when the garbage collector has done its work. */
export async function removePeerJob(
  cluster: ClusterClient,
  { resource, podLabel }: PeerKind,
  name: string,
): Promise<void> {
  await cluster.delete(resource, NAMESPACE, name, { propagationPolicy: 'Background' });
  const selection = { namespace: NAMESPACE, labelSelector: `${podLabel}=${name}`, limit: 1 };
  const isGone = async () => {
    const lists = await Promise.all([cluster.list(PODS, selection), cluster.list(SERVICES, selection)]);
    return lists.every(({ items }) => items.length === 0);
  };
  await eventually(`pods and Services of ${name} are gone`, isGone, COLLECTED_WITHIN);
}
