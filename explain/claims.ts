import type { ClaimObjects } from '../contracts/claim-objects.ts';
import { type KubeObject, STORAGE_CLASSES, VOLUME_CLAIMS } from '../contracts/kubernetes.ts';
import { readAmounts } from '../contracts/pod-requests.ts';
import { asFields, valueAt } from '../language/fields.ts';
import type { NamedByPods } from './named-in-pods.ts';
import type { ClaimPlace, ClaimPlaces } from './shape.ts';
import type { MissingReference, PendingVolume } from './situation.ts';

/** What the PersistentVolumeClaims that pods mount mean for them. */
export interface Claims {
  readonly places: ClaimPlaces;
  readonly missing: readonly MissingReference[];
  readonly pending: readonly PendingVolume[];
}

interface MountedClaim extends Pick<NamedByPods, 'name' | 'of' | 'pods'> {
  readonly objects: ClaimObjects;
}

/** Adds up what is known of each claim. */
export function claimsOf(mounted: readonly MountedClaim[]): Claims {
  const places = new Map<string, ClaimPlace>();
  const missing: MissingReference[] = [];
  const pending: PendingVolume[] = [];
  for (const { objects, ...mount } of mounted) {
    const { name } = mount;
    const state = stateOf(mount, objects);
    if (state.place) places.set(name, state.place);
    if (state.missing) missing.push(state.missing);
    if (state.pending) pending.push(state.pending);
  }
  return { places, missing, pending };
}

/** At most one of these. */
interface ClaimState {
  readonly place?: ClaimPlace;
  readonly missing?: MissingReference;
  readonly pending?: PendingVolume;
}

function stateOf(
  { name, of, pods }: Omit<MountedClaim, 'objects'>,
  { claim, volume, storageClass, volumes }: ClaimObjects,
): ClaimState {
  if (claim === 'unknown') return { place: 'unknown' };
  if (!claim) return { missing: { kind: VOLUME_CLAIMS.kind, name, of } };
  const { phase } = asFields(claim.status);
  const { accessModes, storageClassName } = asFields(claim.spec);
  if (pods > 1 && Array.isArray(accessModes) && accessModes.includes('ReadWriteOncePod'))
    return {
      pending: { claim: name, why: `is ReadWriteOncePod, for one pod; ${pods} pods mount it`, never: true },
    };
  if (phase === 'Bound') return placeOf(volume);
  const pending = (why: string): ClaimState => ({
    pending: { claim: name, why, since: claim.metadata.creationTimestamp },
  });
  if (phase === 'Lost') return pending('has lost its volume');
  if (!storageClassName) return pending('is not bound, and names no StorageClass');
  if (storageClass === 'unknown') return { place: 'unknown' };
  if (!storageClass) {
    const ofClaim = `the PersistentVolumeClaim ${name}`;
    return { missing: { kind: STORAGE_CLASSES.kind, name: String(storageClassName), of: ofClaim } };
  }
  if (storageClass.volumeBindingMode !== 'WaitForFirstConsumer')
    return pending(`is not bound yet by its StorageClass ${storageClassName}`);
  if (!volumes || asFields(claim.spec).selector) return { place: 'later' };
  const free = volumes.filter((one) => mayBind(one, claim));
  if (free.length === 0)
    return pending(
      `is bound with its first pod, and no PersistentVolume of its StorageClass ${storageClassName} is free for it, which provisions none`,
    );
  const places = new Map(free.map((one) => [JSON.stringify(placeOf(one)), placeOf(one)]));
  return places.size === 1 ? placeOf(free[0]) : { place: 'later' };
}

/** Whether claims of a StorageClass wait for their first pod, and for a volume that somebody makes. */
export const needsVolumes = ({ storageClass }: ClaimObjects): boolean =>
  typeof storageClass === 'object' &&
  storageClass.volumeBindingMode === 'WaitForFirstConsumer' &&
  storageClass.provisioner === 'kubernetes.io/no-provisioner';

function mayBind({ metadata, spec }: KubeObject, claim: KubeObject): boolean {
  const { claimRef, storageClassName, accessModes = [], volumeMode = 'Filesystem' } = asFields(spec);
  const wanted = asFields(claim.spec);
  const { namespace, name } = asFields(claimRef);
  const isOpen =
    claimRef === undefined || (namespace === claim.metadata.namespace && name === claim.metadata.name);
  const storageIn = (fields: unknown, path: string) =>
    readAmounts(valueAt(fields, path)).get('storage')?.nanos ?? 0n;
  const modes = (wanted.accessModes ?? []) as readonly unknown[];
  return (
    isOpen &&
    metadata.deletionTimestamp === undefined &&
    storageClassName === wanted.storageClassName &&
    volumeMode === (wanted.volumeMode ?? 'Filesystem') &&
    storageIn(spec, 'capacity') >= storageIn(wanted, 'resources.requests') &&
    modes.every((mode) => (accessModes as readonly unknown[]).includes(mode))
  );
}

/** A volume that names no nodes can be used on all. */
function placeOf(volume: ClaimObjects['volume']): ClaimState {
  if (volume === 'unknown') return { place: 'unknown' };
  const terms = valueAt(volume?.spec, 'nodeAffinity.required.nodeSelectorTerms');
  return Array.isArray(terms) ? { place: terms } : {};
}
