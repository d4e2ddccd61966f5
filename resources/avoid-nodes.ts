import type { PodSpec } from '../contracts/kubernetes.ts';

/**
 * A pod's spec with nodes that it keeps away from, whatever else it asks for. The terms of a template are alternatives,
 * so each of them excludes the nodes; a term that names no requirement matches no node, and stays as it is.
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

/** core/v1 NodeSelectorTerm: all of its requirements must hold. */
interface Term {
  readonly matchExpressions?: readonly unknown[];
  readonly matchFields?: readonly unknown[];
}

interface Affinity {
  readonly nodeAffinity?: { readonly [REQUIRED]?: { readonly nodeSelectorTerms?: readonly Term[] } };
}

/** Of fields, unlike of labels, a requirement takes one value only. */
const isNot = (node: string) => ({ key: 'metadata.name', operator: 'NotIn', values: [node] });

function withRequirements(term: Term, excluded: readonly unknown[]): Term {
  const { matchExpressions = [], matchFields = [] } = term;
  const isEmpty = matchExpressions.length === 0 && matchFields.length === 0;
  return isEmpty ? term : { ...term, matchFields: [...matchFields, ...excluded] };
}
