import { type Amounts, addAmounts } from '../contracts/pod-requests.ts';
import type { Fits } from './answer.ts';
import { freeOf, roomIn, sumOf } from './room.ts';
import type { OwnPod } from './shape.ts';
import type { LowerPods, NodeView, PodShape } from './situation.ts';

/** Returns the priority below which pods of others are removed to make room for each of these; undefined if none are. */
export function preemptsBelow(pods: readonly OwnPod[]): number | undefined {
  const priorities = pods.flatMap(({ spec: { priority, preemptionPolicy } }) =>
    priority === undefined || preemptionPolicy === 'Never' ? [] : [priority],
  );
  return priorities.length > 0 && priorities.length === pods.length ? Math.min(...priorities) : undefined;
}

/** What removing pods of a lower priority does for those that wait. */
export interface Preempted {
  /** Whether they find room once all such pods are gone. */
  readonly fits: Fits;
  /** If they do: those among whom the scheduler chooses, of the lowest priorities that are enough. */
  readonly among?: readonly LowerPods[];
}

interface Preempting {
  readonly nodes: readonly NodeView[];
  /** Of the pods that wait. */
  readonly shapes: readonly PodShape[];
  /** Whether they fit into what is free, and on which nodes they may be. */
  readonly tryWith: (free: ReadonlyMap<string, Amounts>) => {
    readonly fits: Fits;
    readonly nodes: ReadonlySet<string>;
  };
}

/** Undefined if there are no pods of a lower priority. */
export function preemptedBy({ nodes, shapes, tryWith }: Preempting): Preempted | undefined {
  if (nodes.every(({ lower }) => lower === undefined)) return undefined;
  if (!isPreemptionComputed(shapes, nodes)) return { fits: 'unknown' };
  const { fits } = tryWith(freeWithout(nodes, Number.POSITIVE_INFINITY));
  if (fits !== 'yes') return { fits };
  for (const most of prioritiesOf(nodes)) {
    const free = freeWithout(nodes, most);
    const tried = tryWith(free);
    if (tried.fits !== 'yes') continue;
    const gaining = nodes.filter(
      (node) =>
        tried.nodes.has(node.name) &&
        shapes.some((shape) => roomIn(free.get(node.name)!, shape) > roomIn(freeOf(node, 'now'), shape)),
    );
    return { fits, among: summed(gaining.flatMap((node) => lowerOf(node, most))) };
  }
  return { fits };
}

/** What is free once all pods of others are gone that have at most this priority. */
const freeWithout = (nodes: readonly NodeView[], most: number): ReadonlyMap<string, Amounts> =>
  new Map(
    nodes.map((node) => {
      const used = sumOf(lowerOf(node, most).map((one) => one.used));
      return [node.name, addAmounts(freeOf(node, 'now'), used)];
    }),
  );

const lowerOf = ({ lower }: NodeView, most: number): readonly LowerPods[] =>
  lower?.pods.filter(({ priority }) => priority <= most) ?? [];

const prioritiesOf = (nodes: readonly NodeView[]): readonly number[] =>
  [...new Set(nodes.flatMap(({ lower }) => lower?.pods.map(({ priority }) => priority) ?? []))].sort(
    (a, b) => a - b,
  );

/** Over all nodes: the lowest priority first, of each those with most pods. */
function summed(all: readonly LowerPods[]): readonly LowerPods[] {
  const groups = Map.groupBy(all, ({ who, priority }) => `${priority} ${who}`);
  return [...groups.values()]
    .map((group) => ({
      ...group[0]!,
      pods: group.reduce((sum, { pods }) => sum + pods, 0),
      used: sumOf(group.map(({ used }) => used)),
    }))
    .toSorted((a, b) => a.priority - b.priority || b.pods - a.pods || a.who.localeCompare(b.who, 'en'));
}

/**
 * Whether what removing pods does is computed. It is not for other schedulers, nor where it matters which pods go, nor where some go
 * already: a scheduler may wait for these.
 */
const isPreemptionComputed = (shapes: readonly PodShape[], nodes: readonly NodeView[]): boolean =>
  shapes.every(
    ({ topology, repelledBy, schedulerName }) =>
      topology.length + repelledBy.length === 0 && schedulerName === 'default-scheduler',
  ) && !nodes.some(({ lower }) => lower?.areLeaving);

/** Said where that is so. */
export const UNKNOWN_PREEMPTION = 'whether pods of a lower priority would make room is not computed';
