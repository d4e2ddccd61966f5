import { log } from '@temporalio/activity';
import { ApiError } from '../cluster/errors.ts';
import { stillAvoided } from '../contracts/avoided-nodes.ts';
import { type KubeObject, PODS, type Pod } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import { hasPodEnded, isSpare } from '../contracts/pod.ts';
import { renderSpares } from '../resources/spare.ts';
import { deleteEach } from './deletion/delete-pods.ts';
import { findStuckPods, readPods } from './deletion/wait-for-deletion.ts';
import { createObjects } from './objects/create-objects.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';
import { NameInUseError, StillLeavingError } from './support/failures.ts';
import { listOwned } from './support/owned.ts';
import { selectJob } from './support/select-attempt.ts';

/**
 * Makes spares, and deletes those that have ended, are too many, or are made from another template. Idempotent: it
 * compares with what exists. A refusal is no failure of the job.
 */
export async function keepSpares(
  dependencies: Dependencies,
  { job, anchorUid, gang, count, avoid }: EffectRequest<'keepSpares'>,
): Promise<EffectResult> {
  const options = { anchorUid, gang, count, avoid: stillAvoided(avoid, Date.now()) };
  const wanted = new Map(renderSpares(job, options).map((pod) => [pod.metadata.name, pod]));
  const present = await listOwned(dependencies.cluster, PODS, selectJob(job), { anchorUid, where: isSpare });
  const leaving = present.filter((pod) => isLeaving(pod));
  const unwanted = present.filter(
    (pod) => !isLeaving(pod) && !isAsWanted(pod, wanted.get(pod.metadata.name)),
  );
  const deletedAt = await deleteEach(dependencies, PODS, unwanted, { grace: () => 1 });
  const left = await findStuckPods(dependencies, readPods(dependencies, [...leaving, ...unwanted]), { job });
  const kept = present.filter((pod) => !leaving.includes(pod) && !unwanted.includes(pod));
  const taken = new Set([...left, ...kept].map(({ metadata }) => metadata.name));
  const missing = [...wanted.values()].filter(({ metadata }) => !taken.has(metadata.name));
  const { made, refused } = await create(dependencies, missing);
  const versions = [...kept, ...made].map(({ metadata }) => Number(metadata.resourceVersion ?? 0));
  return { resourceVersion: Math.max(deletedAt, ...versions), ...(refused ? { refused } : {}) };
}

const isLeaving = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;

const isAsWanted = (pod: Pod, wanted: Pod | undefined): boolean =>
  wanted !== undefined &&
  !hasPodEnded(pod) &&
  pod.metadata.labels?.[LABELS.spare] === wanted.metadata.labels?.[LABELS.spare];

async function create(
  dependencies: Dependencies,
  pods: readonly Pod[],
): Promise<{ readonly made: readonly KubeObject[]; readonly refused?: string }> {
  try {
    return {
      made: await createObjects(
        dependencies,
        pods.map((object) => ({ resource: PODS, object })),
      ),
    };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.warn(`a spare could not be created: ${error.message}`);
    return { made: [], refused: error.message };
  }
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof ApiError || error instanceof NameInUseError || error instanceof StillLeavingError;
