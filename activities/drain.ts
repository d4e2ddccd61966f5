import { PODS, type Pod } from '../contracts/kubernetes.ts';
import { attemptOf } from '../contracts/objects.ts';
import { isReplica, isSpare } from '../contracts/pod.ts';
import { givesQuota } from '../contracts/training-job.ts';
import { withoutUndefined } from '../language/fields.ts';
import { deletePods, MOST_REPORTED, stuckPodsResult } from './deletion/delete-pods.ts';
import { releaseSpares } from './deletion/release-spares.ts';
import { findStuckPods } from './deletion/wait-for-deletion.ts';
import { findUnlabelledPods } from './objects/find-unlabelled.ts';
import { deleteGroups } from './objects/groups.ts';
import { metadataRestored } from './objects/lost-metadata.ts';
import { deleteLists } from './objects/shared-objects.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';
import { allOrAbort } from './support/in-parallel.ts';
import { listOwned, type Owned } from './support/owned.ts';
import { selectJob } from './support/select-attempt.ts';

/**
 * Deletes all pods of an attempt and of earlier ones, with their groups and host lists. Keeps Services: the next
 * attempt uses their names; and the group that gives the job its quota. Returns the pods that still exist after a moment.
 * Idempotent: it deletes what exists, and nothing of a later attempt.
 */
export async function drain(
  dependencies: Dependencies,
  request: EffectRequest<'drain'>,
): Promise<EffectResult> {
  const { job, anchorUid, again, survivors } = request;
  const listed = await listUpTo(dependencies, request);
  const unlabelled = again ? [] : await findUnlabelledPods(dependencies, request, listed);
  const pods = [...listed, ...unlabelled.filter((pod) => attemptOf(pod) <= request.attempt)];
  const [{ evidence, products, steps }] = await allOrAbort(
    deletePods(dependencies, { job, pods, again, survivors }),
    ...(givesQuota(request.gang) ? [] : [deleteGroups(dependencies, request)]),
    deleteLists(dependencies, job, anchorUid),
  );
  const most = request.leavesSilent ? undefined : MOST_REPORTED;
  const list = () => listUpTo(dependencies, request, { where: isReplica, most });
  const stuck = stuckPodsResult(await findStuckPods(dependencies, list, request));
  if (!stuck.stuckPods) await releaseSpares(dependencies, request);
  return { evidence, ...withoutUndefined({ products, steps }), ...stuck, ...metadataRestored(unlabelled) };
}

/** Excludes pods of later attempts: a drain that runs late must not touch them. */
async function listUpTo(
  { cluster }: Dependencies,
  { job, anchorUid, attempt, keepsSpares }: EffectRequest<'drain'>,
  { where: matchesCaller = () => true, most }: Pick<Owned<Pod>, 'where' | 'most'> = {},
): Promise<Pod[]> {
  const where = (pod: Pod) =>
    attemptOf(pod) <= attempt && matchesCaller(pod) && !(keepsSpares && isSpare(pod));
  return listOwned(cluster, PODS, selectJob(job), { anchorUid, where, most });
}
