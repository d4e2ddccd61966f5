import { Context } from '@temporalio/activity';
import type { ClusterClient } from '../cluster/client.ts';
import { isGoneOrReplaced } from '../cluster/errors.ts';
import { PODS, type Pod } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import { groupNameOf, type PodMarks } from '../gang/gang.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { awaitGone } from './await-gone.ts';
import { type AttemptRequest, createMissing, type Done, renderRequested } from './create-attempt.ts';
import type { Dependencies } from './dependencies.ts';
import { inParallel } from './in-parallel.ts';

export interface RestorePodsRequest extends AttemptRequest {
  readonly replace: readonly { readonly pod: string; readonly uid: string }[];
  /** Pods without a node are made again, so that they are not in the gang any more. */
  readonly leaveGang?: boolean;
}

/**
 * Makes an attempt whole again: deletes the failed pods, and creates whatever is missing. Idempotent: deletions name
 * the pod's uid, so a replacement is never taken for the pod that failed.
 */
export async function restorePods(dependencies: Dependencies, request: RestorePodsRequest): Promise<Done> {
  const { cluster, connections, bulk } = dependencies;
  const { namespace } = request.job;
  const signal = Context.current().cancellationSignal;
  const waiting = request.leaveGang ? await findWaiting(dependencies, request) : [];
  await inParallel([...request.replace, ...waiting], { limit: connections, signal }, async ({ pod, uid }) => {
    await bulk.pass(() => deleteExactly(cluster, { namespace, pod, uid }));
    await awaitGone(async () => (await cluster.find(PODS, namespace, pod))?.metadata.uid !== uid);
  });
  return createMissing(dependencies, request, { objects: renderRequested(request), lookFirst: true });
}

/** Of those that were made again already, by a try before, none may be deleted: they carry no mark of the gang. */
async function findWaiting({ cluster }: Dependencies, { job, attempt, gang }: AttemptRequest) {
  const { items } = await cluster.list(PODS, {
    namespace: job.namespace,
    labelSelector: `${LABELS.job}=${job.name},${LABELS.attempt}=${attempt}`,
  });
  const { membership } = GANG_ADAPTERS[gang];
  const isMember = (pod: Pod) => carries(pod, membership(job, groupNameOf(job.name, attempt), ''));
  return items
    .filter((pod) => !pod.spec.nodeName && isMember(pod))
    .map(({ metadata }) => ({ pod: metadata.name, uid: metadata.uid ?? '' }));
}

const carries = ({ metadata, spec }: Pod, marks: PodMarks) =>
  Object.entries(marks.labels ?? {}).every(([label, value]) => metadata.labels?.[label] === value) &&
  (marks.spec?.schedulingGroup === undefined || spec.schedulingGroup !== undefined);

async function deleteExactly(
  cluster: ClusterClient,
  { namespace, pod, uid }: { namespace: string; pod: string; uid: string },
): Promise<void> {
  try {
    await cluster.delete(PODS, namespace, pod, { uid });
  } catch (error) {
    // Gone, or replaced already by an earlier try.
    if (!isGoneOrReplaced(error)) throw error;
  }
}
