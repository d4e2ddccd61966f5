import type { PodSpec } from '../contracts/kubernetes.ts';

/** Adds a node to what a pod prefers, as strongly as Kubernetes allows. Elsewhere it is placed only if there is no room. */
export function preferNode(spec: PodSpec, node: string | undefined): PodSpec {
  if (node === undefined) return spec;
  const affinity = (spec.affinity ?? {}) as Affinity;
  const preference = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] };
  const terms = affinity.nodeAffinity?.[PREFERRED] ?? [];
  const nodeAffinity = { ...affinity.nodeAffinity, [PREFERRED]: [...terms, { weight: 100, preference }] };
  return { ...spec, affinity: { ...affinity, nodeAffinity } };
}

const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

interface Affinity {
  readonly nodeAffinity?: { readonly [PREFERRED]?: readonly unknown[] };
}
