import type { Pod } from '../contracts/kubernetes.ts';
import { isReplica } from '../contracts/pod.ts';
import { type DrainRequest, drain } from './drain.ts';
import type { Dependencies } from './support/dependencies.ts';
import { listPodsOfAttempt } from './support/pods-of-attempt.ts';
import type { EffectResult } from './support/result.ts';

export interface RollBackRequest extends DrainRequest {
  /** A gang with as many members on nodes stays. */
  readonly enough: number;
}

/**
 * Deletes the pods of a gated gang that has not got its nodes in time. Looks first, because the watcher may be behind.
 * Idempotent: it deletes what exists, and nothing of a later attempt.
 */
export async function rollBack(dependencies: Dependencies, request: RollBackRequest): Promise<EffectResult> {
  const members = await listPodsOfAttempt(dependencies.cluster, request, { where: isPlaced });
  if (members.length >= request.enough) return { resourceVersion: 0, isPlaced: true };
  return drain(dependencies, request);
}

/** Pods that replace members count: they have the places of those. */
const isPlaced = (pod: Pod) =>
  isReplica(pod) && pod.spec.nodeName !== undefined && pod.metadata.deletionTimestamp === undefined;
