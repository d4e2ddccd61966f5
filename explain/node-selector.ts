import type { Taint } from '../contracts/kubernetes.ts';
import { ownValue } from '../language/fields.ts';

/** One term of a node affinity: all of it must hold. */
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly Requirement[];
  readonly matchFields?: readonly Requirement[];
}

/** As in Kubernetes. */
export interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

interface Labelled {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** As in Kubernetes. */
export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  /** For how long it lets a pod stay where the effect is NoExecute. */
  readonly tolerationSeconds?: number;
}

/** Undefined: it has an operator that is not known here. */
export type Matches = boolean | undefined;

/** Whether a node matches one of the terms. */
export const matchesTerms = (terms: readonly NodeSelectorTerm[], node: Labelled): Matches =>
  anyOf(terms.map((term) => matchesTerm(term, node)));

/** As in Kubernetes, a term that says nothing matches no node. */
function matchesTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  { labels, name }: Labelled,
): Matches {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return allOf([
    ...matchExpressions.map((requirement) => holdsOn(requirement, labels)),
    ...matchFields.map((requirement) => holdsOn(requirement, { 'metadata.name': name })),
  ]);
}

export function holdsOn(
  { key, operator, values = [] }: Requirement,
  labels: Readonly<Record<string, string>>,
): Matches {
  const value = ownValue(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return isInteger(value) && isInteger(values[0]) && BigInt(value) > BigInt(values[0]);
    case 'Lt':
      return isInteger(value) && isInteger(values[0]) && BigInt(value) < BigInt(values[0]);
    default:
      return undefined;
  }
}

const isInteger = (text: string | undefined): text is string => /^-?\d+$/.test(text ?? '');

const allOf = (all: readonly Matches[]): Matches =>
  all.includes(false) ? false : all.includes(undefined) ? undefined : true;

const anyOf = (all: readonly Matches[]): Matches =>
  all.includes(true) ? true : all.includes(undefined) ? undefined : false;

/** The taints that the node's state causes, by key. */
const OF_STATE: ReadonlySet<string> = new Set(
  ['not-ready', 'unreachable', 'out-of-service', 'network-unavailable', 'unschedulable'].map(
    (name) => `node.kubernetes.io/${name}`,
  ),
);

/** Returns the first taint that keeps such pods away, other than those of the node's state. */
export const untolerated = (
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
): Taint | undefined => taints.find((taint) => !isOfState(taint) && keepsAway(taint, tolerations));

/** Returns for how many seconds pods tolerate a taint; undefined for ever, or if they do not. */
export function toleratedFor(taint: Taint, tolerations: readonly Toleration[]): number | undefined {
  const seconds = tolerations.flatMap((one) =>
    tolerates(one, taint) ? [one.tolerationSeconds ?? Number.POSITIVE_INFINITY] : [],
  );
  // As the controller does that evicts.
  const least = Math.min(...seconds);
  return Number.isFinite(least) ? least : undefined;
}

export const isOfState = ({ key }: Taint): boolean => OF_STATE.has(key);

/** Returns the taints of a node's state that keep such pods away. */
export const untoleratedStates = (
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
): readonly Taint[] => taints.filter((taint) => keepsAway(taint, [...tolerations, ...OF_EVERY_POD]));

/** The API server adds them: pods stay for a while on a node that is lost. */
const OF_EVERY_POD: readonly Toleration[] = ['not-ready', 'unreachable'].map((name) => ({
  ...{ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect: 'NoExecute' },
}));

const keepsAway = (taint: Taint, tolerations: readonly Toleration[]): boolean =>
  (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
  !tolerations.some((toleration) => tolerates(toleration, taint));

function tolerates({ key, operator = 'Equal', value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return operator === 'Equal' && key !== undefined && (value ?? '') === (taint.value ?? '');
}
