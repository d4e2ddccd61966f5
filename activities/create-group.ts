import { givesQuota } from '../contracts/training-job.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { renderGroup } from '../resources/attempt.ts';
import { createObjects } from './objects/create-objects.ts';
import { resizeGroup } from './objects/groups.ts';
import { ServerWarnings } from './objects/server-warnings.ts';
import { askForQuota } from './objects/workloads.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';

/**
 * Creates the group of an attempt, for schedulers that must see it before its pods. Resizes an existing group to the
 * job's present size; one that gives quota is asked for anew if need be. Idempotent by name.
 */
export async function createGroup(
  dependencies: Dependencies,
  request: EffectRequest<'createGroup'>,
): Promise<EffectResult> {
  const { job, anchorUid, attempt, gang } = request;
  const { resource } = GANG_ADAPTERS[gang];
  const warnings = new ServerWarnings(job);
  const object = renderGroup(job, { number: attempt, anchorUid }, gang);
  if (object && givesQuota(gang)) await askForQuota(dependencies, { job, anchorUid, wanted: object });
  else if (object && resource) await createObjects(dependencies, [{ resource, object }], { warnings });
  await resizeGroup(dependencies, request);
  return { resourceVersion: 0, ...warnings.result() };
}
