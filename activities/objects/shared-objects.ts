import { isDeepStrictEqual } from 'node:util';
import { isGoneOrReplaced, unlessGoneOrReplaced } from '../../cluster/errors.ts';
import { type KubeObject, sharedResourceOf } from '../../contracts/kubernetes.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { renderHostList, renderShared } from '../../resources/shared.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { isOwnedBy } from '../support/owned.ts';
import { createObjects, type ObjectToCreate } from './create-objects.ts';
import { newSshKey } from './ssh-key.ts';

/** What belongs to the whole job, ready to be created. Keys are made here, so that no history ever holds one. */
export function toCreate(object: KubeObject): ObjectToCreate {
  return { resource: sharedResourceOf(object), object: object.type === SSH_AUTH ? withKey(object) : object };
}

const SSH_AUTH = 'kubernetes.io/ssh-auth';

function withKey(secret: KubeObject): KubeObject {
  const { privateKey, publicKey } = newSshKey();
  return { ...secret, stringData: { 'ssh-privatekey': privateKey, 'ssh-publickey': publicKey } };
}

/**
 * Makes what a job shares among its pods, or brings it up to date: a job that was scaled has other hosts. What lists
 * pods is only made: who is on the list is told elsewhere.
 */
export async function createShared(
  dependencies: Dependencies,
  { job, anchorUid }: { readonly job: TrainingJob; readonly anchorUid: string },
  shared: readonly KubeObject[],
): Promise<void> {
  const lists = new Set(renderHostList(job, anchorUid, []).map(({ metadata }) => metadata.name));
  // In their order: who may not do everything can bind only a role that is there.
  for (const object of shared) {
    if (lists.has(object.metadata.name)) await createObjects(dependencies, [toCreate(object)]);
    else await writeShared(dependencies, object);
  }
}

/** Creates an object, or patches the one that is there to the same content. Idempotent: it goes by what is there. */
export async function writeShared(dependencies: Dependencies, object: KubeObject): Promise<void> {
  const resource = sharedResourceOf(object);
  const [existing] = await createObjects(dependencies, [toCreate(object)]);
  const differing = CONTENT.filter(
    (field) => object[field] && !isDeepStrictEqual(existing?.[field], object[field]),
  );
  if (differing.length === 0) return;
  const { namespace, name } = object.metadata;
  const content = Object.fromEntries(differing.map((field) => [field, object[field]]));
  try {
    const patch = { metadata: { uid: existing?.metadata.uid }, ...content };
    await dependencies.cluster.patch(resource, { namespace, name }, patch);
  } catch (error) {
    // Deleted in between: it is made anew.
    if (!isGoneOrReplaced(error)) throw error;
    await writeShared(dependencies, object);
  }
}

/** Of ConfigMaps, and of Roles. Keys are not among it: they stay as they were made. */
const CONTENT = ['data', 'rules'] as const;

/** Deletes them; what bears one of their names and belongs to somebody else stays. */
export async function deleteShared(
  dependencies: Dependencies,
  job: TrainingJob,
  anchorUid: string,
): Promise<void> {
  await deleteOwned(dependencies, anchorUid, [
    ...renderShared(job, anchorUid),
    ...renderHostList(job, anchorUid, []),
  ]);
}

/** Deletes what only lists pods; what is shared anyway is written anew with the next pods. */
export async function deleteLists(
  dependencies: Dependencies,
  job: TrainingJob,
  anchorUid: string,
): Promise<void> {
  const shared = new Set(renderShared(job, anchorUid).map(({ metadata }) => metadata.name));
  const lists = renderHostList(job, anchorUid, []).filter(({ metadata }) => !shared.has(metadata.name));
  await deleteOwned(dependencies, anchorUid, lists);
}

async function deleteOwned(
  { cluster }: Dependencies,
  anchorUid: string,
  objects: readonly KubeObject[],
): Promise<void> {
  for (const { kind, metadata } of objects) {
    const resource = sharedResourceOf({ kind });
    const found = await cluster.find(resource, metadata.namespace, metadata.name);
    if (!found || !isOwnedBy(found, anchorUid)) continue;
    const { uid } = found.metadata;
    await cluster.delete(resource, metadata.namespace, metadata.name, { uid }).catch(unlessGoneOrReplaced);
  }
}
