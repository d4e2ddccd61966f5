import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { renderGroup } from '../resources/attempt.ts';
import type { Done } from './create-attempt.ts';
import { createObjects } from './create-objects.ts';
import type { Dependencies } from './dependencies.ts';

export interface CreateGroupRequest {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly attempt: number;
  readonly gang: GangProvider;
}

/** Creates the group of an attempt, for schedulers that want to see it before its pods. Idempotent by its name. */
export async function createGroup(
  dependencies: Dependencies,
  { job, anchorUid, attempt, gang }: CreateGroupRequest,
): Promise<Done> {
  const { resource } = GANG_ADAPTERS[gang];
  const object = renderGroup(job, { number: attempt, anchorUid }, gang);
  if (object && resource) await createObjects(dependencies, [{ resource, object }]);
  return { revision: 0 };
}
