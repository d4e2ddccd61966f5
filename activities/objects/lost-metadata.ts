import type { ClusterClient } from '../../cluster/client.ts';
import { type KubeObject, PODS, type Resource } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { attemptOf, numberLabel, ownerUidOf } from '../../contracts/objects.ts';
import type { Dependencies } from '../support/dependencies.ts';
import type { EffectResult } from '../support/effect.ts';

/**
 * Labels of ours by which objects are found, besides their owner. Any user can remove either, e.g. to take a pod out of a
 * Service; the other still says whose the object is.
 */
const FOUND_BY = [
  ...[LABELS.job, LABELS.anchorUid, LABELS.installation],
  ...[LABELS.role, LABELS.index, LABELS.pod, LABELS.shared],
];

/** Returns an object with the label of its installation: watchers select by it, and never read objects of others. */
export const ofInstallation = <T extends KubeObject>(
  object: T,
  { installation }: Pick<Dependencies, 'installation'>,
): T => {
  const labels = { ...object.metadata.labels, [LABELS.installation]: installation };
  return { ...object, metadata: { ...object.metadata, labels } };
};

/** Whether labels no longer find the object as what it is, or garbage collection does not. */
export const hasLostMetadata = (existing: KubeObject, wanted: KubeObject): boolean =>
  hasLostOwner(existing, wanted) ||
  FOUND_BY.some((label) => existing.metadata.labels?.[label] !== wanted.metadata.labels?.[label]) ||
  (wanted.metadata.labels?.[LABELS.attempt] !== undefined && !hasAttemptLabel(existing));

const hasLostOwner = (existing: KubeObject, wanted: KubeObject) =>
  ownerUidOf(existing) === undefined && ownerUidOf(wanted) !== undefined;

const hasAttemptLabel = (existing: KubeObject) => {
  const label = numberLabel(existing, LABELS.attempt);
  return label !== 0 && label === attemptOf(existing);
};

/**
 * Gives an object its labels back, those of the user's template, too, and its owners. A pod keeps the attempt that it
 * belongs to.
 */
export async function restoreMetadata<T extends KubeObject>(
  cluster: Pick<ClusterClient, 'patch'>,
  {
    resource,
    existing,
    wanted,
  }: { readonly resource: Resource<T>; readonly existing: T; readonly wanted: T },
): Promise<T> {
  const { namespace, name, uid } = existing.metadata;
  const {
    [LABELS.incarnation]: _incarnation,
    [LABELS.avoidsUntil]: _until,
    ...labels
  } = labelsOfObject(wanted);
  const attempt = LABELS.attempt in labels ? { [LABELS.attempt]: String(attemptOf(existing)) } : {};
  const patch = { metadata: { uid, labels: { ...labels, ...attempt }, ...ownersOf(existing, wanted) } };
  return cluster.patch(resource, { namespace, name }, patch);
}

const labelsOfObject = ({ metadata }: KubeObject): Readonly<Record<string, string>> => metadata.labels ?? {};

/** A merge patch replaces the whole list. */
export function ownersOf(
  existing: KubeObject,
  wanted: KubeObject,
): Pick<KubeObject['metadata'], 'ownerReferences'> {
  if (!hasLostOwner(existing, wanted)) return {};
  const { ownerReferences: present = [] } = existing.metadata;
  const { ownerReferences: owners = [] } = wanted.metadata;
  const lost = owners.filter(({ uid }) => !present.some((owner) => owner.uid === uid));
  return { ownerReferences: [...present, ...lost] };
}

/** Returns what the timeline says of it; nothing if nothing was restored. */
export function metadataRestored(objects: readonly KubeObject[]): Pick<EffectResult, 'restored'> {
  if (objects.length === 0) return {};
  const names = objects.map(({ kind, metadata }) => `${kind ?? PODS.kind} ${metadata.name}`);
  const others = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  const restored = `labels or owners were removed from ${names.slice(0, MOST_NAMED).join(', ')}${others}; they are restored, because signalbox finds the job’s objects by them`;
  return { restored };
}

const MOST_NAMED = 5;
