import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { renderShared } from '../resources/shared.ts';
import type { Removal } from './await-gone.ts';
import { removeObjects } from './clean-up.ts';
import type { Done } from './create-attempt.ts';
import { createObjects } from './create-objects.ts';
import type { Dependencies } from './dependencies.ts';
import { deleteLists, toCreate } from './shared-objects.ts';

export interface SuspendRequest extends Removal {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly gang: GangProvider;
}

/**
 * Removes all pods of a job, and what goes with them: Services, group, and lists of addresses that no pod will have
 * again. Tells which do not go, so that they are waited for. Idempotent: it deletes what is there.
 */
export async function suspend(dependencies: Dependencies, request: SuspendRequest): Promise<Done> {
  const { job, anchorUid } = request;
  const done = await removeObjects(dependencies, { ...request, scope: 'All' });
  await deleteLists(dependencies, job, anchorUid);
  const shared = job.plan.sharesWhileSuspended ? renderShared(job, anchorUid) : [];
  for (const object of shared) await createObjects(dependencies, [toCreate(object)]);
  return done;
}
