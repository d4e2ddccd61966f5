import type { Pod } from '../contracts/kubernetes.ts';
import { hasPodEnded } from '../contracts/pod.ts';
import { type OwnPod, shapesOf } from './shape.ts';
import {
  type NeighbourCounts,
  type PodSelector,
  repels,
  selectable,
  selectorKey,
  selects,
} from './topology-terms.ts';

/** Counts the pods that terms are about, wherever they are; each pod is looked at and forgotten. */
export class Neighbours {
  readonly #own: ReturnType<typeof ownOf>;
  readonly #selectors: ReadonlyMap<string, PodSelector>;
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #isOwn: (pod: Pod) => boolean;
  #areRepelling = false;

  constructor(pods: readonly OwnPod[], isOwn: (pod: Pod) => boolean) {
    this.#own = ownOf(pods);
    this.#isOwn = isOwn;
    const terms = shapesOf(pods).flatMap(({ topology }) => topology);
    this.#selectors = new Map(terms.map(({ of }) => [selectorKey(of), of]));
  }

  add(pod: Pod): void {
    const { nodeName } = pod.spec;
    if (!nodeName || hasPodEnded(pod)) return;
    const one = selectable(pod.metadata);
    for (const [key, of] of this.#selectors) {
      if (!selects(of, one)) continue;
      const nodes = this.#counts.get(key) ?? new Map<string, number>();
      nodes.set(nodeName, (nodes.get(nodeName) ?? 0) + 1);
      this.#counts.set(key, nodes);
    }
    if (!this.#areRepelling && !this.#isOwn(pod) && pod.spec.affinity)
      this.#areRepelling = repels({ ...one, spec: pod.spec }, this.#own);
  }

  get counts(): NeighbourCounts {
    return { bySelector: this.#counts, areRepelling: this.#areRepelling };
  }
}

/** A pod of each role: replicas are alike for selectors, but for their index. */
const ownOf = (pods: readonly OwnPod[]) =>
  [...Map.groupBy(pods, ({ role }) => role)].map(([role, [first]]) => ({
    role,
    ...selectable(first!.metadata ?? {}),
  }));
