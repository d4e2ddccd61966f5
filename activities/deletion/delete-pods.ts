import { Context } from '@temporalio/activity';
import { ApiError, isGoneOrReplaced, isOverloaded } from '../../cluster/errors.ts';
import { type KubeObject, PODS, type Pod, type Resource } from '../../contracts/kubernetes.ts';
import { byName } from '../../contracts/objects.ts';
import { hasPodEnded, isSpare } from '../../contracts/pod.ts';
import type { StuckPod } from '../../contracts/stuck-pod.ts';
import type { SurvivorGrace } from '../../contracts/survivors.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { EvidenceSummary } from '../../contracts/types.ts';
import { attemptStepsOf } from '../evidence/attempt-steps.ts';
import { recordPods } from '../evidence/record-pods.ts';
import { failedOf, takeEvidence } from '../evidence/take-evidence.ts';
import type { Dependencies } from '../support/dependencies.ts';
import type { EffectResult } from '../support/effect.ts';
import { allOrAbort, inParallel } from '../support/in-parallel.ts';
import { dueAt, graceOf } from './grace-period.ts';

interface PodsToDelete {
  readonly job: TrainingJob;
  /** In the order of deletion. */
  readonly pods: readonly Pod[];
  /** Replaces the pods' own grace period. */
  readonly graceSeconds?: number;
  readonly survivors?: SurvivorGrace;
  /** An earlier run deleted pods: it recorded those that are being deleted, with evidence of the failed ones. */
  readonly again?: boolean;
  readonly refusals?: Refusals;
}

/** Why objects could not be deleted, by uid. Without this map, the first such error is thrown. */
export type Refusals = Map<string, ApiError>;

/** Maximum number of pods in an activity's result. */
export const MOST_REPORTED = 20;

/**
 * Records what ran, then deletes pods. Takes evidence of failed pods first, while the others are already being deleted.
 * Idempotent: it deletes by uid, so that it never deletes a replacement.
 */
export async function deletePods(
  dependencies: Dependencies,
  { job, pods, again, refusals, ...given }: PodsToDelete,
): Promise<EffectResult> {
  const unread = pods.filter(({ metadata }) => !again || !metadata.deletionTimestamp);
  const [recorded, steps] = await Promise.all([
    recordPods(dependencies, { job, pods: unread, isDeletion: true }),
    attemptStepsOf(dependencies, { job, pods: unread }),
  ]);
  const failed = new Set(failedOf(unread.filter((pod) => !isSpare(pod))));
  const grace = (pod: Pod) => graceOf(pod, given);
  const deleteSome = (some: readonly Pod[]) => deleteEach(dependencies, PODS, some, { grace, refusals });
  const [ofOthers, { evidence, resourceVersion }] = await allOrAbort(
    deleteSome(pods.filter((pod) => !failed.has(pod) && !isLeaving(pod, grace(pod)))),
    examineAndDelete(dependencies, job, [...failed], deleteSome),
  );
  return { resourceVersion: Math.max(ofOthers, resourceVersion), evidence, ...recorded, ...steps };
}

async function examineAndDelete(
  dependencies: Dependencies,
  job: TrainingJob,
  failed: readonly Pod[],
  deleteSome: (pods: readonly Pod[]) => Promise<number>,
): Promise<{ readonly evidence: readonly EvidenceSummary[]; readonly resourceVersion: number }> {
  if (failed.length === 0) return { evidence: [], resourceVersion: 0 };
  const signal = Context.current().cancellationSignal;
  const evidence = await takeEvidence(dependencies, { job, pods: failed, signal });
  return { evidence: evidence.slice(0, MOST_REPORTED), resourceVersion: await deleteSome(failed) };
}

/** A new grace period takes effect only if it is shorter than the present one. */
const isLeaving = ({ metadata }: Pod, graceSeconds: number) =>
  metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) <= graceSeconds;

/** Returns the pods that still exist, and the resource version that shows them as being deleted. */
export function stuckPodsResult(pods: readonly Pod[], resourceVersion = 0): EffectResult {
  if (pods.length === 0) return { resourceVersion };
  const reported = pods.toSorted(byName).slice(0, MOST_REPORTED);
  const seen = reported.map(({ metadata }) => Number(metadata.resourceVersion ?? 0));
  return { resourceVersion: Math.max(resourceVersion, ...seen), stuckPods: reported.map(stuckPodOf) };
}

const stuckPodOf = (pod: Pod): StuckPod => ({
  pod: pod.metadata.name,
  uid: pod.metadata.uid,
  ...(pod.spec.nodeName ? { node: pod.spec.nodeName } : {}),
  ...untilOf(pod),
});

/** A pod whose containers have ended only waits for those who hold it. */
function untilOf(pod: Pod): Pick<StuckPod, 'until' | 'heldBy'> {
  const { finalizers = [] } = pod.metadata;
  if (hasPodEnded(pod) && finalizers.length > 0) return { heldBy: finalizers.slice(0, MOST_FINALIZERS) };
  return dueAt(pod) > Date.now() ? { until: dueAt(pod) } : {};
}

/** In the result of an activity; any user can add some. */
const MOST_FINALIZERS = 3;

interface Deletion<T> {
  /** Returns the grace period in seconds. */
  readonly grace?: (object: T) => number;
  readonly refusals?: Refusals;
}

/**
 * Deletes objects one by one, in parallel, and returns the highest resource version of the responses. Does not use
 * deletecollection: the API server deletes its objects one by one, within a single long request. An object
 * that may not be deleted does not stop the others.
 */
export async function deleteEach<T extends KubeObject>(
  dependencies: Dependencies,
  resource: Resource<T>,
  objects: readonly T[],
  { grace, refusals }: Deletion<T> = {},
): Promise<number> {
  const { cluster, connections, bulk } = dependencies;
  const signal = Context.current().cancellationSignal;
  const refused: Refusals = refusals ?? new Map();
  let resourceVersion = 0;
  await inParallel(objects, { limit: connections, signal }, (object) =>
    bulk.run(async () => {
      signal.throwIfAborted();
      const { namespace, name, uid } = object.metadata;
      const gracePeriodSeconds = grace?.(object);
      const answer = await cluster
        .delete(resource, namespace, name, { uid, gracePeriodSeconds })
        .catch((error: unknown) => {
          const refusal = refusalIn(error);
          if (refusal) refused.set(uid ?? name, refusal);
        });
      resourceVersion = Math.max(resourceVersion, Number(answer?.metadata.resourceVersion ?? 0));
    }),
  );
  const [first] = refused.values();
  if (first && !refusals) throw first;
  return resourceVersion;
}

/** An API server that is unavailable or overloaded has refused nothing: Temporal retries the whole activity. */
function refusalIn(error: unknown): ApiError | undefined {
  if (isGoneOrReplaced(error)) return undefined;
  if (!(error instanceof ApiError) || isOverloaded(error)) throw error;
  return error;
}
