import { ownValue } from '../language/fields.ts';
import { amountIn } from './host-ports.ts';
import type { Group, Spot, Term } from './spots.ts';
import type { TopologyTerm } from './topology-terms.ts';

/** How many pods of each group are on each spot, and how many have none. */
export interface State {
  readonly placed: readonly (readonly number[])[];
  readonly left: readonly number[];
}

interface At {
  readonly state: State;
  readonly groups: readonly Group[];
  readonly spots: readonly Spot[];
}

/** Returns what decides, as Kubernetes does, whether a spot takes one pod more of a group. */
export function spotsFor(group: Group, at: At): (spot: Spot, index: number) => boolean {
  const terms = group.terms.map((term) => ({ term, counts: countsOf(term, group, at) }));
  const affinities = terms.filter(({ term }) => term.kind === 'podAffinity');
  const isFirst =
    affinities.every(({ term }) => term.ofItself) &&
    affinities.every(({ counts }) => [...counts.values()].every((count) => count === 0));
  const rules = [
    ...terms.map(({ term, counts }) => RULES[term.kind](term, counts, isFirst)),
    ...keptAway(group, at),
  ];
  return (spot, index) =>
    group.nodes.has(spot.node.name) &&
    hasRoom(spot, index, { group, at }) &&
    rules.every((rule) => rule(spot));
}

/** How many pods that a term is about each domain has, with those of the job. */
function countsOf(term: Term, { seen }: Group, { state, spots }: At): ReadonlyMap<string, number> {
  const counts = new Map(term.there);
  for (const [index, { node }] of spots.entries()) {
    const value = ownValue(node.labels, term.topologyKey);
    if (value === undefined || (term.kind === 'topologySpreadConstraints' && !seen.has(node.name))) continue;
    const more = state.placed[index]!.reduce((sum, pods, of) => sum + (term.isAbout[of] ? pods : 0), 0);
    counts.set(value, (counts.get(value) ?? 0) + more);
  }
  return counts;
}

type SpotRule = (spot: Spot) => boolean;

const RULES: Readonly<
  Record<
    TopologyTerm['kind'],
    (term: Term, counts: ReadonlyMap<string, number>, isFirst: boolean) => SpotRule
  >
> = {
  podAntiAffinity:
    ({ topologyKey }, counts) =>
    ({ node }) =>
      (counts.get(ownValue(node.labels, topologyKey) ?? '') ?? 0) === 0,
  podAffinity:
    ({ topologyKey }, counts, isFirst) =>
    ({ node }) => {
      const value = ownValue(node.labels, topologyKey);
      return value !== undefined && (isFirst || (counts.get(value) ?? 0) > 0);
    },
  topologySpreadConstraints: ({ topologyKey, ofItself, maxSkew = 1, minDomains = 0 }, counts) => {
    const lowest = counts.size < minDomains ? 0 : Math.min(...counts.values());
    return ({ node }) => {
      const value = ownValue(node.labels, topologyKey);
      if (value === undefined) return false;
      return (counts.get(value) ?? 0) + (ofItself ? 1 : 0) - lowest <= maxSkew;
    };
  },
};

/** Pods of the job that have a place bear no others beside them, if their anti-affinity says so. */
function keptAway({ index: own }: Group, { state, groups, spots }: At): SpotRule[] {
  return groups.flatMap(({ index: of, terms }) =>
    terms
      .filter(({ kind, isAbout }) => kind === 'podAntiAffinity' && isAbout[own])
      .map(({ topologyKey }): SpotRule => {
        const theirs = spots.filter((_, at) => state.placed[at]![of]! > 0);
        const values = new Set(theirs.map(({ node }) => ownValue(node.labels, topologyKey)));
        return ({ node }) => {
          const value = ownValue(node.labels, topologyKey);
          return value === undefined || !values.has(value);
        };
      }),
  );
}

function hasRoom(
  { free }: Spot,
  index: number,
  { group, at: { state, groups } }: { readonly group: Group; readonly at: At },
): boolean {
  return [...group.shape.requests].every(([resource, { nanos }]) => {
    if (nanos <= 0n) return true;
    const used = groups.reduce(
      (sum, { shape, index: of }) =>
        sum + (shape.requests.get(resource)?.nanos ?? 0n) * BigInt(state.placed[index]![of]!),
      0n,
    );
    return amountIn(free, resource).nanos - used >= nanos;
  });
}
