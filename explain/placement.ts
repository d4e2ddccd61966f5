import type { Amounts } from '../contracts/pod-requests.ts';
import type { ShapePlacement } from './answer.ts';
import { type Judged, judge } from './node-class.ts';
import { type Packed, pack, type Wanted } from './pack.ts';
import { freeOf, type Moment, roomIn } from './room.ts';
import { type ShapeOnNodes, shapePlacement } from './shape-placement.ts';
import type { NodeView, PodShape, Situation } from './situation.ts';

/** Where the pods of a job find room. */
export interface Placement {
  readonly shapes: readonly ShapeOnNodes[];
  /** How many pods without a node must find one before the job can run. */
  readonly needed: number;
  /** Those pods on what is free now, and once pods that are being deleted are gone. */
  readonly now: Packed;
  readonly freed: Packed;
  /** The same on nodes that match them and are in service, if those were empty. */
  readonly inService: Packed;
  /** All pods that must run at once, on the nodes that match them, and on all nodes, if those were empty and in service. */
  readonly matching: Packed;
  readonly anywhere: Packed;
  /** How many pods that is. */
  readonly together: number;
}

/** Undefined if nodes cannot be read. */
export function placementOf({ demand, cluster }: Situation): Placement | undefined {
  const { nodes, isUsageKnown } = cluster;
  if (!nodes) return undefined;
  const { shapes, minMember } = demand;
  const all = shapes.reduce((sum, { pods }) => sum + pods, 0);
  const placed = shapes.reduce((sum, shape) => sum + shape.placed, 0);
  const together = minMember > 1 ? Math.min(minMember, all) : all;
  const needed = Math.max(0, together - placed);
  const onNodes = shapes.map((shape) => ({
    shape,
    pods: shape.pods - shape.placed,
    judged: nodes.map((node) => judge(node, shape, isUsageKnown)),
  }));
  const waiting = firstOf(onNodes, needed, ({ pods }) => pods);
  const running = firstOf(onNodes, together, ({ shape }) => shape.pods);
  const packOn = (wanted: readonly Wanted[], moment: Moment) => pack(wanted, freeAt(nodes, moment));
  return {
    ...{ shapes: onNodes, needed, together },
    now: packOn(
      wantedOn(waiting, ({ room }) => room > 0),
      'now',
    ),
    freed: packOn(
      wantedOn(waiting, ({ freed }) => freed > 0),
      'freed',
    ),
    inService: packOn(
      wantedOn(waiting, (one) => one.empty > 0 && isInService(one)),
      'empty',
    ),
    matching: packOn(
      wantedOn(running, ({ empty }) => empty > 0),
      'empty',
    ),
    anywhere: packOn(
      wantedOn(running, ({ node }, shape) => roomIn(freeOf(node, 'empty'), shape) > 0),
      'empty',
    ),
  };
}

/** Whether the state of the node lets the scheduler use it. */
export const isInService = ({ class: name }: Judged): boolean => name !== 'notReady' && name !== 'cordoned';

type Counted = ShapeOnNodes & { readonly count: number };

/** The kind of a job defines the order of its roles: a gang that may begin with fewer pods begins with the first. */
function firstOf(
  shapes: readonly ShapeOnNodes[],
  most: number,
  countOf: (shape: ShapeOnNodes) => number,
): Counted[] {
  let left = most;
  return shapes.map((one) => {
    const count = Math.min(left, countOf(one));
    left -= count;
    return { ...one, count };
  });
}

const wantedOn = (
  shapes: readonly Counted[],
  isUsable: (judged: Judged, shape: PodShape) => boolean,
): Wanted[] =>
  shapes.map(({ shape, judged, count }) => ({
    shape,
    pods: count,
    nodes: new Set(judged.filter((one) => isUsable(one, shape)).map(({ node }) => node.name)),
  }));

const freeAt = (nodes: readonly NodeView[], moment: Moment): ReadonlyMap<string, Amounts> =>
  new Map(nodes.map((node) => [node.name, freeOf(node, moment)]));

/** What the answer shows of it. */
export const shownPlacements = ({ shapes }: Placement, isUsageKnown: boolean): readonly ShapePlacement[] =>
  shapes.filter(({ pods }) => pods > 0).map((one) => shapePlacement(one, isUsageKnown));
