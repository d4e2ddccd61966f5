import type { ClaimObjects } from '../contracts/claim-objects.ts';
import type { KubeObject } from '../contracts/kubernetes.ts';
import { readAmounts } from '../contracts/pod-requests.ts';
import { asFields, valueAt } from '../language/fields.ts';
import type { NodeSelectorTerm } from './node-selector.ts';
import type { ClaimPlace } from './shape.ts';
import { volumePlace } from './volume-place.ts';

/** A claim that is bound with its first pod, and its StorageClass. */
export interface LaterClaim extends Pick<ClaimObjects, 'volumes' | 'driver'> {
  readonly claim: KubeObject;
  readonly storageClass: KubeObject;
  /** How many pods mount it. */
  readonly pods: number;
  /** The other claims that pods of the job mount. */
  readonly others: readonly ClaimObjects[];
}

/** `none`: there is no volume for it, and nobody makes one; undefined: any node will do. */
export function placeWithFirstPod(later: LaterClaim): ClaimPlace | 'none' | undefined {
  const { claim, storageClass, volumes, pods } = later;
  if (!volumes || asFields(claim.spec).selector) return 'later';
  const made = volumes.filter((volume) => mayBind(volume, claim));
  const provisions = storageClass.provisioner !== 'kubernetes.io/no-provisioner';
  if (made.length === 0 && !provisions) return 'none';
  const isTakenByOther = made.length > 0 && later.others.some((other) => mayTake(other, storageClass));
  // Then the scheduler also asks for room on storage.
  const isLimited = provisions && isOfDriverWithCapacity(later);
  if (isTakenByOther || isLimited) return 'later';
  const all = [...made.map(volumePlace), ...(provisions ? [allowedBy(storageClass)] : [])];
  const places = [...new Map(all.map((place) => [JSON.stringify(place), place])).values()];
  // Where the volume of the first pod is decides for the others.
  return pods === 1 || (places.length === 1 && !provisions) ? unionOf(places) : 'later';
}

/** Whether claims of a StorageClass wait for their first pod. */
export const isBoundWithFirstPod = ({ volumeBindingMode }: KubeObject): boolean =>
  volumeBindingMode === 'WaitForFirstConsumer';

/** Whether another claim of the job may get the same volumes. */
const mayTake = ({ claim }: ClaimObjects, { metadata }: KubeObject): boolean =>
  typeof claim === 'object' &&
  asFields(claim.status).phase !== 'Bound' &&
  asFields(claim.spec).storageClassName === metadata.name;

const isOfDriverWithCapacity = ({ driver }: LaterClaim): boolean =>
  driver === 'unknown' || asFields(driver?.spec).storageCapacity === true;

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

type Terms = readonly NodeSelectorTerm[] | undefined;

/** A StorageClass that names no topologies provisions for all nodes. */
function allowedBy({ allowedTopologies }: KubeObject): Terms {
  if (!Array.isArray(allowedTopologies) || allowedTopologies.length === 0) return undefined;
  return allowedTopologies.map((term) => {
    const { matchLabelExpressions } = asFields(term);
    const labels = (Array.isArray(matchLabelExpressions) ? matchLabelExpressions : []) as readonly {
      readonly key: string;
      readonly values: readonly string[];
    }[];
    return { matchExpressions: labels.map(({ key, values }) => ({ key, values, operator: 'In' })) };
  });
}

/** A node has to match one of them. */
const unionOf = (places: readonly Terms[]): Terms =>
  places.every((place) => place !== undefined) ? places.flat() : undefined;
