import { Context } from '@temporalio/activity';
import { isGoneOrReplaced } from '../cluster/errors.ts';
import type { EvidenceSummary } from '../contracts/evidence.ts';
import { type KubeObject, PODS, type Pod, type Resource } from '../contracts/kubernetes.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import type { Done } from './create-attempt.ts';
import type { Dependencies } from './dependencies.ts';
import { failedOf, takeEvidence } from './evidence/take-evidence.ts';
import { graceOf } from './grace-period.ts';
import { inParallel, together } from './in-parallel.ts';

export interface PodsToDelete {
  readonly job: TrainingJob;
  /** In the order in which they go. */
  readonly pods: readonly Pod[];
  /** Instead of the pods' own. */
  readonly graceSeconds?: number;
}

/** Of so many pods at most an activity tells, so that what it returns stays small. */
export const MOST_TOLD = 20;

/**
 * Asks pods to end: of those that failed, evidence is taken first, while the others go already. Idempotent: each is
 * deleted by its uid, so that what replaces one is never taken for it.
 */
export async function deletePods(
  dependencies: Dependencies,
  { job, pods, graceSeconds }: PodsToDelete,
): Promise<Done> {
  const failed = new Set(failedOf(pods));
  const grace = (pod: Pod) => graceOf(pod, graceSeconds);
  const begone = (some: readonly Pod[]) => deleteEach(dependencies, PODS, some, grace);
  const [ofOthers, { evidence, revision }] = await together(
    begone(pods.filter((pod) => !failed.has(pod) && !isLeaving(pod, grace(pod)))),
    examineAndDelete(dependencies, job, [...failed], begone),
  );
  return { revision: Math.max(ofOthers, revision), evidence };
}

async function examineAndDelete(
  dependencies: Dependencies,
  job: TrainingJob,
  failed: readonly Pod[],
  begone: (pods: readonly Pod[]) => Promise<number>,
): Promise<{ readonly evidence: readonly EvidenceSummary[]; readonly revision: number }> {
  if (failed.length === 0) return { evidence: [], revision: 0 };
  const signal = Context.current().cancellationSignal;
  const evidence = await takeEvidence(dependencies, { job, pods: failed, signal });
  return { evidence: evidence.slice(0, MOST_TOLD), revision: await begone(failed) };
}

/** A shorter time than the one it was given before still counts, a longer one does not. */
const isLeaving = ({ metadata }: Pod, graceSeconds: number) =>
  metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) <= graceSeconds;

/** Pods that do not go, as it is told. */
export const tellLeft = (pods: readonly Pod[]): Pick<Done, 'left'> =>
  pods.length === 0 ? {} : { left: pods.slice(0, MOST_TOLD).map(leftOf) };

const leftOf = ({ metadata, spec }: Pod) => ({
  pod: metadata.name,
  ...(spec.nodeName ? { node: spec.nodeName } : {}),
});

/**
 * Deletes objects one by one, in parallel, and gives the highest revision that the API server answered with. Not as a
 * collection: the API server deletes that one by one, within one request of as many seconds. `grace`: in seconds.
 */
export async function deleteEach<T extends KubeObject>(
  { cluster, connections, bulk }: Dependencies,
  resource: Resource<T>,
  objects: readonly T[],
  grace?: (object: T) => number,
): Promise<number> {
  const signal = Context.current().cancellationSignal;
  let revision = 0;
  await inParallel(objects, { limit: connections, signal }, (object) =>
    bulk.pass(async () => {
      signal.throwIfAborted();
      const { namespace, name, uid } = object.metadata;
      const gracePeriodSeconds = grace?.(object);
      const answer = await cluster
        .delete(resource, namespace, name, { uid, gracePeriodSeconds })
        .catch(unlessGone);
      revision = Math.max(revision, Number(answer?.metadata.resourceVersion ?? 0));
    }),
  );
  return revision;
}

function unlessGone(error: unknown): undefined {
  if (!isGoneOrReplaced(error)) throw error;
}
