import type { Taint } from '../contracts/kubernetes.ts';
import type { ExcludingTerm } from '../contracts/types.ts';
import { nearest, nearestQualified } from '../language/did-you-mean.ts';
import { ownValue } from '../language/fields.ts';
import {
  holdsOn,
  type Matches,
  matchesTerms,
  type Requirement,
  type Toleration,
  untolerated,
} from './node-selector.ts';
import type { NodeDemand, NodeView, PodShape } from './situation.ts';

/** What pods demand of a node, as their manifest has it. */
export interface NodeTerm {
  readonly text: string;
  readonly isMet: (node: NodeView) => Matches;
  /** The label that it is about. */
  readonly label?: {
    readonly key: string;
    readonly values: readonly string[];
    /** A node that has it with one of the values meets the term. */
    readonly isSettable?: true;
  };
  /** The claim whose volume demands it. */
  readonly claim?: string;
}

/** Returns what keeps pods from a node, other than its taints; undefined if nothing does. */
export const unmetTerm = (shape: PodShape, node: NodeView): string | undefined =>
  termsOf(shape).find(({ isMet }) => isMet(node) === false)?.text;

/** Whether a spread of the pods counts a node, whatever its state: where pods are that affinity names is nothing to it. */
export const isSpreadOver = (shape: PodShape, node: NodeView): boolean => {
  const topology = shape.topology.filter(({ kind }) => kind === 'topologySpreadConstraints');
  return (
    unmetTerm({ ...shape, topology }, node) === undefined &&
    !(
      topology.some(({ honorsTaints }) => honorsTaints) &&
      untolerated(mindedTaints(node, shape), shape.tolerations)
    )
  );
};

export const taintText = ({ key, value, effect }: Taint): string =>
  `${key}${value ? `=${value}` : ''}:${effect}`;

/** Only a scheduler minds taints that do not evict. */
export const mindedTaints = ({ taints }: NodeView, { nodeName }: PodShape): readonly Taint[] =>
  nodeName === undefined ? taints : taints.filter(({ effect }) => effect === 'NoExecute');

const MOST_TERMS = 8;

/** Returns each term and taint that keeps pods from nodes, with what comes nearest to it; what excludes most comes first. */
export function excludingTerms(shape: PodShape, nodes: readonly NodeView[]): readonly ExcludingTerm[] {
  const terms = termsOf(shape).map((term): ExcludingTerm => {
    const excluded = nodes.filter((node) => term.isMet(node) === false).length;
    const hint = term.label && labelHint(term.label, nodes);
    return { term: term.text, nodes: excluded, ...(hint ? { hint } : {}) };
  });
  return [...terms, ...taintTerms(shape, nodes)]
    .filter((term) => term.nodes > 0)
    .toSorted((a, b) => b.nodes - a.nodes)
    .slice(0, MOST_TERMS);
}

export function termsOf(shape: PodShape): readonly NodeTerm[] {
  const { nodeName, nodeSelector, affinities, topology } = shape;
  return [
    ...(nodeName === undefined
      ? []
      : [{ text: `spec.nodeName ${nodeName}`, isMet: ({ name }: NodeView) => name === nodeName }]),
    ...Object.entries(nodeSelector).map(([key, value]) => ({
      text: `nodeSelector ${key}=${value}`,
      isMet: ({ labels }: NodeView) => ownValue(labels, key) === value,
      label: { key, values: [value], isSettable: true as const },
    })),
    ...affinities.flatMap(termsOfDemand),
    ...topology.filter(needsKey).map(({ kind, topologyKey: key }) => ({
      text: `${kind} topologyKey ${key}`,
      isMet: ({ labels }: NodeView) => ownValue(labels, key) !== undefined,
      label: { key, values: [] },
    })),
  ];
}

/** A node without the label has no pods that would have to be kept apart. */
const needsKey = ({ kind }: PodShape['topology'][number]): boolean => kind !== 'podAntiAffinity';

function termsOfDemand({ terms, claim }: NodeDemand): readonly NodeTerm[] {
  const isMet = (node: NodeView) => matchesTerms(terms, node);
  if (claim) return [{ text: `volume of PersistentVolumeClaim ${claim}`, isMet, claim }];
  const [only] = terms;
  const requirements = [...(only?.matchExpressions ?? []), ...(only?.matchFields ?? [])];
  if (terms.length !== 1 || requirements.length === 0)
    return [{ text: `nodeAffinity ${terms.map(nodeTermText).join(' or ')}`, isMet }];
  return [
    ...(only?.matchExpressions ?? []).map((requirement) => ({
      text: `nodeAffinity ${requirementText(requirement)}`,
      isMet: ({ labels }: NodeView) => holdsOn(requirement, labels),
      ...(OF_VALUES.has(requirement.operator)
        ? {
            label: {
              ...{ key: requirement.key, values: requirement.values ?? [] },
              ...(SETTABLE.has(requirement.operator) ? { isSettable: true as const } : {}),
            },
          }
        : {}),
    })),
    ...(only?.matchFields ?? []).map((requirement) => ({
      text: `nodeAffinity ${requirementText(requirement)}`,
      isMet: ({ name }: NodeView) => holdsOn(requirement, { 'metadata.name': name }),
    })),
  ];
}

/** Operators that a label meets with one of its values. */
const SETTABLE: ReadonlySet<string> = new Set(['In', 'Exists']);

/** Operators for which a label must be there. */
const OF_VALUES: ReadonlySet<string> = new Set(['In', 'Exists', 'Gt', 'Lt']);

export const nodeTermText = ({
  matchExpressions = [],
  matchFields = [],
}: NodeDemand['terms'][number]): string =>
  `(${[...matchExpressions, ...matchFields].map(requirementText).join(' and ') || 'nothing'})`;

const requirementText = ({ key, operator, values = [] }: Requirement): string =>
  `${key} ${operator}${values.length > 0 ? ` ${values.join(', ')}` : ''}`;

const MOST_VALUES = 3;

/** Says what nodes have instead of a label; nothing if some have it. */
function labelHint({ key, values }: NonNullable<NodeTerm['label']>, nodes: readonly NodeView[]) {
  const found = countValues(key, nodes);
  if (found.size > 0) {
    if (values.length === 0 || values.some((value) => found.has(value))) return undefined;
    const near = values.flatMap((value) => nearest(value, [...found.keys()]) ?? [])[0];
    const shown = [...found].toSorted(([a, x], [b, y]) => Number(b === near) - Number(a === near) || y - x);
    const texts = shown.slice(0, MOST_VALUES).map(([value, count]) => `${haveText(count)} ${key}=${value}`);
    return texts.join(', ');
  }
  const keys = new Set(nodes.flatMap(({ labels }) => Object.keys(labels)));
  const near = nearestQualified(key, [...keys]);
  if (near === undefined) return `no node has ${key}`;
  const [value, count] = [...countValues(near, nodes)].toSorted(([, x], [, y]) => y - x)[0]!;
  return `no node has ${key}; ${haveText(count)} ${near}=${value}`;
}

function countValues(key: string, nodes: readonly NodeView[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { labels } of nodes) {
    const value = ownValue(labels, key);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

/** The values that nodes have of a label, the most frequent first. */
export const valuesOf = (key: string, nodes: readonly NodeView[]): readonly string[] =>
  [...countValues(key, nodes)].toSorted(([, x], [, y]) => y - x).map(([value]) => value);

const haveText = (count: number): string => (count === 1 ? '1 node has' : `${count} nodes have`);

function taintTerms(shape: PodShape, nodes: readonly NodeView[]): readonly ExcludingTerm[] {
  const kept = Map.groupBy(keepingTaints(shape, nodes), ({ taint }) => taintText(taint));
  return [...kept].map(([text, taints]) => {
    const hint = tolerationHint(taints[0]!.taint, shape.tolerations);
    return { term: `taint ${text}`, nodes: taints.length, ...(hint ? { hint } : {}) };
  });
}

/** Returns the taints that keep pods away, each with its node. */
export const keepingTaints = (shape: PodShape, nodes: readonly NodeView[]) =>
  nodes.flatMap((node) =>
    mindedTaints(node, shape).flatMap((taint) =>
      untolerated([taint], shape.tolerations) ? [{ taint, node }] : [],
    ),
  );

/** Says what pods tolerate instead of a taint. */
function tolerationHint(taint: Taint, tolerations: readonly Toleration[]): string | undefined {
  const same = tolerations.find(({ key }) => key === taint.key);
  if (same) {
    const { operator = 'Equal', value = '', effect } = same;
    const isValueRight = operator === 'Exists' || value === (taint.value ?? '');
    return isValueRight
      ? `the pods tolerate ${taint.key} with the effect ${effect} only`
      : `the pods tolerate ${taint.key} with the value ${value || '""'}`;
  }
  const near = nearestQualified(
    taint.key,
    tolerations.flatMap(({ key }) => key ?? []),
  );
  return near && `the pods tolerate ${near}`;
}
