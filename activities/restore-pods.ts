import { Context } from '@temporalio/activity';
import type { ClusterClient } from '../cluster/client.ts';
import { isConflict, isNotFound } from '../cluster/errors.ts';
import { PODS } from '../contracts/kubernetes.ts';
import { awaitGone } from './await-gone.ts';
import { type AttemptRequest, createMissing, type Done, renderRequested } from './create-attempt.ts';
import type { Dependencies } from './dependencies.ts';
import { inParallel } from './in-parallel.ts';

export interface RestorePodsRequest extends AttemptRequest {
  readonly replace: readonly { readonly pod: string; readonly uid: string }[];
}

/**
 * Makes an attempt whole again: deletes the failed pods, and creates whatever is missing. Idempotent: deletions name
 * the pod's uid, so a replacement is never taken for the pod that failed.
 */
export async function restorePods(dependencies: Dependencies, request: RestorePodsRequest): Promise<Done> {
  const { cluster, connections, bulk } = dependencies;
  const { namespace } = request.job;
  const signal = Context.current().cancellationSignal;
  await inParallel(request.replace, { limit: connections, signal }, async ({ pod, uid }) => {
    await bulk.pass(() => deleteExactly(cluster, { namespace, pod, uid }));
    await awaitGone(async () => (await cluster.find(PODS, namespace, pod))?.metadata.uid !== uid);
  });
  return createMissing(dependencies, request, { objects: renderRequested(request), lookFirst: true });
}

async function deleteExactly(
  cluster: ClusterClient,
  { namespace, pod, uid }: { namespace: string; pod: string; uid: string },
): Promise<void> {
  try {
    await cluster.delete(PODS, namespace, pod, { uid });
  } catch (error) {
    // Gone, or replaced already by an earlier try.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
