import { renderShared } from '../resources/shared.ts';
import { leaveLane } from './lane-places.ts';
import { createObjects } from './objects/create-objects.ts';
import { removeObjects } from './objects/remove-objects.ts';
import { deleteLists, toCreate } from './objects/shared-objects.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';

/**
 * Deletes all pods of a job with their Services, group and host lists. Returns the pods that still exist, so that the
 * workflow waits for them. Idempotent: it deletes what exists.
 */
export async function suspend(
  dependencies: Dependencies,
  request: EffectRequest<'suspend'>,
): Promise<EffectResult> {
  const { job, anchorUid } = request;
  const done = await removeObjects(dependencies, { ...request, scope: 'All' });
  await deleteLists(dependencies, job, anchorUid);
  const shared = job.plan.sharesWhileSuspended ? renderShared(job, anchorUid) : [];
  for (const object of shared) await createObjects(dependencies, [toCreate(object)]);
  if (job.lane !== undefined && !done.stuckPods?.length) await leaveLane(dependencies, request);
  return done;
}
