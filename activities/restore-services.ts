import { log } from '@temporalio/activity';
import { ApiError, unlessGoneOrReplaced } from '../cluster/errors.ts';
import { type KubeObject, PODS, SERVICES } from '../contracts/kubernetes.ts';
import { isOfAnchor } from '../contracts/objects.ts';
import { frameworkOf } from '../frameworks/kinds/registry.ts';
import { jobMetadata } from '../resources/metadata.ts';
import { renderService } from '../resources/service.ts';
import { createObjects } from './objects/create-objects.ts';
import { hasLostMetadata, metadataRestored, restoreMetadata } from './objects/lost-metadata.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';
import { NameInUseError, StillLeavingError } from './support/failures.ts';

/**
 * Creates deleted Services of pods again, and gives pods of these names the owner back that they have lost. Idempotent by
 * name. A refusal is no failure of the job, whose pods
 * run: the watcher reports again what is missing.
 */
export async function restoreServices(
  dependencies: Dependencies,
  request: EffectRequest<'restoreServices'>,
): Promise<EffectResult> {
  const { job, anchorUid, names } = request;
  const of = { job, framework: frameworkOf(job) };
  const services = job.roles.flatMap((role) =>
    Array.from(
      { length: role.replicas },
      (_, index) => renderService(of, { role, index }, anchorUid) ?? [],
    ).flat(),
  );
  const relabelled: KubeObject[] = [];
  try {
    relabelled.push(...(await restoreOwners(dependencies, request)));
    await createObjects(
      dependencies,
      services
        .filter(({ metadata }) => names.includes(metadata.name))
        .map((object) => ({ resource: SERVICES, object })),
      { relabelled },
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.warn(`a Service could not be created again: ${error.message}`);
    return { resourceVersion: 0 };
  }
  if (relabelled.length > 0) return { resourceVersion: 0, ...metadataRestored(relabelled) };
  const made = names.filter((name) => services.some(({ metadata }) => metadata.name === name));
  const restored = `Services of the job were deleted and are created again: ${made.join(', ')}`;
  return { resourceVersion: 0, ...(made.length > 0 ? { restored } : {}) };
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof ApiError || error instanceof NameInUseError || error instanceof StillLeavingError;

/** Returns the pods that had lost their owner. */
async function restoreOwners(
  dependencies: Dependencies,
  { job, anchorUid, names }: EffectRequest<'restoreServices'>,
): Promise<readonly KubeObject[]> {
  const { cluster } = dependencies;
  const { ownerReferences } = jobMetadata(job, anchorUid);
  const restored: KubeObject[] = [];
  for (const name of names) {
    const existing = await cluster.find(PODS, job.namespace, name);
    if (!existing || existing.metadata.deletionTimestamp || !isOfAnchor(existing, anchorUid)) continue;
    const wanted = { ...existing, metadata: { ...existing.metadata, ownerReferences } };
    if (!hasLostMetadata(existing, wanted)) continue;
    await restoreMetadata(cluster, { resource: PODS, existing, wanted }).catch(unlessGoneOrReplaced);
    restored.push({ ...wanted, kind: PODS.kind });
  }
  return restored;
}
