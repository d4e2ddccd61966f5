import { Context } from '@temporalio/activity';
import type { Pod } from '../contracts/kubernetes.ts';
import { indexOf, isReplica, roleOf } from '../contracts/pod.ts';
import { findRole } from '../contracts/roles.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { frameworkOf } from '../frameworks/kinds/registry.ts';
import { createMissing, renderRequested } from './create-attempt.ts';
import { deletePods, stuckPodsResult } from './deletion/delete-pods.ts';
import { releaseSpares } from './deletion/release-spares.ts';
import { findStuckPods, readPods } from './deletion/wait-for-deletion.ts';
import { publishSize } from './objects/elastic-size.ts';
import { resizeGroup } from './objects/groups.ts';
import { admittedPlacementOf } from './objects/placement.ts';
import { publishHostList } from './publish-host-list.ts';
import { findUnwanted } from './restore-pods.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';
import { listPodsOfAttempt } from './support/pods-of-attempt.ts';

/**
 * Scales an attempt to its job's present size: deletes excess pods, the highest index first, and pods to replace;
 * then their Services; updates group and host list; creates what is missing. Idempotent: it compares with what exists.
 */
export async function scale(
  dependencies: Dependencies,
  request: EffectRequest<'scale'>,
): Promise<EffectResult> {
  const { job, again } = request;
  const pods = await listPodsOfAttempt(dependencies.cluster, request, { where: isReplica });
  const excess = pods.filter((pod) => isExcess(job, pod)).toSorted((a, b) => indexOf(b) - indexOf(a));
  const uids = new Set(excess.map(({ metadata }) => metadata.uid));
  const replaced = await findUnwanted(dependencies, request);
  const unwanted = [...excess, ...replaced.filter(({ metadata }) => !uids.has(metadata.uid))];
  const gone = await deletePods(dependencies, { job, pods: unwanted, again });
  const stuckPods = await findStuckPods(dependencies, readPods(dependencies, unwanted), request);
  if (stuckPods.length > 0) return { ...gone, ...stuckPodsResult(stuckPods, gone.resourceVersion) };
  await releaseSpares(dependencies, request);
  await resizeGroup(dependencies, request);
  await publishHostList(dependencies, request);
  const size = frameworkOf(job).sizeInEtcd?.(job, request.attempt);
  if (size) await publishSize(size, Context.current().cancellationSignal);
  const placement = await admittedPlacementOf(dependencies, request);
  const objects = { ...renderRequested(request, { placement }), group: undefined };
  const made = await createMissing(dependencies, request, { objects, look: 'everything' });
  const resourceVersion = Math.max(gone.resourceVersion, made.resourceVersion);
  return { ...gone, ...(made.warnings ? { warnings: made.warnings } : {}), resourceVersion };
}

/** Includes all pods of a role that the job no longer has. */
function isExcess({ roles }: TrainingJob, pod: Pod): boolean {
  const ofPod = findRole(roles, roleOf(pod));
  return indexOf(pod) >= (ofPod?.replicas ?? 0);
}
