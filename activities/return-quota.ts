import { KUEUE_WORKLOADS, type KubeObject } from '../contracts/kubernetes.ts';
import { attemptOf, isOfAnchor } from '../contracts/objects.ts';
import { roleOf } from '../contracts/pod.ts';
import { isWorkloadAdmitted, podSetsOf, reclaimedFrom } from '../gang/kueue-workload.ts';
import type { Dependencies } from './support/dependencies.ts';
import { listPodsOfAttempt } from './support/pods-of-attempt.ts';
import { verifyCluster } from './support/verify-cluster.ts';

const WORKLOADS = KUEUE_WORKLOADS[0]!;

/** Pods of an attempt have ended by success, and nothing will make them anew in it. */
export interface ReturnQuotaRequest {
  readonly namespace: string;
  readonly name: string;
  readonly anchorUid: string;
  readonly clusterId?: string;
  readonly attempt: number;
}

/** What a workflow hands over to its worker. Not an interface: sinks have an index signature. */
export type QuotaSink = { readonly giveBack: (request: ReturnQuotaRequest) => void };

/**
 * Tells Kueue which pods of a running job have ended, as its own integrations do for Jobs and groups of pods: others get their
 * quota. Counts the pods themselves, because a replica whose program has succeeded may have other containers that run on.
 * Throws what the API server answers, a conflict if another client has changed the Workload.
 */
export async function returnQuota(
  { cluster, clusterId }: Pick<Dependencies, 'cluster' | 'clusterId'>,
  { namespace, name, anchorUid, clusterId: own, attempt }: ReturnQuotaRequest,
): Promise<void> {
  await verifyCluster({ clusterId }, { clusterId: own });
  const workload = await cluster.find(WORKLOADS, namespace, name);
  const isOfAttempt = workload && isOfAnchor(workload, anchorUid) && attemptOf(workload) === attempt;
  if (!isOfAttempt || !isWorkloadAdmitted(workload)) return;
  const pods = await listPodsOfAttempt(
    cluster,
    { job: { namespace, name }, anchorUid, attempt },
    { fieldSelector: 'status.phase=Succeeded' },
  );
  const reclaimablePods = countsIn(workload, pods.map(roleOf));
  if (reclaimablePods.length === 0) return;
  const { uid, resourceVersion } = workload.metadata;
  const patch = { metadata: { uid, resourceVersion }, status: { reclaimablePods } };
  await cluster.patch(WORKLOADS, { namespace, name, subresource: 'status' }, patch);
}

/** Kueue takes no smaller count than it had, and no larger one than that of the pod set. */
function countsIn(workload: KubeObject, ended: readonly string[]) {
  const before = new Map(reclaimedFrom(workload).map(({ name, count }) => [name, count]));
  const counts = podSetsOf(workload).map(({ name, count }) => {
    const now = ended.filter((role) => role === name).length;
    return { name, count: Math.min(count, Math.max(now, before.get(name) ?? 0)) };
  });
  const isNew = counts.some(({ name, count }) => count > (before.get(name) ?? 0));
  return isNew ? counts.filter(({ count }) => count > 0) : [];
}
