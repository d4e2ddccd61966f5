import { type Fields, isFields } from '../../../../language/fields.ts';

/** Lists whose items have a name; of others the patch's replaces the whole list. */
const KEYS: Readonly<Record<string, string>> = {
  replicatedJobs: 'name',
  containers: 'name',
  initContainers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  imagePullSecrets: 'name',
  schedulingGates: 'name',
};

/** Merges a patch into a part of a manifest as Kubernetes' strategic merge does. */
export const merged = <T>(target: T, patch: unknown): T => mergeFields(target, patch) as T;

function mergeFields(target: unknown, patch: unknown): unknown {
  if (!isFields(target) || !isFields(patch)) return patch ?? target;
  const entries = Object.entries(patch).map(([name, value]) => [name, mergeField(name, target[name], value)]);
  return { ...target, ...Object.fromEntries(entries) };
}

function mergeField(name: string, target: unknown, patch: unknown): unknown {
  // Trainer's types do not write an empty list, so such a patch does not reach the merge.
  if (Array.isArray(target) && Array.isArray(patch) && patch.length === 0) return target;
  const key = KEYS[name];
  const isList = key !== undefined && Array.isArray(target) && Array.isArray(patch);
  return isList ? mergeLists(target, patch, key) : mergeFields(target, patch);
}

/** Replaces or merges items of the same key in place, and appends the others. */
export function mergeLists<T>(target: readonly T[], patch: readonly T[], key: string): T[] {
  const keyOf = (item: unknown) => (item as Fields)[key];
  const patched = target.map((item) => {
    const own = patch.find((one) => keyOf(one) === keyOf(item));
    return own === undefined ? item : merged(item, own);
  });
  return [...patched, ...patch.filter((item) => !target.some((one) => keyOf(one) === keyOf(item)))];
}
