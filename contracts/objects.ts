import type { Condition, KubeObject } from './kubernetes.ts';
import { LABELS } from './labels.ts';

/** Readers of Kubernetes objects, for all that read them; those of pods are in pod.ts. */

/** Returns a condition of an object's status. */
export const conditionOf = <C extends Pick<Condition, 'type'>>(
  { status }: { readonly status?: { readonly conditions?: readonly C[] } },
  type: string,
): C | undefined => status?.conditions?.find((condition) => condition.type === type);

/** For `sort`: by name, and `worker-2` before `worker-10`. */
export const byName = (a: KubeObject, b: KubeObject): number =>
  a.metadata.name.localeCompare(b.metadata.name, 'en', { numeric: true });

/** Returns the attempt that a pod or a group belongs to; 0 if its labels name none. */
export const attemptOf = (object: KubeObject): number => numberLabel(object, LABELS.attempt);

/** Returns a label as a number; 0 if it is absent or not a number. */
export const numberLabel = ({ metadata }: KubeObject, label: string): number =>
  Number.parseInt(metadata.labels?.[label] ?? '', 10) || 0;

export const isOwnedBy = ({ metadata }: KubeObject, ownerUid: string): boolean =>
  metadata.ownerReferences?.some(({ uid }) => uid === ownerUid) ?? false;

/** Returns the uid of the anchor that owns an object. */
export const anchorUidOf = ({ metadata }: Pick<KubeObject, 'metadata'>): string | undefined =>
  metadata.ownerReferences?.find(({ kind, apiVersion }) => kind === 'ConfigMap' && apiVersion === 'v1')?.uid;
