import { isGoneOrReplaced } from '../cluster/errors.ts';
import { type KubeObject, sharedResourceOf } from '../contracts/kubernetes.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { renderRoster, renderShared } from '../resources/shared.ts';
import type { ObjectToCreate } from './create-objects.ts';
import type { Dependencies } from './dependencies.ts';
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

/** Deletes them; what bears one of their names and belongs to somebody else stays. */
export async function deleteShared(
  dependencies: Dependencies,
  job: TrainingJob,
  anchorUid: string,
): Promise<void> {
  await deleteOwned(dependencies, anchorUid, [
    ...renderShared(job, anchorUid),
    ...renderRoster(job, anchorUid, []),
  ]);
}

/** Deletes what only lists pods; what is shared anyway is written anew with the next pods. */
export async function deleteLists(
  dependencies: Dependencies,
  job: TrainingJob,
  anchorUid: string,
): Promise<void> {
  const shared = new Set(renderShared(job, anchorUid).map(({ metadata }) => metadata.name));
  const lists = renderRoster(job, anchorUid, []).filter(({ metadata }) => !shared.has(metadata.name));
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
    await cluster.delete(resource, metadata.namespace, metadata.name, { uid }).catch(unlessGone);
  }
}

export const isOwnedBy = ({ metadata }: KubeObject, anchorUid: string) =>
  metadata.ownerReferences?.some(({ uid }) => uid === anchorUid) ?? false;

function unlessGone(error: unknown): void {
  if (!isGoneOrReplaced(error)) throw error;
}
