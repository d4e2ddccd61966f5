import type { Pod } from '../contracts/kubernetes.ts';
import { hasPodEnded } from '../contracts/pod.ts';
import { ownValue } from '../language/fields.ts';
import type { Moment } from './moment.ts';
import { holderOf, isOfNode, isOwnPod, type OwnJob } from './node-usage.ts';
import { type OwnPod, shapesOf } from './shape.ts';
import type { NodeView } from './situation.ts';
import {
  countAt,
  type Namespaces,
  type NeighbourCounts,
  type NeighbourPod,
  type PodCount,
  type PodSelector,
  type Repelling,
  repellingOf,
  selectable,
  selectorKey,
  selects,
} from './topology-terms.ts';

/** Counts the pods that terms are about, and those whose terms are about the job; each pod is looked at and forgotten. */
export class Neighbours {
  readonly #own: ReturnType<typeof ownOf>;
  readonly #selectors: ReadonlyMap<string, PodSelector>;
  /** Of pods beside which affinity wants those of the job. */
  readonly #wanted: readonly PodSelector[];
  readonly #counts = new Map<string, Map<string, PodCount>>();
  readonly #repelling = new Map<string, { readonly of: Repelling; readonly on: Map<string, PodCount> }>();
  /** By what they are counted, who has them, and where. */
  readonly #holders = new Map<string, NeighbourPod>();
  readonly #job: OwnJob;

  readonly #namespaces: Namespaces;

  constructor(
    pods: readonly OwnPod[],
    { job, namespaces }: { readonly job: OwnJob; readonly namespaces?: Namespaces },
  ) {
    this.#own = ownOf(pods);
    this.#job = job;
    this.#namespaces = namespaces;
    const terms = shapesOf(pods, { namespaces }).flatMap(({ topology }) => topology);
    this.#selectors = new Map(terms.map(({ of }) => [selectorKey(of), of]));
    this.#wanted = terms
      .filter(({ kind, roles }) => kind === 'podAffinity' && roles.length === 0)
      .map(({ of }) => of);
  }

  /** Whether a pod stays however long the job waits: those of a node itself, and those that the job wants beside it. */
  readonly isLasting = (pod: Pod): boolean => {
    const one = selectable(pod.metadata);
    return isOfNode(pod) || this.#wanted.some((of) => selects(of, one));
  };

  add(pod: Pod): void {
    const { nodeName } = pod.spec;
    if (!nodeName || hasPodEnded(pod)) return;
    const one = selectable(pod.metadata);
    const count = {
      all: 1,
      leaving: pod.metadata.deletionTimestamp === undefined ? 0 : 1,
      lasting: this.isLasting(pod) ? 1 : 0,
    };
    for (const [key, of] of this.#selectors) {
      if (!selects(of, one)) continue;
      const on = this.#counts.get(key) ?? new Map<string, PodCount>();
      this.#counts.set(key, on);
      addCount(on, nodeName, count);
      this.#hold(key, nodeName, pod);
    }
    if (isOwnPod(pod, this.#job) || !pod.spec.affinity) return;
    for (const of of repellingOf(
      { ...one, spec: pod.spec },
      { all: this.#own, namespaces: this.#namespaces },
    )) {
      const known = this.#repelling.get(of.name) ?? { of, on: new Map<string, PodCount>() };
      this.#repelling.set(of.name, known);
      addCount(known.on, nodeName, count);
      this.#hold(of.name, nodeName, pod);
    }
  }

  #hold(of: string, node: string, pod: Pod): void {
    if (isOwnPod(pod, this.#job)) return;
    const who = holderOf(pod, this.#job);
    const key = JSON.stringify([of, node, who]);
    this.#holders.set(key, { of, node, who, pods: (this.#holders.get(key)?.pods ?? 0) + 1 });
  }

  get counts(): NeighbourCounts {
    return this.#counts;
  }

  get holders(): readonly NeighbourPod[] {
    return [...this.#holders.values()];
  }

  get repelling(): readonly Repelling[] {
    return [...this.#repelling.values()].map(({ of }) => of);
  }

  /** Adds to nodes which pods of others keep those of the job away from them. */
  withRepelling(nodes: readonly NodeView[]): readonly NodeView[] {
    if (this.#repelling.size === 0) return nodes;
    const on = mapOf(MOMENTS, (moment) => this.#repellingAt(moment, nodes));
    return nodes.map((node) => ({ ...node, repelling: mapOf(MOMENTS, (moment) => on[moment](node)) }));
  }

  #repellingAt(moment: Moment, nodes: readonly NodeView[]): (node: NodeView) => ReadonlySet<string> {
    const terms = [...this.#repelling.values()].map(({ of, on }) => {
      const there = nodes.filter(({ name }) => countAt(on.get(name), moment) > 0);
      return { ...of, values: new Set(there.map(({ labels }) => ownValue(labels, of.topologyKey))) };
    });
    return ({ labels }) =>
      new Set(
        terms.flatMap(({ name, topologyKey, values }) => {
          const value = ownValue(labels, topologyKey);
          return value !== undefined && values.has(value) ? [name] : [];
        }),
      );
  }
}

const MOMENTS = ['now', 'freed', 'empty'] as const satisfies readonly Moment[];

const mapOf = <K extends string, T>(keys: readonly K[], made: (key: K) => T): Record<K, T> =>
  Object.fromEntries(keys.map((key) => [key, made(key)])) as Record<K, T>;

function addCount(on: Map<string, PodCount>, node: string, { all, leaving, lasting }: PodCount): void {
  const known = on.get(node) ?? { all: 0, leaving: 0, lasting: 0 };
  on.set(node, {
    all: known.all + all,
    leaving: known.leaving + leaving,
    lasting: known.lasting + lasting,
  });
}

/** A pod of each role: replicas are alike for selectors, but for their index. */
const ownOf = (pods: readonly OwnPod[]) =>
  [...Map.groupBy(pods, ({ role }) => role)].map(([role, [first]]) => ({
    role,
    ...selectable(first!.metadata ?? {}),
  }));
