import type { Condition, KubeObject, OwnerReference, Pod } from './kubernetes.ts';
import { ATTEMPT_VARIABLE, LABELS } from './labels.ts';

/** Readers of Kubernetes objects, for all that read them; those of pods are in pod.ts. */

/** Returns a condition of an object's status. */
export const conditionOf = <C extends Pick<Condition, 'type'>>(
  { status }: { readonly status?: { readonly conditions?: readonly C[] } },
  type: string,
): C | undefined => status?.conditions?.find((condition) => condition.type === type);

/** For `sort`: by name, and `worker-2` before `worker-10`. */
export const byName = (a: KubeObject, b: KubeObject): number =>
  a.metadata.name.localeCompare(b.metadata.name, 'en', { numeric: true });

/**
 * Returns the attempt that a pod or a group belongs to; 0 if nothing names it. The environment of a pod's program counts first:
 * everybody can edit a label, but the variables of a pod never change.
 */
export const attemptOf = (object: KubeObject): number =>
  attemptInEnvironment(object) || numberLabel(object, LABELS.attempt);

function attemptInEnvironment({ spec }: KubeObject & Partial<Pick<Pod, 'spec'>>): number {
  const variables = spec?.containers?.flatMap(({ env = [] }) => env) ?? [];
  const value = variables.find(({ name }) => name === ATTEMPT_VARIABLE)?.value;
  return Number.parseInt(value ?? '', 10) || 0;
}

/** Returns a label as a number; 0 if it is absent or not a number. */
export const numberLabel = ({ metadata }: Pick<KubeObject, 'metadata'>, label: string): number =>
  Number.parseInt(metadata.labels?.[label] ?? '', 10) || 0;

export const isOwnedBy = ({ metadata }: KubeObject, ownerUid: string): boolean =>
  metadata.ownerReferences?.some(({ uid }) => uid === ownerUid) ?? false;

/** Returns the owner that manages an object. */
export const controllerOf = ({ metadata }: Pick<KubeObject, 'metadata'>): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller);

/**
 * Returns the uid of the anchor of the job that an object belongs to. Any user can remove the reference to it, e.g. by
 * `kubectl delete --cascade=orphan`; backups do not have it. Then the label counts, if the object is what its labels say.
 */
export const anchorUidOf = (object: MaybePod): string | undefined =>
  ownerUidOf(object) ?? (isAsLabelled(object) ? object.metadata.labels?.[LABELS.anchorUid] : undefined);

type MaybePod = Pick<KubeObject, 'metadata'> & { readonly spec?: unknown };

export const isOfAnchor = (object: MaybePod, anchorUid: string): boolean => anchorUidOf(object) === anchorUid;

/** Returns the uid of the anchor that owns an object, by its references alone. */
export const ownerUidOf = ({ metadata }: Pick<KubeObject, 'metadata'>): string | undefined =>
  metadata.ownerReferences?.find(isAnchor)?.uid;

/**
 * A copy has the labels of another object: its name is not that of the pod, or not one that the job gives, or something
 * owns it that has not the name of the job, as its custom resource has.
 */
function isAsLabelled({ metadata, spec }: MaybePod): boolean {
  const { name, labels = {}, ownerReferences = [] } = metadata;
  const { [LABELS.job]: job, [LABELS.pod]: pod } = labels;
  const isPod = typeof spec === 'object' && spec !== null && 'containers' in spec;
  if (pod === undefined ? isPod : pod !== name) return false;
  if (job === undefined) return true;
  const isNamed = name === job || name.startsWith(`${job}-`) || name.startsWith(`${job}.`);
  return isNamed && ownerReferences.every((owner) => owner.name === job);
}

export const isAnchor = ({ kind, apiVersion }: Pick<OwnerReference, 'kind' | 'apiVersion'>): boolean =>
  kind === 'ConfigMap' && apiVersion === 'v1';
