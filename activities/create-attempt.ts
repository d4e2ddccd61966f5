import { Context } from '@temporalio/activity';
import { ApiError } from '../cluster/errors.ts';
import type { AdmittedPlacement } from '../contracts/admitted-placement.ts';
import { stillAvoided } from '../contracts/avoided-nodes.ts';
import { type KubeObject, PODS, SERVICES } from '../contracts/kubernetes.ts';
import { givesQuota } from '../contracts/training-job.ts';
import { refusedForGood } from '../explain/rules/quota-refusals.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { type AttemptObjects, type AttemptOptions, renderAttempt } from '../resources/attempt.ts';
import { deleteEach, deletePods } from './deletion/delete-pods.ts';
import { takePlace } from './lane-places.ts';
import { createObjects, type ObjectToCreate } from './objects/create-objects.ts';
import { type ExistingQuery, findExisting, keyOfObject } from './objects/find-existing.ts';
import { hasLostMetadata, metadataRestored, ofInstallation } from './objects/lost-metadata.ts';
import { admittedPlacementOf, NotAdmittedError } from './objects/placement.ts';
import { ServerWarnings } from './objects/server-warnings.ts';
import { createShared } from './objects/shared-objects.ts';
import { publishHostList } from './publish-host-list.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';
import { NeverFitsError } from './support/failures.ts';

/** Which pods an attempt is to have, whichever activity makes them. */
export type AttemptRequest = EffectRequest<'scale'> & Pick<EffectRequest<'createAttempt'>, 'queuedSince'>;

interface Slice {
  /** Replicas in the order of roles and indices, without `to`. */
  readonly from: number;
  readonly to: number;
}

type CreateAttemptRequest = AttemptRequest & Slice & Pick<EffectRequest<'createAttempt'>, 'grantedUntil'>;

/** Creates a slice of an attempt. Idempotent by name: the job's existing objects stay as they are. */
export async function createAttempt(
  dependencies: Dependencies,
  request: CreateAttemptRequest,
): Promise<EffectResult> {
  const { from, to, attempt, grantedUntil: until } = request;
  const placement = await admittedPlacementOf(dependencies, request).catch(asUnadmitted);
  if (placement === 'unadmitted') return { resourceVersion: 0, isUnadmitted: true };
  if (until !== undefined && !(await takePlace(dependencies, { ...request, until })))
    return { resourceVersion: 0, isTurnOver: true };
  // The job may have another size than in the previous attempt.
  if (attempt > 1 && from === 0) await publishHostList(dependencies, request);
  const objects = renderRequested(request, { placement, slice: { from, to } });
  // On a retry most objects exist: one list is cheaper than many refused creates.
  const isRetry = request.again || Context.current().info.attempt > 1;
  const look = isRetry ? 'everything' : attempt > 1 ? 'services' : 'nothing';
  return createMissing(dependencies, request, { objects, look });
}

function asUnadmitted(error: unknown): 'unadmitted' {
  if (error instanceof NotAdmittedError) return 'unadmitted';
  throw error;
}

interface Rendering {
  readonly placement: AdmittedPlacement['roles'] | undefined;
  readonly slice?: AttemptOptions['slice'];
}

export function renderRequested(
  { job, anchorUid, attempt, avoid, ...rest }: AttemptRequest,
  { placement, slice }: Rendering,
): AttemptObjects {
  const { gang, succeededIndices, asGang, isLifted, roles, incarnations, queuedSince, meeting, taken } = rest;
  const options = {
    ...{
      gang,
      succeededIndices,
      asGang,
      isLifted,
      roles,
      incarnations,
      queuedSince,
      meeting,
      placement,
      slice,
    },
    avoid: stillAvoided(avoid, Date.now()),
    ...(taken ? { prefer: new Map(taken.map(({ pod, node }) => [pod, node])) } : {}),
  };
  return renderAttempt(job, { number: attempt, anchorUid }, options);
}

interface Missing {
  readonly objects: AttemptObjects;
  /** What to look up before anything is created. */
  readonly look: ExistingQuery;
}

/** Creates missing objects, and deletes Services and pods that the job or the attempt no longer has. */
export async function createMissing(
  dependencies: Dependencies,
  request: AttemptRequest,
  { objects, look }: Missing,
): Promise<EffectResult> {
  const { shared, group, services, pods } = objects;
  const members: ObjectToCreate[] = [
    ...services.map((object) => ({ resource: SERVICES, object: ofInstallation(object, dependencies) })),
    ...pods.map((object) => ({ resource: PODS, object: ofInstallation(object, dependencies) })),
  ];
  const resource = GANG_ADAPTERS[request.gang].resource;
  const relabelled: KubeObject[] = [];
  const notes = { relabelled, warnings: new ServerWarnings(request.job) };
  await createShared(dependencies, request, shared);
  const existing = await findExisting(dependencies.cluster, request, look);
  // A group of an earlier anchor goes after its pods.
  const { evidence } = await deletePods(dependencies, { job: request.job, pods: existing.strayPods });
  await deleteEach(dependencies, SERVICES, existing.surplusServices);
  // Nothing but the gate of the job asks for quota.
  if (group && resource && !givesQuota(request.gang))
    await createObjects(dependencies, [{ resource, object: group }], notes);
  const missing = members.filter(({ object }) => {
    const there = existing.byKey.get(keyOfObject(object));
    return !there || hasLostMetadata(there, object);
  });
  const made = await createObjects(dependencies, missing, notes).catch(forWholeAttempt(request));
  const resourceVersion = podsResourceVersion([...existing.pods, ...made]);
  return { resourceVersion, evidence, ...metadataRestored(relabelled), ...notes.warnings.result() };
}

/** A quota refuses one pod; it may be one that never holds them all. */
const forWholeAttempt =
  ({ job, attempt: number, anchorUid, ...options }: AttemptRequest) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError)) throw error;
    const { pods } = renderAttempt(job, { number, anchorUid }, { ...options, roles: undefined, avoid: [] });
    const never = refusedForGood(error.detail, pods);
    throw never ? new NeverFitsError(error, never.sentence) : error;
  };

/** Counts only pods: the watcher's pod stream may take long to reach the resource version of a Service. */
const podsResourceVersion = (objects: readonly KubeObject[]) =>
  objects
    .filter(({ kind }) => kind === 'Pod')
    .reduce((highest, { metadata }) => Math.max(highest, Number(metadata.resourceVersion)), 0);
