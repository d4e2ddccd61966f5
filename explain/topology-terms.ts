import type { ObjectMeta, PodSpec } from '../contracts/kubernetes.ts';
import { asFields, type Fields, isFields, valueAt } from '../language/fields.ts';
import type { Requirement } from './node-selector.ts';
import { holdsOn } from './node-selector.ts';

/** What limits where a pod may run by where others are. */
export interface TopologyTerm {
  readonly kind: 'topologySpreadConstraints' | 'podAffinity' | 'podAntiAffinity';
  /** Nodes with the same value of this label are one domain. */
  readonly topologyKey: string;
  /** The pods that it is about. */
  readonly of: PodSelector;
  /** These roles of the job are among them; in lower case, sorted. */
  readonly roles: readonly string[];
  /** Pods that have the term are among them. */
  readonly ofItself: boolean;
  /** Of a spread constraint. */
  readonly maxSkew?: number;
  readonly minDomains?: number;
  /** Nodes with taints that the pods do not tolerate are no domains. */
  readonly honorsTaints?: boolean;
}

export interface PodSelector {
  /** `unknown`: chosen by labels of namespaces, which are not read. */
  readonly namespaces: readonly string[] | 'all' | 'unknown';
  /** Undefined: it selects no pod. */
  readonly requirements?: readonly Requirement[];
}

/** On which nodes the pods are that terms of a job are about. */
export interface NeighbourCounts {
  /** By selector, as `selectorKey` has it, and by node. */
  readonly bySelector: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Pods of others keep away from those of the job, by an anti-affinity of their own. */
  readonly areRepelling: boolean;
}

export const selectorKey = (of: PodSelector): string => JSON.stringify(of);

/** What a selector looks at. */
export interface Selectable {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface RolePod extends Selectable {
  readonly role: string;
}

/** Returns the terms of a pod that a scheduler must keep. `all`: a pod of each role of the job. */
export const topologyOf = (spec: PodSpec, own: RolePod, all: readonly RolePod[]): readonly TopologyTerm[] => [
  ...termsIn(spec, 'podAffinity').map((term) => affinityTerm('podAffinity', term, { own, all })),
  ...termsIn(spec, 'podAntiAffinity').map((term) => affinityTerm('podAntiAffinity', term, { own, all })),
  ...fieldsIn(spec.topologySpreadConstraints)
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
    .map((term) => spreadTerm(term, { own, all })),
];

/** Whether a pod has a required anti-affinity against one of others. */
export const repels = (pod: { readonly spec: PodSpec } & Selectable, others: readonly RolePod[]): boolean =>
  termsIn(pod.spec, 'podAntiAffinity').some((term) => {
    const of = affinitySelector(term, pod);
    return others.some((other) => selects(of, other));
  });

/** Whether a selector selects a pod; one by labels of namespaces may. */
export const selects = (
  { namespaces, requirements }: PodSelector,
  { namespace, labels }: Selectable,
): boolean =>
  requirements !== undefined &&
  (typeof namespaces === 'string' || namespaces.includes(namespace)) &&
  requirements.every((requirement) => holdsOn(requirement, labels) === true);

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

const termsIn = ({ affinity }: PodSpec, kind: 'podAffinity' | 'podAntiAffinity'): readonly Fields[] =>
  fieldsIn(valueAt(affinity, `${kind}.${REQUIRED}`));

const fieldsIn = (list: unknown): readonly Fields[] => (Array.isArray(list) ? list.filter(isFields) : []);

interface Around {
  readonly own: RolePod;
  readonly all: readonly RolePod[];
}

function affinityTerm(
  kind: 'podAffinity' | 'podAntiAffinity',
  term: Fields,
  { own, all }: Around,
): TopologyTerm {
  const of = affinitySelector(term, own);
  return { kind, topologyKey: String(term.topologyKey), of, ...reachOf(of, { own, all }) };
}

function spreadTerm(term: Fields, { own, all }: Around): TopologyTerm {
  const { topologyKey, maxSkew = 1, minDomains, nodeTaintsPolicy } = term;
  const of: PodSelector = { namespaces: [own.namespace], ...requirementsOf(term, own.labels) };
  return {
    ...{ kind: 'topologySpreadConstraints', topologyKey: String(topologyKey), of },
    ...reachOf(of, { own, all }),
    maxSkew: Number(maxSkew),
    ...(minDomains === undefined ? {} : { minDomains: Number(minDomains) }),
    ...(nodeTaintsPolicy === 'Honor' ? { honorsTaints: true } : {}),
  };
}

const reachOf = (of: PodSelector, { own, all }: Around): Pick<TopologyTerm, 'roles' | 'ofItself'> => ({
  roles: [...new Set(all.filter((pod) => selects(of, pod)).map(({ role }) => role))].sort(),
  ofItself: selects(of, own),
});

function affinitySelector(term: Fields, { namespace, labels }: Selectable): PodSelector {
  const { namespaces, namespaceSelector } = term;
  const named = (Array.isArray(namespaces) ? namespaces : []).map(String);
  const requirements = requirementsOf(term, labels);
  if (!isFields(namespaceSelector))
    return { namespaces: named.length > 0 ? named : [namespace], ...requirements };
  const isAll = requirementsIn(namespaceSelector).length === 0;
  return { namespaces: isAll ? 'all' : 'unknown', ...requirements };
}

/** A selector that is left out selects nothing, an empty one all. */
function requirementsOf(
  { labelSelector, matchLabelKeys, mismatchLabelKeys }: Fields,
  labels: Selectable['labels'],
): Pick<PodSelector, 'requirements'> {
  if (!isFields(labelSelector)) return {};
  const keyed = (keys: unknown, operator: string) =>
    (Array.isArray(keys) ? keys.map(String) : []).flatMap((key) =>
      labels[key] === undefined ? [] : [{ key, operator, values: [labels[key]] }],
    );
  return {
    requirements: [
      ...requirementsIn(labelSelector),
      ...keyed(matchLabelKeys, 'In'),
      ...keyed(mismatchLabelKeys, 'NotIn'),
    ],
  };
}

function requirementsIn({ matchLabels, matchExpressions }: Fields): readonly Requirement[] {
  const equal = Object.entries(asFields(matchLabels)).map(([key, value]) => ({
    ...{ key, operator: 'In' },
    values: [String(value)],
  }));
  return [...equal, ...fieldsIn(matchExpressions).map((one) => one as unknown as Requirement)];
}

/** What of a pod selectors look at. */
export const selectable = ({ namespace = '', labels = {} }: Partial<ObjectMeta>): Selectable => ({
  ...{ namespace, labels },
});
