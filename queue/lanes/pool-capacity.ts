import type { Node, Pod } from '../../contracts/kubernetes.ts';
import type { LanesConfig } from '../../contracts/lanes.ts';
import { nodeConditions, worstCondition } from '../../contracts/node-conditions.ts';
import { anchorUidOf } from '../../contracts/objects.ts';
import { hasPodEnded } from '../../contracts/pod.ts';
import {
  type Amounts,
  addAmounts,
  NOTHING,
  podUsage,
  readAmounts,
  subtractAmounts,
} from '../../contracts/pod-requests.ts';
import { ownValue } from '../../language/fields.ts';

/** Whether what a pool has follows from nodes. */
export const readsNodes = ({ pools }: Pick<LanesConfig, 'pools'>): boolean =>
  Object.values(pools).some((pool) => 'nodes' in pool);

/** Whether what a lane grants is of nodes. Pods of jobs whose lane is gone use their nodes as those of others. */
export function grantsNodes({ pools, lanes }: Pick<LanesConfig, 'pools' | 'lanes'>, lane: string): boolean {
  const pool = ownValue(pools, ownValue(lanes, lane)?.pool ?? '');
  return pool !== undefined && 'nodes' in pool;
}

/** Adds up what others use of nodes. Each pod is added and forgotten. */
export class PoolCapacity {
  readonly #isInLane: (anchorUid: string) => boolean;
  readonly #used = new Map<string, Amounts>();

  /** `isInLane`: whether the pods of an anchor's job use what a lane has granted. */
  constructor(isInLane: (anchorUid: string) => boolean) {
    this.#isInLane = isInLane;
  }

  add(pod: Pod): void {
    const { nodeName } = pod.spec;
    const owner = anchorUidOf(pod);
    if (!nodeName || hasPodEnded(pod) || (owner !== undefined && this.#isInLane(owner))) return;
    this.#used.set(nodeName, addAmounts(this.#used.get(nodeName) ?? NOTHING, podUsage(pod.spec)));
  }

  /**
   * Returns what each pool has for jobs in lanes, by its name: of nodes what pods may request of those that are ready and
   * take pods, less what pods of others use there.
   */
  of(lanes: Pick<LanesConfig, 'pools'>, nodes: readonly Node[], at: number): Map<string, Amounts> {
    const takesPods = (node: Node) => worstCondition(nodeConditions(node, {}, at)) === undefined;
    return ofPools(lanes, nodes, (node) => (takesPods(node) ? this.#free(node) : NOTHING));
  }

  /** Returns what each pool has for jobs in lanes when nobody else uses it, and all its nodes are ready and take pods. */
  whole(lanes: Pick<LanesConfig, 'pools'>, nodes: readonly Node[]): Map<string, Amounts> {
    return ofPools(lanes, nodes, ({ status }) => readAmounts(status?.allocatable));
  }

  #free({ metadata, status }: Node): Amounts {
    return subtractAmounts(readAmounts(status?.allocatable), this.#used.get(metadata.name) ?? NOTHING);
  }
}

/** Returns the capacity of each pool, or what its nodes have together. */
function ofPools(
  { pools }: Pick<LanesConfig, 'pools'>,
  nodes: readonly Node[],
  amountsOf: (node: Node) => Amounts,
): Map<string, Amounts> {
  const ofNodes = (labels: Readonly<Record<string, string>>) =>
    nodes
      .filter((node) => matches(node, labels))
      .map(amountsOf)
      .reduce(addAmounts, NOTHING);
  return new Map(
    Object.entries(pools).map(([name, pool]) => [
      name,
      'capacity' in pool ? pool.capacity : ofNodes(pool.nodes),
    ]),
  );
}

const matches = ({ metadata: { labels = {} } }: Node, wanted: Readonly<Record<string, string>>): boolean =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value);
