import { log } from '@temporalio/activity';
import { ApiError } from '../cluster/errors.ts';
import { type KubeObject, SERVICES } from '../contracts/kubernetes.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { frameworkOf } from '../frameworks/kinds/registry.ts';
import { renderService } from '../resources/service.ts';
import { createObjects } from './objects/create-objects.ts';
import { labelsRestored } from './objects/lost-labels.ts';
import type { Dependencies } from './support/dependencies.ts';
import { NameInUseError, StillLeavingError } from './support/failures.ts';
import type { EffectResult } from './support/result.ts';

export interface RestoreServicesRequest {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  /** Names of Services that the watcher does not find. */
  readonly names: readonly string[];
}

/**
 * Creates deleted Services of pods again. Idempotent by name. A refusal is no failure of the job, whose pods
 * run: the watcher reports again what is missing.
 */
export async function restoreServices(
  dependencies: Dependencies,
  { job, anchorUid, names }: RestoreServicesRequest,
): Promise<EffectResult> {
  const of = { job, framework: frameworkOf(job) };
  const services = job.roles.flatMap((role) =>
    Array.from(
      { length: role.replicas },
      (_, index) => renderService(of, { role, index }, anchorUid) ?? [],
    ).flat(),
  );
  const missing = services.filter(({ metadata }) => names.includes(metadata.name));
  const relabelled: KubeObject[] = [];
  try {
    await createObjects(
      dependencies,
      missing.map((object) => ({ resource: SERVICES, object })),
      relabelled,
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.warn(`a Service could not be created again: ${error.message}`);
    return { resourceVersion: 0 };
  }
  if (relabelled.length > 0) return { resourceVersion: 0, ...labelsRestored(relabelled) };
  const restored = `Services of the job were deleted and are created again: ${names.join(', ')}`;
  return { resourceVersion: 0, ...(missing.length > 0 ? { restored } : {}) };
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof ApiError || error instanceof NameInUseError || error instanceof StillLeavingError;
