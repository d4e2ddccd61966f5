import { isDeepStrictEqual } from 'node:util';
import { isGoneOrReplaced, unlessGoneOrReplaced } from '../../cluster/errors.ts';
import { type KubeObject, sharedResourceOf } from '../../contracts/kubernetes.ts';
import { holdsSshKey, withSshKey } from '../../contracts/ssh-keys.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { renderHostList, renderShared } from '../../resources/shared.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { isOwnedByJob, type JobOwners } from '../support/owned.ts';
import { createObjects, type ObjectToCreate } from './create-objects.ts';
import { newSshKey } from './ssh-key.ts';

/** Prepares a shared object for creation. Generates keys here, so that no workflow history contains one. */
export function toCreate(object: KubeObject): ObjectToCreate {
  const { stringData } = object;
  const content = holdsSshKey(stringData) ? { stringData: withSshKey(stringData, newSshKey()) } : {};
  return { resource: sharedResourceOf(object), object: { ...object, ...content } };
}

/**
 * Creates a job's shared objects, or updates them: a scaled job has other hosts. Only creates host lists;
 * publishHostList updates them.
 */
export async function createShared(
  dependencies: Dependencies,
  { job, anchorUid }: { readonly job: TrainingJob; readonly anchorUid: string },
  shared: readonly KubeObject[],
): Promise<void> {
  const lists = new Set(renderHostList(job, anchorUid, []).map(({ metadata }) => metadata.name));
  // Create in order: RBAC lets a limited account bind only roles that exist.
  for (const object of shared) {
    if (lists.has(object.metadata.name)) await createObjects(dependencies, [toCreate(object)]);
    else await writeShared(dependencies, object);
  }
}

/** Creates an object, or patches an existing one to the same content. Idempotent: it compares with what exists. */
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
    // Deleted in between: create it again.
    if (!isGoneOrReplaced(error)) throw error;
    await writeShared(dependencies, object);
  }
}

/** Content of ConfigMaps and Roles. Excludes keys, which stay as generated. */
const CONTENT = ['data', 'rules'] as const;

/** Deletes the shared objects. Objects of the same name with another owner stay. */
export async function deleteShared(
  dependencies: Dependencies,
  job: TrainingJob,
  anchorUid: string,
): Promise<void> {
  await deleteOwned(dependencies, { anchorUid, job }, [
    ...renderShared(job, anchorUid),
    ...renderHostList(job, anchorUid, []),
  ]);
}

/** Deletes objects that only list pods. Other shared objects are updated with the next pods. */
export async function deleteLists(
  dependencies: Dependencies,
  job: TrainingJob,
  anchorUid: string,
): Promise<void> {
  const shared = new Set(renderShared(job, anchorUid).map(({ metadata }) => metadata.name));
  const lists = renderHostList(job, anchorUid, []).filter(({ metadata }) => !shared.has(metadata.name));
  await deleteOwned(dependencies, { anchorUid, job }, lists);
}

async function deleteOwned(
  { cluster }: Dependencies,
  owners: JobOwners,
  objects: readonly KubeObject[],
): Promise<void> {
  for (const { kind, metadata } of objects) {
    const resource = sharedResourceOf({ kind });
    const found = await cluster.find(resource, metadata.namespace, metadata.name);
    if (!found || !isOwnedByJob(found, owners)) continue;
    const { uid } = found.metadata;
    await cluster.delete(resource, metadata.namespace, metadata.name, { uid }).catch(unlessGoneOrReplaced);
  }
}
