import type { PodSpec } from '../contracts/kubernetes.ts';

/**
 * Adds the nodes that a pod avoids to its other requirements. The terms of a template are alternatives, so the nodes
 * are excluded in each term. An empty term matches no node and stays as it is.
 */
export function avoidNodes(spec: PodSpec, nodes: readonly string[]): PodSpec {
  if (nodes.length === 0) return spec;
  const affinity = (spec.affinity ?? {}) as Affinity;
  const terms = affinity.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms ?? [];
  const excluded = nodes.map(isNot);
  const nodeSelectorTerms =
    terms.length === 0 ? [{ matchFields: excluded }] : terms.map((term) => withRequirements(term, excluded));
  const nodeAffinity = { ...affinity.nodeAffinity, [REQUIRED]: { nodeSelectorTerms } };
  return { ...spec, affinity: { ...affinity, nodeAffinity } };
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** core/v1 NodeSelectorTerm: all of its requirements must match. */
interface Term {
  readonly matchExpressions?: readonly unknown[];
  readonly matchFields?: readonly unknown[];
}

interface Affinity {
  readonly nodeAffinity?: { readonly [REQUIRED]?: { readonly nodeSelectorTerms?: readonly Term[] } };
}

/** A requirement on a field, unlike one on a label, has exactly one value. */
const isNot = (node: string) => ({ key: 'metadata.name', operator: 'NotIn', values: [node] });

function withRequirements(term: Term, excluded: readonly unknown[]): Term {
  const { matchExpressions = [], matchFields = [] } = term;
  const isEmpty = matchExpressions.length === 0 && matchFields.length === 0;
  return isEmpty ? term : { ...term, matchFields: [...matchFields, ...excluded] };
}
