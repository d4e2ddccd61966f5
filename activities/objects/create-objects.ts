import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { ApiError, isAlreadyExists, isTransient, unlessGoneOrReplaced } from '../../cluster/errors.ts';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { anchorUidOf, attemptOf, controllerOf } from '../../contracts/objects.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { NameInUseError, StillLeavingError } from '../support/failures.ts';
import { inParallel } from '../support/in-parallel.ts';
import { hasLostAnchor } from '../support/owned.ts';
import { hasLostLabels, restoreLabels } from './lost-labels.ts';

export interface ObjectToCreate {
  readonly resource: Resource;
  readonly object: KubeObject;
}

/** Tries of a request before the whole activity restarts from what exists. */
const TRIES = 3;
const PAUSE_MS = 200;

/**
 * Creates the objects of a job with bounded parallelism, and returns them as the API server has them. An existing
 * object with the same owner counts as created, and a ServiceAccount with any owner. A pod that has lost its labels gets
 * them back, a Service is made again; both are added to `relabelled`. What an earlier anchor of the job has left is made anew.
 */
export async function createObjects(
  { cluster, connections, bulk }: Dependencies,
  objects: readonly ObjectToCreate[],
  relabelled: KubeObject[] = [],
): Promise<KubeObject[]> {
  const { cancellationSignal: signal } = Context.current();
  const created: KubeObject[] = [];
  await inParallel(objects, { limit: connections, signal }, async ({ resource, object }) => {
    const made = await bulk.run(() =>
      withRetries(signal, () => createOrVerify(cluster, { resource, object }, relabelled)),
    );
    created.push(made);
  });
  return created;
}

async function createOrVerify(
  cluster: Dependencies['cluster'],
  wanted: ObjectToCreate,
  relabelled: KubeObject[],
): Promise<KubeObject> {
  const { resource, object } = wanted;
  try {
    return await cluster.create(resource, object);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const existing = await cluster.find(resource, object.metadata.namespace, object.metadata.name);
    // Undefined if the object was deleted in between.
    if (!existing) return createOrVerify(cluster, wanted, relabelled);
    if (!isOursToKeep(existing, object)) return existing;
    const makeAnew = async () => {
      const { namespace, name, uid } = existing.metadata;
      await cluster.delete(resource, namespace, name, { uid }).catch(unlessGoneOrReplaced);
      return createOrVerify(cluster, wanted, relabelled);
    };
    if (!isOfSameAnchor(existing, object)) return makeAnew();
    if (!isFoundByLabels(object) || !hasLostLabels(existing, object)) return verifyAttempt(existing, object);
    relabelled.push(object);
    if (object.kind !== 'Pod') return makeAnew();
    return verifyAttempt(await restoreLabels(cluster, { resource, existing, wanted: object }), object);
  }
}

/** Others are found by their names. */
const isFoundByLabels = ({ kind }: KubeObject) => kind === 'Pod' || kind === 'Service';

/** Throws unless the object belongs to the job. Returns false for one that the job only refers to. */
function isOursToKeep(existing: KubeObject, wanted: KubeObject): boolean {
  const { kind } = wanted;
  const { name, namespace } = wanted.metadata;
  const owner = existing.metadata.ownerReferences?.[0];
  // Pods only refer to it: it may be the user's own, or several jobs may share it.
  if (kind === 'ServiceAccount' && !existing.metadata.deletionTimestamp) return false;
  if (!isOfSameAnchor(existing, wanted) && !isOfEarlierAnchor(existing, wanted)) {
    const whose = owner ? `belongs to ${owner.kind} ${owner.name}` : 'has no owner';
    throw new NameInUseError(`${kind} ${namespace}/${name} already exists and ${whose}`);
  }
  if (existing.metadata.deletionTimestamp) {
    throw new StillLeavingError(`${kind} ${namespace}/${name} of this job is still being deleted`);
  }
  return true;
}

const isOfSameAnchor = (existing: KubeObject, wanted: KubeObject) =>
  anchorUidOf(existing) === anchorUidOf(wanted);

/** Whether an earlier anchor of the job owned it. The label tells it from what another operator has made for the same resource. */
const isOfEarlierAnchor = (existing: KubeObject, wanted: KubeObject) =>
  existing.metadata.labels?.[LABELS.job] === wanted.metadata.labels?.[LABELS.job] &&
  hasLostAnchor(existing, controllerOf(wanted)?.uid);

function verifyAttempt(existing: KubeObject, wanted: KubeObject): KubeObject {
  const { kind } = wanted;
  const { name, namespace } = wanted.metadata;
  // A retry finds the pod and deletes it.
  if (kind === 'Pod' && attemptOf(existing) !== attemptOf(wanted)) {
    throw new StillLeavingError(
      `${kind} ${namespace}/${name} of attempt ${attemptOf(existing)} still exists`,
    );
  }
  return existing;
}

/** Retries after throttling or a lost connection without restarting the activity. */
async function withRetries<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    signal.throwIfAborted();
    try {
      return await request();
    } catch (error) {
      if (tried === TRIES || !isTransient(error)) throw error;
      const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
      await delay(asked ?? PAUSE_MS * 2 ** tried, undefined, { signal });
    }
  }
}
