import { Context } from '@temporalio/activity';
import { PODS, type Pod } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import { groupNameOf, type PodMarks } from '../gang/gang.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { untilGone } from './await-gone.ts';
import { type AttemptRequest, createMissing, type Done, renderRequested } from './create-attempt.ts';
import { deletePods, tellLeft } from './delete-pods.ts';
import type { Dependencies } from './dependencies.ts';
import type { Patience } from './grace-period.ts';
import { inParallel } from './in-parallel.ts';
import { selectAttempt } from './select-attempt.ts';

export interface RestorePodsRequest extends AttemptRequest, Patience {
  readonly replace: readonly { readonly pod: string; readonly uid: string }[];
  /** Pods without a node are made again, so that they are not in the gang any more. */
  readonly leaveGang?: boolean;
  /** Roles, in lower case, of which every pod of an earlier life than `lives` says is made again. */
  readonly restartRoles?: readonly string[];
}

/**
 * Makes an attempt whole again: deletes the failed pods, and those of roles that start again, and creates whatever is
 * missing. Idempotent: deletions name the pod's uid, and what was made for a role's new life says so, so that a
 * replacement is never taken for the pod that failed.
 */
export async function restorePods(dependencies: Dependencies, request: RestorePodsRequest): Promise<Done> {
  const pods = await findUnwanted(dependencies, request);
  const gone = await deletePods(dependencies, { job: request.job, pods });
  const left = await untilGone(dependencies, pods, request);
  // Nothing is made beside a pod that is still there.
  if (left.length > 0) return { ...gone, ...tellLeft(left) };
  const objects = renderRequested(request);
  const made = await createMissing(dependencies, request, { objects, look: 'everything' });
  return { ...gone, revision: Math.max(gone.revision, made.revision) };
}

async function findUnwanted(dependencies: Dependencies, request: RestorePodsRequest): Promise<Pod[]> {
  const { leaveGang, restartRoles = [], replace } = request;
  if (!leaveGang && restartRoles.length === 0) return findEach(dependencies, request);
  const { items } = await dependencies.cluster.list(PODS, selectAttempt(request));
  const failed = new Set(replace.map(({ uid }) => uid));
  return items.filter(
    (pod) =>
      failed.has(pod.metadata.uid ?? '') ||
      (leaveGang && waitsInGang(pod, request)) ||
      isOfEarlierLife(pod, request),
  );
}

/** Without those that were replaced already, by a try before. */
async function findEach(
  { cluster, connections }: Dependencies,
  { job, replace }: RestorePodsRequest,
): Promise<Pod[]> {
  const found: Pod[] = [];
  const signal = Context.current().cancellationSignal;
  await inParallel(replace, { limit: connections, signal }, async ({ pod: name, uid }) => {
    const pod = await cluster.find(PODS, job.namespace, name);
    if (pod?.metadata.uid === uid) found.push(pod);
  });
  return found;
}

/** Of those that were made again already, by a try before, none may be deleted: they carry no mark of the gang. */
function waitsInGang(pod: Pod, { job, attempt, gang }: AttemptRequest): boolean {
  const { membership } = GANG_ADAPTERS[gang];
  return !pod.spec.nodeName && carries(pod, membership(job, groupNameOf(job.name, attempt), ''));
}

const carries = ({ metadata, spec }: Pod, marks: PodMarks) =>
  Object.entries(marks.labels ?? {}).every(([label, value]) => metadata.labels?.[label] === value) &&
  (marks.spec?.schedulingGroup === undefined || spec.schedulingGroup !== undefined);

function isOfEarlierLife({ metadata }: Pod, { restartRoles = [], lives = {} }: RestorePodsRequest): boolean {
  const role = metadata.labels?.[LABELS.role] ?? '';
  return restartRoles.includes(role) && Number(metadata.labels?.[LABELS.life] ?? 0) < (lives[role] ?? 0);
}
