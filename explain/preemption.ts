import { type Amounts, addAmounts } from '../contracts/pod-requests.ts';
import { freeOf } from './room.ts';
import type { OwnPod } from './shape.ts';
import type { NodeView, PodShape } from './situation.ts';

/** Returns the priority below which pods of others are removed to make room for each of these; undefined if none are. */
export function preemptsBelow(pods: readonly OwnPod[]): number | undefined {
  const priorities = pods.flatMap(({ spec: { priority, preemptionPolicy } }) =>
    priority === undefined || preemptionPolicy === 'Never' ? [] : [priority],
  );
  return priorities.length > 0 && priorities.length === pods.length ? Math.min(...priorities) : undefined;
}

/** What is free once all such pods are gone; undefined if there are none. */
export function freePreempted(nodes: readonly NodeView[]): ReadonlyMap<string, Amounts> | undefined {
  if (nodes.every(({ lower }) => lower === undefined)) return undefined;
  return new Map(
    nodes.map((node) => {
      const free = freeOf(node, 'now');
      return [node.name, node.lower ? addAmounts(free, node.lower.used) : free];
    }),
  );
}

/**
 * Whether what removing pods does is computed. It is not for other schedulers, nor where it matters which pods go, nor where some go
 * already: a scheduler may wait for these.
 */
export const isPreemptionComputed = (shapes: readonly PodShape[], nodes: readonly NodeView[]): boolean =>
  shapes.every(
    ({ topology, repelledBy, schedulerName }) =>
      topology.length + repelledBy.length === 0 && schedulerName === 'default-scheduler',
  ) && !nodes.some(({ lower }) => lower?.areLeaving);

/** Said where that is so. */
export const UNKNOWN_PREEMPTION = 'whether pods of a lower priority would make room is not computed';
