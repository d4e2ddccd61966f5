import type { ClaimObjects } from '../contracts/claim-objects.ts';
import { STORAGE_CLASSES, VOLUME_CLAIMS } from '../contracts/kubernetes.ts';
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
  { claim, volume, storageClass }: ClaimObjects,
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
  if (storageClass.volumeBindingMode === 'WaitForFirstConsumer') return { place: 'later' };
  return pending(`is not bound yet by its StorageClass ${storageClassName}`);
}

/** A volume that names no nodes can be used on all. */
function placeOf(volume: ClaimObjects['volume']): ClaimState {
  if (volume === 'unknown') return { place: 'unknown' };
  const terms = valueAt(volume?.spec, 'nodeAffinity.required.nodeSelectorTerms');
  return Array.isArray(terms) ? { place: terms } : {};
}
