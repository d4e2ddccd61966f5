import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { ApiError, isAlreadyExists, isTransient, unlessGoneOrReplaced } from '../../cluster/errors.ts';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { anchorUidOf, attemptOf, controllerOf } from '../../contracts/objects.ts';
import { doubledPause } from '../../language/back-off.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { NameInUseError, StillLeavingError } from '../support/failures.ts';
import { inParallel } from '../support/in-parallel.ts';
import { hasLostAnchor } from '../support/owned.ts';
import { hasLostMetadata, ofInstallation, restoreMetadata } from './lost-metadata.ts';
import type { ServerWarnings } from './server-warnings.ts';

export interface ObjectToCreate {
  readonly resource: Resource;
  readonly object: KubeObject;
}

/** What is to be told of the objects besides. */
interface CreationNotes {
  /** Those that get back what they had lost are added. */
  readonly relabelled?: KubeObject[];
  readonly warnings?: ServerWarnings;
}

/** Tries of a request before the whole activity restarts from what exists. */
const TRIES = 3;
const PAUSE = { firstMs: 400, mostMs: 800 };

/**
 * Creates the objects of a job with bounded parallelism, and returns them as the API server has them. An existing
 * object of the same job counts as created, and a ServiceAccount with any owner. One that has lost its labels or owners gets
 * them back, a Service is made again. What an earlier anchor of the job has left is made anew.
 */
export async function createObjects(
  { cluster, connections, bulk, installation }: Dependencies,
  objects: readonly ObjectToCreate[],
  notes: CreationNotes = {},
): Promise<KubeObject[]> {
  const { cancellationSignal: signal } = Context.current();
  const created: KubeObject[] = [];
  await inParallel(objects, { limit: connections, signal }, async ({ resource, object: rendered }) => {
    const object = ofInstallation(rendered, { installation });
    const made = await bulk.run(() =>
      withRetries(signal, () => createOrVerify(cluster, { resource, object }, notes)),
    );
    created.push(made);
  });
  return created;
}

async function createOrVerify(
  cluster: Dependencies['cluster'],
  wanted: ObjectToCreate,
  notes: CreationNotes,
): Promise<KubeObject> {
  const { resource, object } = wanted;
  try {
    const warned = (texts: readonly string[]) => notes.warnings?.add(object, texts);
    return await cluster.create(resource, object, { warned });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const existing = await cluster.find(resource, object.metadata.namespace, object.metadata.name);
    // Undefined if the object was deleted in between.
    if (!existing) return createOrVerify(cluster, wanted, notes);
    if (!isOursToKeep(existing, object)) return existing;
    const makeAnew = async () => {
      const { namespace, name, uid } = existing.metadata;
      await cluster.delete(resource, namespace, name, { uid }).catch(unlessGoneOrReplaced);
      return createOrVerify(cluster, wanted, notes);
    };
    if (!isOfSameAnchor(existing, object)) return makeAnew();
    if (!hasLostMetadata(existing, object)) return verifyAttempt(existing, object);
    if (object.kind === 'Service') {
      notes.relabelled?.push(object);
      return makeAnew();
    }
    // The others are found by their names.
    if (!RESTORED.has(object.kind ?? '')) return existing;
    notes.relabelled?.push(object);
    return verifyAttempt(await restoreMetadata(cluster, { resource, existing, wanted: object }), object);
  }
}

/** Kinds that the worker may patch. */
const RESTORED: ReadonlySet<string> = new Set(['Pod', 'PodGroup', 'ConfigMap']);

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
  (hasLostAnchor(existing, controllerOf(wanted)?.uid) || isLeftOver(existing, wanted));

/** Nobody owns it any more, and only one job at a time has the name by which this installation made it. */
const isLeftOver = (existing: KubeObject, wanted: KubeObject) =>
  !existing.metadata.ownerReferences?.length &&
  anchorUidOf(existing) !== undefined &&
  existing.metadata.labels?.[LABELS.installation] === wanted.metadata.labels?.[LABELS.installation];

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
      await delay(asked ?? doubledPause(PAUSE, tried), undefined, { signal });
    }
  }
}
