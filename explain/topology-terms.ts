import type { ObjectMeta, PodSpec } from '../contracts/kubernetes.ts';
import { asFields, type Fields, isFields, valueAt } from '../language/fields.ts';
import type { Moment } from './moment.ts';
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
  /** `unknown`: chosen by labels of namespaces, which may not be read. */
  readonly namespaces: readonly string[] | 'all' | 'unknown';
  /** Undefined: it selects no pod. */
  readonly requirements?: readonly Requirement[];
}

/** On which nodes the pods are that terms of a job are about: by selector, as `selectorKey` has it, and by node. */
export type NeighbourCounts = ReadonlyMap<string, ReadonlyMap<string, PodCount>>;

/** How many pods of some kind are on a node. */
export interface PodCount {
  readonly all: number;
  /** Those that are being deleted. */
  readonly leaving: number;
  /** Those that stay however long the job waits. */
  readonly lasting: number;
}

/** Whose pods are where, of those that terms of a job are about, and of those that bear none of its pods beside them. */
export interface NeighbourPod {
  /** A selector, as `selectorKey` has it, or the name of an anti-affinity of others. */
  readonly of: string;
  /** As holders are named. */
  readonly who: string;
  readonly node: string;
  readonly pods: number;
}

/** How many pods there are of a term. A spread does not count those that are being deleted. */
export const termCount = ({ kind }: TopologyTerm, count: PodCount | undefined, moment: Moment): number =>
  countAt(count, kind === 'topologySpreadConstraints' && moment === 'now' ? 'freed' : moment);

export const countAt = (
  { all, leaving, lasting }: PodCount = { all: 0, leaving: 0, lasting: 0 },
  moment: Moment,
): number => ({ now: all, freed: all - leaving, empty: lasting })[moment];

export const selectorKey = (of: PodSelector): string => JSON.stringify(of);

/** What a selector looks at. */
interface Selectable {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface RolePod extends Selectable {
  readonly role: string;
}

/** Labels of each namespace, by which terms may choose them; absent if they may not be listed. */
export type Namespaces = ReadonlyMap<string, Selectable['labels']> | undefined;

/** A pod, and one of each role of its job. */
interface Beside {
  readonly own: RolePod;
  readonly all: readonly RolePod[];
  readonly namespaces: Namespaces;
}

/** Returns the terms of a pod that a scheduler must keep. */
export const topologyOf = (spec: PodSpec, beside: Beside): readonly TopologyTerm[] => [
  ...termsIn(spec, 'podAffinity').map((term) => affinityTerm('podAffinity', term, beside)),
  ...termsIn(spec, 'podAntiAffinity').map((term) => affinityTerm('podAntiAffinity', term, beside)),
  ...fieldsIn(spec.topologySpreadConstraints)
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
    .map((term) => spreadTerm(term, beside)),
];

/** An anti-affinity of pods of others, which bears none of these roles beside them. */
export interface Repelling {
  /** Of all that are alike. */
  readonly name: string;
  readonly topologyKey: string;
  /** In lower case, sorted. */
  readonly roles: readonly string[];
  /** False if it may not be about them: it chooses namespaces by labels that may not be read. */
  readonly isKnown: boolean;
}

export const repellingOf = (
  pod: { readonly spec: PodSpec } & Selectable,
  { all, namespaces }: Pick<Beside, 'all' | 'namespaces'>,
): readonly Repelling[] =>
  termsIn(pod.spec, 'podAntiAffinity').flatMap((term): Repelling[] => {
    const of = affinitySelector(term, pod, namespaces);
    const roles = rolesIn(of, all);
    const topologyKey = String(term.topologyKey);
    const isKnown = of.namespaces !== 'unknown';
    const name = [topologyKey, isKnown, ...roles].join(' ');
    return roles.length > 0 ? [{ name, topologyKey, roles, isKnown }] : [];
  });

const rolesIn = (of: PodSelector, all: readonly RolePod[]): readonly string[] =>
  [...new Set(all.filter((pod) => selects(of, pod)).map(({ role }) => role))].sort();

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

function affinityTerm(
  kind: 'podAffinity' | 'podAntiAffinity',
  term: Fields,
  { own, all, namespaces }: Beside,
): TopologyTerm {
  const of = affinitySelector(term, own, namespaces);
  return { kind, topologyKey: String(term.topologyKey), of, ...reachOf(of, { own, all }) };
}

function spreadTerm(term: Fields, { own, all }: Pick<Beside, 'own' | 'all'>): TopologyTerm {
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

const reachOf = (
  of: PodSelector,
  { own, all }: Pick<Beside, 'own' | 'all'>,
): Pick<TopologyTerm, 'roles' | 'ofItself'> => ({
  roles: rolesIn(of, all),
  ofItself: selects(of, own),
});

function affinitySelector(
  term: Fields,
  { namespace, labels }: Selectable,
  namespaces: Namespaces,
): PodSelector {
  const { namespaceSelector } = term;
  const named = (Array.isArray(term.namespaces) ? term.namespaces : []).map(String);
  const requirements = requirementsOf(term, labels);
  if (!isFields(namespaceSelector))
    return { namespaces: named.length > 0 ? named : [namespace], ...requirements };
  const wanted = requirementsIn(namespaceSelector);
  if (wanted.length === 0) return { namespaces: 'all', ...requirements };
  if (!namespaces) return { namespaces: 'unknown', ...requirements };
  const chosen = [...namespaces].filter(([, of]) => wanted.every((one) => holdsOn(one, of) === true));
  return { namespaces: [...named, ...chosen.map(([name]) => name)], ...requirements };
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
