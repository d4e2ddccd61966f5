import type { Node, Pod } from '../contracts/kubernetes.ts';
import { conditionOf } from '../contracts/objects.ts';
import { gatesOf, hasPodEnded, isLiftedOnQuota } from '../contracts/pod.ts';
import { addAmounts, multiplyAmounts } from '../contracts/pod-requests.ts';
import type { Claims } from '../explain/claims.ts';
import { judge } from '../explain/node-class.ts';
import { NodeUsage } from '../explain/node-usage.ts';
import { type OwnPod, shapesOf } from '../explain/shape.ts';
import type { Holder, NodeView, PodShape } from '../explain/situation.ts';
import { type Gang, Gangs, type GangsOptions, isBeingPlaced, waitsForNodes } from './gang.ts';

/** What gated gangs compete for, at one moment. */
export interface Pool {
  /** In epoch milliseconds. */
  readonly at: number;
  readonly gangs: readonly Gang[];
  readonly nodes: readonly NodeView[];
  /** Who uses how much, by namespace. */
  readonly holders: readonly Holder[];
  /** Pods of others that a scheduler may place at any moment. */
  readonly rivals: readonly Rival[];
  /** Pods of others that got their node a short while ago. */
  readonly newcomers: readonly Newcomer[];
  /** What gangs that wait mount, by uid; of gangs that mount no claims nothing. */
  readonly claims: ReadonlyMap<string, Claims>;
}

interface Rival {
  readonly namespace: string;
  readonly priority: number;
  readonly shape: PodShape;
}

interface Newcomer {
  readonly namespace: string;
  /** When it got its node, in epoch milliseconds. */
  readonly at: number;
}

/** A scheduler that finds no place for a pod for so long sees what is not computed here: such a pod reserves nothing. */
const RIVAL_MS = 30_000;
/** The same of a pod of which no scheduler has said anything: it may have been away, or not exist. */
const UNSEEN_MS = 180_000;
/** Longer than a gang may take to be placed. */
const NEWCOMER_MS = 300_000;

/** Makes a pool of pods and nodes. Each bound pod is added up and forgotten. */
export class PoolReader {
  readonly #at: number;
  readonly #usage = new NodeUsage({ namespace: '', name: '' });
  readonly #gangs: Gangs;
  readonly #waiting: Pod[] = [];
  readonly #newcomers: Newcomer[] = [];

  /** Gangs of no job that `jobOf` knows are pods like any. */
  constructor(at: number, jobOf: GangsOptions['jobOf']) {
    this.#at = at;
    this.#gangs = new Gangs({ jobOf, isSought: (pod) => this.#isRival(pod) });
  }

  add(pod: Pod): void {
    this.#usage.add(pod);
    if (hasPodEnded(pod)) return;
    const isMember = this.#gangs.add(pod);
    const isOfOthers = !isMember || isLiftedOnQuota(pod);
    if (!pod.spec.nodeName && isOfOthers && this.#isRival(pod)) this.#waiting.push(pod);
    else if (pod.spec.nodeName && !isMember) this.#noteNewcomer(pod);
  }

  get gangs(): readonly Gang[] {
    return this.#gangs.all;
  }

  pool(nodes: readonly Node[], claims: Pool['claims'] = new Map()): Pool {
    const { gangs } = this;
    // Members beyond those that must be placed together are placed one by one.
    const spare = gangs.filter((gang) => !isBeingPlaced(gang) && !waitsForNodes(gang));
    const rivals = [
      ...[...Map.groupBy(this.#waiting, ({ metadata }) => metadata.namespace ?? '')].flatMap(
        ([namespace, pods]) =>
          rivalsOf(
            namespace,
            pods.map(({ spec }) => ({ role: '', spec, isCreated: true })),
          ),
      ),
      ...spare.flatMap(({ namespace, ...gang }) =>
        rivalsOf(namespace, gang.placedAt >= this.#at - UNSEEN_MS ? gang.lifted : gang.sought),
      ),
    ];
    return {
      at: this.#at,
      gangs,
      nodes: nodes.map((node) => this.#usage.view(node, this.#at)),
      holders: this.#usage.holders,
      rivals,
      newcomers: this.#newcomers,
      claims,
    };
  }

  #noteNewcomer(pod: Pod): void {
    const { lastTransitionTime = '' } = conditionOf(pod, 'PodScheduled') ?? {};
    const at = Date.parse(lastTransitionTime);
    if (at >= this.#at - NEWCOMER_MS) this.#newcomers.push({ namespace: pod.metadata.namespace ?? '', at });
  }

  #isRival(pod: Pod): boolean {
    if (gatesOf(pod.spec).length > 0 || pod.metadata.deletionTimestamp !== undefined) return false;
    if (pod.status?.nominatedNodeName) return false;
    const said = conditionOf(pod, 'PodScheduled');
    // The API server says that of gates, and nobody changes it before a scheduler looks.
    if (said?.status === 'False' && said.reason !== 'SchedulingGated')
      return Date.parse(said.lastTransitionTime ?? '') >= this.#at - RIVAL_MS;
    const since = Date.parse(pod.metadata.creationTimestamp ?? '');
    return !(since < this.#at - UNSEEN_MS);
  }
}

/** Pods that compete with a gang, by what matters to it. */
export const rivalsOf = (namespace: string, pods: readonly OwnPod[]): readonly Rival[] =>
  [...Map.groupBy(pods, ({ spec }) => spec.priority ?? 0)].flatMap(([priority, equal]) =>
    shapesOf(equal).map((shape) => ({ namespace, priority, shape })),
  );

/**
 * Reserves room for the rivals of a gang, spread over the nodes, as schedulers do by default. What finds no room takes
 * none.
 */
export function reserveFor(nodes: readonly NodeView[], rivals: readonly Rival[]): readonly NodeView[] {
  return rivals.toSorted((a, b) => b.priority - a.priority).reduce(reserveShape, nodes);
}

function reserveShape(nodes: readonly NodeView[], { shape }: Rival): readonly NodeView[] {
  const rooms = nodes.map((node) => judge(node, shape, true).room);
  const taken = spread(shape.pods, rooms);
  return nodes.map((node, index) => {
    const pods = taken[index]!;
    if (pods === 0) return node;
    return { ...node, nominated: addAmounts(node.nominated, multiplyAmounts(shape.requests, pods)) };
  });
}

/** Gives each node one pod in turn, as long as it has room. */
function spread(pods: number, rooms: readonly number[]): number[] {
  const taken = rooms.map(() => 0);
  const open = rooms
    .flatMap((room, index) => (room > 0 ? [index] : []))
    .sort((a, b) => rooms[b]! - rooms[a]!);
  let waiting = pods;
  for (let round = 1; waiting > 0 && open.some((index) => rooms[index]! >= round); round++) {
    for (const index of open) {
      if (waiting === 0) break;
      if (rooms[index]! < round) continue;
      taken[index]! += 1;
      waiting -= 1;
    }
  }
  return taken;
}
