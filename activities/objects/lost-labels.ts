import type { ClusterClient } from '../../cluster/client.ts';
import { type KubeObject, PODS, type Resource } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { attemptOf, numberLabel } from '../../contracts/objects.ts';
import type { EffectResult } from '../support/result.ts';

/**
 * Labels of ours by which objects are found. Anybody can remove them, e.g. to take a pod out of a Service; the owner's uid
 * still says whose the object is.
 */
const FOUND_BY = [LABELS.job, LABELS.role, LABELS.index, LABELS.pod, LABELS.shared];

/** Whether labels no longer find the object as what it is. */
export const hasLostLabels = (existing: KubeObject, wanted: KubeObject): boolean =>
  FOUND_BY.some((label) => existing.metadata.labels?.[label] !== wanted.metadata.labels?.[label]) ||
  (wanted.metadata.labels?.[LABELS.attempt] !== undefined && !hasAttemptLabel(existing));

const hasAttemptLabel = (existing: KubeObject) => {
  const label = numberLabel(existing, LABELS.attempt);
  return label !== 0 && label === attemptOf(existing);
};

/** Gives an object its labels back, those of the user's template, too. A pod keeps the attempt that it belongs to. */
export async function restoreLabels<T extends KubeObject>(
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
  const patch = { metadata: { uid, labels: { ...labels, ...attempt } } };
  return cluster.patch(resource, { namespace, name }, patch);
}

const labelsOfObject = ({ metadata }: KubeObject): Readonly<Record<string, string>> => metadata.labels ?? {};

/** Returns what the timeline says of it; nothing if no labels were restored. */
export function labelsRestored(objects: readonly KubeObject[]): Pick<EffectResult, 'restored'> {
  if (objects.length === 0) return {};
  const names = objects.map(({ kind, metadata }) => `${kind ?? PODS.kind} ${metadata.name}`);
  const others = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  const restored = `labels were removed from ${names.slice(0, MOST_NAMED).join(', ')}${others}; they are restored, because signalbox finds the job’s objects by them`;
  return { restored };
}

const MOST_NAMED = 5;
