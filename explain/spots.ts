import type { Amounts } from '../contracts/pod-requests.ts';
import { ownValue } from '../language/fields.ts';
import type { Around } from './around.ts';
import { amountIn } from './host-ports.ts';
import type { Wanted } from './pack.ts';
import type { NodeView, PodShape } from './situation.ts';
import { selectorKey, type TopologyTerm, termCount } from './topology-terms.ts';

/** Pods that are alike, and their terms. */
export interface Group extends Wanted {
  readonly index: number;
  readonly terms: readonly Term[];
}

export interface Term extends TopologyTerm {
  /** Whether pods of each group are among those that it is about. */
  readonly isAbout: readonly boolean[];
  /** How many pods that it is about each domain has. */
  readonly there: ReadonlyMap<string, number>;
}

export interface Spot {
  readonly node: NodeView;
  readonly free: Amounts;
  /** Nodes that have the same are alike for all pods. */
  readonly print: string;
}

/** Undefined if it does not follow from the pods whom a term is about. */
export function groupsOf(wanted: readonly Wanted[], around: Around): readonly Group[] | undefined {
  const groups = wanted.map((one, index) => ({
    ...{ ...one, index },
    terms: one.shape.topology.map((term) => ({
      ...term,
      isAbout: wanted.map(({ shape }) => shape.roles.every((role) => term.roles.includes(role))),
      there: thereOf(term, one, around),
    })),
  }));
  return groups.every(({ shape }) => isClear(shape, wanted)) ? groups : undefined;
}

function isClear({ topology, roles, placed }: PodShape, wanted: readonly Wanted[]): boolean {
  const affinities = topology.filter(({ kind }) => kind === 'podAffinity');
  const isOfOthers = (term: TopologyTerm) =>
    term.kind === 'podAntiAffinity' && term.roles.some((role) => !roles.includes(role));
  return (
    topology.every(({ of }) => of.namespaces !== 'unknown') &&
    // Kubernetes looks for pods that meet all terms.
    new Set(affinities.map(({ of }) => selectorKey(of))).size <= 1 &&
    topology.every((term) =>
      wanted.every(({ shape }) => new Set(shape.roles.map((role) => term.roles.includes(role))).size === 1),
    ) &&
    // Pods that have a node keep others away, too.
    !(placed > 0 && topology.some(isOfOthers))
  );
}

function thereOf(
  term: TopologyTerm,
  { seen }: Wanted,
  { nodes, neighbours, moment }: Around,
): ReadonlyMap<string, number> {
  const counts = neighbours?.get(selectorKey(term.of));
  const there = new Map<string, number>();
  for (const { name, labels } of nodes) {
    const value = ownValue(labels, term.topologyKey);
    if (value === undefined || (term.kind === 'topologySpreadConstraints' && !seen.has(name))) continue;
    there.set(value, (there.get(value) ?? 0) + termCount(term, counts?.get(name), moment));
  }
  return there;
}

/** Of nodes that are alike, as many as there are pods: more make no difference. */
export function spotsOf(groups: readonly Group[], { nodes, free }: Around): readonly Spot[] {
  const usable = nodes.filter(({ name }) => groups.some((group) => group.nodes.has(name)));
  const keys = [...new Set(groups.flatMap(({ terms }) => terms.map(({ topologyKey }) => topologyKey)))];
  const sizes = new Map(
    keys.map((key) => [key, Map.groupBy(nodes, ({ labels }) => ownValue(labels, key))] as const),
  );
  const needs = needsOf(groups);
  const pods = groups.reduce((sum, group) => sum + group.pods, 0);
  const kept = new Map<string, { readonly print: string; count: number }>();
  return usable.flatMap((node): Spot[] => {
    const has = free.get(node.name)!;
    const print = JSON.stringify([
      groups.map(({ nodes: may, seen }) => [may.has(node.name), seen.has(node.name)]),
      [...needs].map(([resource, most]) => String(least(amountIn(has, resource).nanos, most))),
      keys.map((key) => {
        const value = ownValue(node.labels, key);
        const isAlone = value !== undefined && sizes.get(key)!.get(value)!.length === 1;
        return isAlone ? groups.map(({ terms }) => terms.map(({ there }) => there.get(value) ?? 0)) : value;
      }),
    ]);
    const alike = kept.get(print) ?? { print: String(kept.size), count: 0 };
    kept.set(print, alike);
    alike.count += 1;
    return alike.count <= pods ? [{ node, free: has, print: alike.print }] : [];
  });
}

/** What all pods request together. */
function needsOf(groups: readonly Group[]): ReadonlyMap<string, bigint> {
  const needs = new Map<string, bigint>();
  for (const { shape, pods } of groups)
    for (const [resource, { nanos }] of shape.requests)
      needs.set(resource, (needs.get(resource) ?? 0n) + nanos * BigInt(pods));
  return needs;
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
