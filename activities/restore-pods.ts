import { Context } from '@temporalio/activity';
import { parseRanges } from '../contracts/index-ranges.ts';
import { PODS, type Pod } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import { groupNameOf, type PodMarks } from '../gang/gang.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { type AttemptRequest, createMissing, renderRequested } from './create-attempt.ts';
import { deletePods, stuckPodsResult } from './deletion/delete-pods.ts';
import { findStuckPods, lookAt, type Removal } from './deletion/wait-for-deletion.ts';
import type { Dependencies } from './support/dependencies.ts';
import { inParallel } from './support/in-parallel.ts';
import { isOwnedBy, listOwned } from './support/owned.ts';
import { replicasOnly } from './support/replicas.ts';
import type { EffectResult } from './support/result.ts';
import { selectAttempt } from './support/select-attempt.ts';

export interface RestorePodsRequest extends AttemptRequest, Removal {
  readonly replace: readonly { readonly pod: string; readonly uid: string }[];
  /**
   * Pods beside these, if they have ended, and are of an earlier incarnation than `incarnations` says: indices as ranges, by role in
   * lower case.
   */
  readonly replaceAlso?: Readonly<Record<string, string>>;
  /** Pods without a node are made again, so that they are not in the gang any more. */
  readonly leaveGang?: boolean;
  /** Pods without a node that keep away from one until then at most are made again; epoch milliseconds. */
  readonly avoidedUntil?: number;
  /** Roles, in lower case, of which every pod of an earlier incarnation than `incarnations` says is made again. */
  readonly restartRoles?: readonly string[];
}

/**
 * Makes an attempt whole again: deletes the failed pods, and those of roles that start again, and creates whatever is
 * missing. Idempotent: deletions name the pod's uid, and what was made for a role's new life says so, so that a
 * replacement is never taken for the pod that failed.
 */
export async function restorePods(
  dependencies: Dependencies,
  request: RestorePodsRequest,
): Promise<EffectResult> {
  const pods = await findUnwanted(dependencies, request);
  const { job, again } = request;
  const gone = await deletePods(dependencies, { job, pods, again });
  const left = await findStuckPods(dependencies, lookAt(dependencies, pods), request);
  // Nothing is made beside a pod that is still there.
  if (left.length > 0) return { ...gone, ...stuckPodsResult(left, gone.revision) };
  const objects = renderRequested(request);
  const made = await createMissing(dependencies, request, { objects, look: 'everything' });
  return { ...gone, revision: Math.max(gone.revision, made.revision) };
}

async function findUnwanted(dependencies: Dependencies, request: RestorePodsRequest): Promise<Pod[]> {
  const { leaveGang, restartRoles = [], replace, replaceAlso, avoidedUntil, anchorUid } = request;
  const isOfNamed = !leaveGang && restartRoles.length === 0 && !replaceAlso && avoidedUntil === undefined;
  if (isOfNamed) return findEach(dependencies, request);
  const named = new Set(replace.map(({ uid }) => uid));
  const isNamedToo = namedByIndex(request);
  const isUnwanted = (pod: Pod) =>
    named.has(pod.metadata.uid ?? '') ||
    isNamedToo(pod) ||
    (leaveGang && waitsInGang(pod, request)) ||
    outlivesAvoidance(pod, request) ||
    (restartRoles.includes(roleOf(pod)) && isOfEarlierIncarnation(pod, request));
  const isMember = replicasOnly(request.job);
  const where = (pod: Pod) => isMember(pod) && isUnwanted(pod) === true;
  return listOwned(dependencies.cluster, PODS, selectAttempt(request), { anchorUid, where });
}

/** Without those that were replaced already, by a try before. */
async function findEach(
  { cluster, connections }: Dependencies,
  { job, anchorUid, replace }: RestorePodsRequest,
): Promise<Pod[]> {
  const found: Pod[] = [];
  const signal = Context.current().cancellationSignal;
  await inParallel(replace, { limit: connections, signal }, async ({ pod: name, uid }) => {
    const pod = await cluster.find(PODS, job.namespace, name);
    if (pod?.metadata.uid === uid && isOwnedBy(pod, anchorUid)) found.push(pod);
  });
  return found;
}

/** Of those that were made again already, by a try before, none may be deleted: they carry no mark of the gang. */
function waitsInGang(pod: Pod, { job, attempt, gang }: AttemptRequest): boolean {
  const { membership } = GANG_ADAPTERS[gang];
  return !pod.spec.nodeName && carries(pod, membership(job, groupNameOf(job.name, attempt), ''));
}

/** Those that a try before made again keep away for longer, or from no node. */
const outlivesAvoidance = ({ metadata, spec }: Pod, { avoidedUntil = 0 }: RestorePodsRequest) =>
  !spec.nodeName && Number(metadata.labels?.[LABELS.avoidsUntil] ?? Number.POSITIVE_INFINITY) <= avoidedUntil;

const carries = ({ metadata, spec }: Pod, marks: PodMarks) =>
  Object.entries(marks.labels ?? {}).every(([label, value]) => metadata.labels?.[label] === value) &&
  (marks.spec?.schedulingGroup === undefined || spec.schedulingGroup !== undefined);

/** What has failed since this was decided is not among them, nor what was made again by a try before. */
function namedByIndex(request: RestorePodsRequest): (pod: Pod) => boolean {
  const named = new Map(
    Object.entries(request.replaceAlso ?? {}).map(([role, ranges]) => [role, new Set(parseRanges(ranges))]),
  );
  return (pod) =>
    hasEnded(pod) &&
    named.get(roleOf(pod))?.has(Number(pod.metadata.labels?.[LABELS.index])) === true &&
    isOfEarlierIncarnation(pod, request);
}

const isOfEarlierIncarnation = (pod: Pod, { incarnations = {} }: RestorePodsRequest) =>
  Number(pod.metadata.labels?.[LABELS.incarnation] ?? 0) < (incarnations[roleOf(pod)] ?? 0);

const hasEnded = ({ status }: Pod) => status?.phase === 'Failed' || status?.phase === 'Succeeded';

const roleOf = ({ metadata }: Pod) => metadata.labels?.[LABELS.role] ?? '';
