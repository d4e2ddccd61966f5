import type { ClaimObjects } from '../contracts/claim-objects.ts';
import { STORAGE_CLASSES, VOLUME_CLAIMS } from '../contracts/kubernetes.ts';
import { asFields } from '../language/fields.ts';
import { isBoundWithFirstPod, placeWithFirstPod } from './later-volumes.ts';
import type { NamedByPods } from './named-in-pods.ts';
import type { ClaimPlace, ClaimPlaces } from './shape.ts';
import type { MissingReference, PendingVolume } from './situation.ts';
import { volumePlace } from './volume-place.ts';

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
    const others = mounted.filter((one) => one.name !== name).map((one) => one.objects);
    const state = stateOf(mount, objects, others);
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
  objects: ClaimObjects,
  others: readonly ClaimObjects[],
): ClaimState {
  const { claim, volume, storageClass } = objects;
  if (claim === 'unknown') return { place: 'unknown' };
  if (!claim) return { missing: { kind: VOLUME_CLAIMS.kind, name, of } };
  const { phase } = asFields(claim.status);
  const { accessModes, storageClassName } = asFields(claim.spec);
  if (pods > 1 && Array.isArray(accessModes) && accessModes.includes('ReadWriteOncePod'))
    return {
      pending: { claim: name, why: `is ReadWriteOncePod, for one pod; ${pods} pods mount it`, never: true },
    };
  if (phase === 'Bound') return placeOf(volume);
  const pending = (why: string, more: Pick<PendingVolume, 'isChosen'> = {}): ClaimState => ({
    pending: { claim: name, why, since: claim.metadata.creationTimestamp, ...more },
  });
  if (phase === 'Lost') return pending('has lost its volume');
  if (!storageClassName) return pending('is not bound, and names no StorageClass');
  if (storageClass === 'unknown') return { place: 'unknown' };
  if (!storageClass) {
    const ofClaim = `the PersistentVolumeClaim ${name}`;
    return { missing: { kind: STORAGE_CLASSES.kind, name: String(storageClassName), of: ofClaim } };
  }
  if (!isBoundWithFirstPod(storageClass))
    return pending(`is not bound yet by its StorageClass ${storageClassName}`);
  const node = claim.metadata.annotations?.[SELECTED_NODE];
  if (node !== undefined)
    return pending(`waits for ${storageClass.provisioner} to make its volume for node ${node}`, {
      isChosen: true,
    });
  const place = placeWithFirstPod({ ...objects, claim, storageClass, pods, others });
  if (place !== 'none') return place ? { place } : {};
  return pending(
    `is bound with its first pod, and no PersistentVolume of its StorageClass ${storageClassName} is free for it, which provisions none`,
  );
}

/** On a claim: the node that a scheduler has chosen for its first pod. */
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

function placeOf(volume: ClaimObjects['volume']): ClaimState {
  if (volume === 'unknown') return { place: 'unknown' };
  const place = volumePlace(volume);
  return place ? { place } : {};
}
