import type { Selection } from '../../cluster/client.ts';
import { formatAnchorRecord } from '../../contracts/anchor.ts';
import type { CleanUpScope } from '../../contracts/clean-up.ts';
import { CONFIG_MAPS, type KubeObject, PODS, type Pod, SERVICES } from '../../contracts/kubernetes.ts';
import { anchorNameOf, LABELS } from '../../contracts/labels.ts';
import { attemptOf } from '../../contracts/objects.ts';
import { hasPodEnded, isReplica, isSpare, UNFINISHED } from '../../contracts/pod.ts';
import { outlivesProgram } from '../../contracts/program.ts';
import { type GangProvider, givesQuota, type TrainingJob } from '../../contracts/training-job.ts';
import { withoutUndefined } from '../../language/fields.ts';
import {
  deleteEach,
  deletePods,
  MOST_REPORTED,
  type Refusals,
  stuckPodsResult,
} from '../deletion/delete-pods.ts';
import { findStuckPods, type Removal, readPods } from '../deletion/wait-for-deletion.ts';
import { attemptStepsOf } from '../evidence/attempt-steps.ts';
import { allProducts } from '../evidence/ended-products.ts';
import { recordPods } from '../evidence/record-pods.ts';
import type { Dependencies } from '../support/dependencies.ts';
import type { EffectResult } from '../support/effect.ts';
import { listOwned } from '../support/owned.ts';
import { selectJob } from '../support/select-attempt.ts';
import { findUnlabelledPods, findUnlabelledServices, findUnlabelledSpares } from './find-unlabelled.ts';
import { deleteGroups } from './groups.ts';
import { metadataRestored } from './lost-metadata.ts';
import { deleteShared } from './shared-objects.ts';

export interface ObjectsToRemove extends Removal {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly gang: GangProvider;
  readonly scope: CleanUpScope;
  /** Replaces the pods' own grace period. */
  readonly graceSeconds?: number;
}

/**
 * Deletes what the scope names. Returns the pods that still exist after a moment. Throws the first error of an object that could
 * not be deleted, unless there are `refusals` to add it to. Idempotent: it deletes what exists.
 */
export async function removeObjects(
  dependencies: Dependencies,
  request: ObjectsToRemove,
  refusals?: Refusals,
): Promise<EffectResult> {
  const { cluster } = dependencies;
  const { job, anchorUid, scope, graceSeconds, again } = request;
  if (scope === 'None') return removeOutlived(dependencies, request, refusals);
  const all: Selection = selectJob(job);
  const listed = await listOwned(cluster, PODS, all, { anchorUid, job });
  const unlabelled = again ? [] : await findUnlabelledPods(dependencies, request, listed);
  const spares = again ? [] : await findUnlabelledSpares(dependencies, request, listed);
  const found = [...listed, ...unlabelled, ...spares];
  const stays = (pod: Pod) => hasPodEnded(pod) && !isSpare(pod);
  const kept = scope === 'Running' ? found.filter(stays) : [];
  const ofKept = again ? {} : await recordKept(dependencies, job, kept);
  const pods = scope === 'Running' ? found.filter((pod) => !stays(pod)) : found;
  const gone = await deletePods(dependencies, { job, pods, graceSeconds, again, refusals });
  const { evidence } = gone;
  const steps = withoutUndefined({ steps: gone.steps ?? ofKept.steps });
  const services = await servicesToDelete(dependencies, request, kept);
  await deleteEach(dependencies, SERVICES, services, { refusals });
  const last = Math.max(1, ...found.map(attemptOf));
  // Quota goes to others as soon as its group is gone, so the pods go first.
  if (!givesQuota(request.gang)) await deleteGroups(dependencies, { ...request, last }, refusals);
  if (scope === 'Everything') await deleteShared(dependencies, job, anchorUid);
  const selection = scope === 'Running' ? { ...all, fieldSelector: UNFINISHED } : all;
  // Do not wait for a pod that may not be deleted.
  const where = (pod: Pod) => isReplica(pod) && !refusals?.has(pod.metadata.uid ?? '');
  const most = request.leavesSilent ? undefined : MOST_REPORTED;
  const look = () => listOwned(cluster, PODS, selection, { anchorUid, job, where, most });
  const left = await findStuckPods(dependencies, look, request);
  const isGone = left.length === 0 && !refusals?.size;
  if (givesQuota(request.gang) && isGone) await deleteGroups(dependencies, { ...request, last }, refusals);
  const products = allProducts(ofKept, gone);
  return { evidence, ...products, ...steps, ...stuckPodsResult(left), ...metadataRestored(unlabelled) };
}

/**
 * Keeps the pods of an ended job, but not those whose program has ended while other containers run: nothing else would
 * end these.
 */
async function removeOutlived(
  dependencies: Dependencies,
  request: ObjectsToRemove,
  refusals?: Refusals,
): Promise<EffectResult> {
  const { job, anchorUid, graceSeconds, again } = request;
  const listed = await listOwned(dependencies.cluster, PODS, selectJob(job), { anchorUid, job });
  // They hold their places for nothing, whatever else is kept.
  const unlabelled = await findUnlabelledSpares(dependencies, request, listed);
  await deleteEach(dependencies, PODS, [...listed.filter(isSpare), ...unlabelled], { refusals });
  const found = listed.filter(isReplica);
  const pods = found.filter(outlivesProgram);
  const kept = found.filter((pod) => !pods.includes(pod));
  const ofKept = again ? {} : await recordKept(dependencies, job, kept);
  const gone = await deletePods(dependencies, { job, pods, graceSeconds, again, refusals });
  const { evidence } = gone;
  const steps = withoutUndefined({ steps: gone.steps ?? ofKept.steps });
  const products = allProducts(ofKept, gone);
  const isQuotaFree = pods.length === 0 || !givesQuota(request.gang);
  if (isQuotaFree) await deleteGroups(dependencies, request, refusals);
  if (pods.length === 0) return { resourceVersion: 0, ...products, ...steps };
  await recordRemoval(dependencies, request);
  const services = await servicesToDelete(dependencies, request, kept);
  await deleteEach(dependencies, SERVICES, services, { refusals });
  const awaited = pods.filter(({ metadata }) => !refusals?.has(metadata.uid ?? ''));
  const stuckPods = await findStuckPods(dependencies, readPods(dependencies, awaited), request);
  if (!isQuotaFree && stuckPods.length === 0) await deleteGroups(dependencies, request, refusals);
  return { evidence, ...products, ...steps, ...stuckPodsResult(stuckPods) };
}

async function recordKept(
  dependencies: Dependencies,
  job: TrainingJob,
  pods: readonly Pod[],
): Promise<Pick<EffectResult, 'products' | 'steps'>> {
  const [products, steps] = await Promise.all([
    recordPods(dependencies, { job, pods, isDeletion: false }),
    attemptStepsOf(dependencies, { job, pods }),
  ]);
  return { ...products, ...steps };
}

/** A user who asks for their logs is told why they are gone. Clean-up does not depend on it. */
async function recordRemoval(
  { cluster }: Dependencies,
  { job: { namespace, name }, anchorUid: uid }: ObjectsToRemove,
): Promise<void> {
  const annotations = formatAnchorRecord({ removedOutlived: true });
  const anchor = { namespace, name: anchorNameOf(name) };
  await cluster.patch(CONFIG_MAPS, anchor, { metadata: { uid, annotations } }).catch(() => undefined);
}

/** Deletes Services with their pods; a Service whose pod is already gone must not remain. */
async function servicesToDelete(
  dependencies: Dependencies,
  { job, anchorUid, again }: ObjectsToRemove,
  pods: readonly Pod[],
): Promise<readonly KubeObject[]> {
  const all = selectJob(job);
  const ofPods = { ...all, labelSelector: `${all.labelSelector},!${LABELS.shared}` };
  const listed = await listOwned(dependencies.cluster, SERVICES, ofPods, { anchorUid, job });
  const unlabelled = again ? [] : await findUnlabelledServices(dependencies, { job, anchorUid }, listed);
  const services = [...listed, ...unlabelled];
  const kept = new Set(pods.filter(isStaying).map(({ metadata }) => metadata.name));
  return services.filter(({ metadata }) => !kept.has(metadata.name));
}

/** A pod that is being deleted may end before it is gone; it does not stay for that. */
const isStaying = ({ metadata }: Pod) => !metadata.deletionTimestamp;
