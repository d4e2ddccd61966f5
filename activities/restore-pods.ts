import { Context } from '@temporalio/activity';
import { PODS, type Pod } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import { isOfAnchor, numberLabel } from '../contracts/objects.ts';
import { hasPodEnded, indexOf, isReplica, roleOf } from '../contracts/pod.ts';
import { outlivesProgram } from '../contracts/program.ts';
import { groupNameOf, type Membership } from '../gang/gang.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { ownValue, withoutUndefined } from '../language/fields.ts';
import { parseRanges } from '../language/index-ranges.ts';
import { type AttemptRequest, createMissing, renderRequested } from './create-attempt.ts';
import { deletePods, stuckPodsResult } from './deletion/delete-pods.ts';
import { releaseSpares } from './deletion/release-spares.ts';
import { findStuckPods, readPods } from './deletion/wait-for-deletion.ts';
import { admittedPlacementOf } from './objects/placement.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';
import { inParallel } from './support/in-parallel.ts';
import { listPodsOfAttempt } from './support/pods-of-attempt.ts';

/**
 * Completes an attempt: deletes failed pods and pods of restarted roles, and creates what is missing. Idempotent: it
 * deletes by uid, and new pods of a restarted role carry the incarnation, so that it never deletes a replacement.
 */
export async function restorePods(
  dependencies: Dependencies,
  request: EffectRequest<'scale'>,
): Promise<EffectResult> {
  const pods = await findUnwanted(dependencies, request);
  const { job, again, survivors } = request;
  const gone = await deletePods(dependencies, { job, pods, again, survivors });
  const stuckPods = await findStuckPods(dependencies, readPods(dependencies, pods), request);
  // Create nothing beside a pod that still exists.
  if (stuckPods.length > 0) return { ...gone, ...stuckPodsResult(stuckPods, gone.resourceVersion) };
  await releaseSpares(dependencies, request);
  const objects = renderRequested(request, { placement: await admittedPlacementOf(dependencies, request) });
  const made = await createMissing(dependencies, request, { objects, look: 'everything' });
  const resourceVersion = Math.max(gone.resourceVersion, made.resourceVersion);
  const { restored, warnings } = made;
  return { ...gone, ...withoutUndefined({ restored, warnings }), resourceVersion };
}

/** Returns the pods to delete, without those that an earlier try replaced. */
export async function findUnwanted(
  dependencies: Dependencies,
  request: EffectRequest<'scale'>,
): Promise<Pod[]> {
  const { leaveGang, restartRoles = [], replace = [], replaceAlso, partitions, avoidedUntil } = request;
  const isOfMore = leaveGang || restartRoles.length > 0 || replaceAlso || partitions;
  if (!isOfMore && avoidedUntil === undefined) return findEach(dependencies, request);
  const named = new Set(replace.map(({ uid }) => uid));
  const isNamedToo = namedByIndex(request, replaceAlso);
  const isInPartition = namedByIndex(request, partitions);
  const isUnwanted = (pod: Pod) =>
    named.has(pod.metadata.uid ?? '') ||
    (hasEnded(pod) && isNamedToo(pod)) ||
    isInPartition(pod) ||
    (leaveGang && waitsInGang(pod, request)) ||
    outlivesAvoidance(pod, request) ||
    (restartRoles.includes(roleOf(pod)) && isOfEarlierIncarnation(pod, request));
  const where = (pod: Pod) => isReplica(pod) && isUnwanted(pod) === true;
  return listPodsOfAttempt(dependencies.cluster, request, { where });
}

/** Excludes pods that an earlier try replaced. */
async function findEach(
  { cluster, connections }: Dependencies,
  { job, anchorUid, replace = [] }: EffectRequest<'scale'>,
): Promise<Pod[]> {
  const found: Pod[] = [];
  const signal = Context.current().cancellationSignal;
  await inParallel(replace, { limit: connections, signal }, async ({ pod: name, uid }) => {
    const pod = await cluster.find(PODS, job.namespace, name);
    if (pod?.metadata.uid === uid && isOfAnchor(pod, anchorUid)) found.push(pod);
  });
  return found;
}

/** Pods that an earlier try recreated carry no mark of the gang, so that they are not deleted again. */
function waitsInGang(pod: Pod, { job, attempt, gang }: AttemptRequest): boolean {
  const { membership } = GANG_ADAPTERS[gang];
  return !pod.spec.nodeName && hasMembership(pod, membership(job, groupNameOf(job.name, attempt, gang), ''));
}

/** Pods that an earlier try recreated avoid nodes for longer, or none. */
const outlivesAvoidance = ({ metadata, spec }: Pod, { avoidedUntil = 0 }: EffectRequest<'scale'>) =>
  !spec.nodeName && Number(metadata.labels?.[LABELS.avoidsUntil] ?? Number.POSITIVE_INFINITY) <= avoidedUntil;

const hasMembership = ({ metadata, spec }: Pod, marks: Membership) =>
  Object.entries(marks.labels ?? {}).every(([label, value]) => metadata.labels?.[label] === value) &&
  (marks.spec?.schedulingGroup === undefined || spec.schedulingGroup !== undefined);

/** Excludes pods that failed after the decision, and pods that an earlier try recreated. */
function namedByIndex(
  request: EffectRequest<'scale'>,
  indices: Readonly<Record<string, string>> = {},
): (pod: Pod) => boolean {
  const named = new Map(
    Object.entries(indices).map(([role, ranges]) => [role, new Set(parseRanges(ranges))]),
  );
  return (pod) => named.get(roleOf(pod))?.has(indexOf(pod)) === true && isOfEarlierIncarnation(pod, request);
}

const hasEnded = (pod: Pod) => hasPodEnded(pod) || outlivesProgram(pod);

const isOfEarlierIncarnation = (pod: Pod, { incarnations = {} }: EffectRequest<'scale'>) =>
  numberLabel(pod, LABELS.incarnation) < (ownValue(incarnations, roleOf(pod)) ?? 0);
