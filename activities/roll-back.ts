import type { Pod } from '../contracts/kubernetes.ts';
import { isReplica } from '../contracts/pod.ts';
import { drain } from './drain.ts';
import { leaveLane } from './lane-places.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';
import { listPodsOfAttempt } from './support/pods-of-attempt.ts';

/**
 * Deletes the pods of a gated gang that has not got its nodes in time, and gives back its place in a lane once they are
 * gone. Looks first, because the watcher may be behind. Idempotent: it deletes what exists, and nothing of a later attempt.
 */
export async function rollBack(
  dependencies: Dependencies,
  request: EffectRequest<'rollBack'>,
): Promise<EffectResult> {
  const members = await listPodsOfAttempt(dependencies.cluster, request, { where: isPlaced });
  if (members.length >= request.enough) return { resourceVersion: 0, isPlaced: true };
  const done = await drain(dependencies, request);
  if (request.job.lane !== undefined && !done.stuckPods?.length) await leaveLane(dependencies, request);
  return done;
}

/** Pods that replace members count: they have the places of those. */
const isPlaced = (pod: Pod) =>
  isReplica(pod) && pod.spec.nodeName !== undefined && pod.metadata.deletionTimestamp === undefined;
