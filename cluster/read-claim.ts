import type { ClaimObjects } from '../contracts/claim-objects.ts';
import {
  type KubeObject,
  type Resource,
  STORAGE_CLASSES,
  VOLUME_CLAIMS,
  VOLUMES,
} from '../contracts/kubernetes.ts';
import { asFields } from '../language/fields.ts';
import type { Reading } from './reading.ts';

/** Reads a PersistentVolumeClaim, and what says where its volume can be used. */
export async function readClaim(reading: Reading, namespace: string, name: string): Promise<ClaimObjects> {
  const find = (resource: Resource, place: string | undefined, wanted: unknown, unknown: string) =>
    reading.orElse<KubeObject | 'unknown' | undefined>(
      reading.cluster.find(resource, place, String(wanted)),
      'unknown',
      unknown,
    );
  const claim = await find(
    VOLUME_CLAIMS,
    namespace,
    name,
    `whether PersistentVolumeClaim ${name} exists is not known: it may not be read`,
  );
  if (!claim || claim === 'unknown') return { claim };
  const { volumeName, storageClassName } = asFields(claim.spec);
  if (asFields(claim.status).phase === 'Bound') {
    const unread = 'on which nodes volumes can be used is not known: PersistentVolumes may not be read';
    return { claim, volume: await find(VOLUMES, undefined, volumeName, unread) };
  }
  if (!storageClassName) return { claim };
  const unread = `how ${name} is bound is not known: StorageClasses may not be read`;
  return { claim, storageClass: await find(STORAGE_CLASSES, undefined, storageClassName, unread) };
}
