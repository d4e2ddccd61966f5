import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { renderShared } from '../resources/shared.ts';
import { cleanUp } from './clean-up.ts';
import type { Done } from './create-attempt.ts';
import { createObjects } from './create-objects.ts';
import type { Dependencies } from './dependencies.ts';
import { deleteLists, toCreate } from './shared-objects.ts';

export interface SuspendRequest {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly gang: GangProvider;
  /** What is left after its grace period is removed from the API server without its node's word. */
  readonly force?: boolean;
}

/**
 * Removes all pods of a job, and what goes with them: Services, group, and lists of addresses that no pod will have
 * again. Tells which do not go, so that they are waited for. Idempotent: it deletes what is there.
 */
export async function suspend(dependencies: Dependencies, request: SuspendRequest): Promise<Done> {
  const { job, anchorUid } = request;
  const { evidence, left } = await cleanUp(dependencies, { ...request, scope: 'All' });
  await deleteLists(dependencies, job, anchorUid);
  const shared = job.plan.sharesWhileSuspended ? renderShared(job, anchorUid) : [];
  for (const object of shared) await createObjects(dependencies, [toCreate(object)]);
  return { revision: 0, evidence, left };
}
