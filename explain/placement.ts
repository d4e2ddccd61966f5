import type { Amounts } from '../contracts/pod-requests.ts';
import type { ShapePlacement } from '../contracts/types.ts';
import type { Fits } from './answer.ts';
import type { CountedShape } from './gang-amounts.ts';
import type { Moment } from './moment.ts';
import { type Judged, judge } from './node-class.ts';
import { isSpreadOver } from './node-terms.ts';
import { type Packed, pack, type Wanted } from './pack.ts';
import { type Preempted, preemptedBy } from './preemption.ts';
import { freeOf, roomIn } from './room.ts';
import { type ShapeOnNodes, shapePlacement } from './shape-placement.ts';
import type { NodeView, PodShape, Situation } from './situation.ts';
import { withinTopology } from './topology.ts';

/** Where the pods of a job find room: those that must find it at once or, if these do, all that it needs to run. */
export interface Placement {
  readonly shapes: readonly ShapeOnNodes[];
  /** How many pods without a node must find one before the job can run. */
  readonly needed: number;
  /** Those pods on what is free now, and once pods that are being deleted are gone. */
  readonly now: Packed;
  readonly freed: Packed;
  /** Whether they find room once pods of a lower priority are gone that a scheduler may remove for them; absent if there are none. */
  readonly preempted?: Preempted;
  /** The same on nodes that match them and are in service, if those were empty. */
  readonly inService: Packed;
  /** All pods that must run at once, on the nodes that match them, and on all nodes, if those were empty and in service. */
  readonly matching: Packed;
  readonly anywhere: Packed;
  /** How many pods that is. */
  readonly together: number;
  /** How many of them must find room at once, and do. */
  readonly minimum?: number;
  /** Of each shape those without a node that must find one, and those that must run at once. */
  readonly waiting: readonly CountedShape[];
  readonly running: readonly CountedShape[];
  /** How many pods of a shape find room now, if only these are placed. */
  alone(one: ShapeOnNodes): Packed;
}

/** Undefined if nodes cannot be read. */
export function placementOf(situation: Situation): Placement | undefined {
  const { shapes, minMember, enough } = situation.demand;
  const all = shapes.reduce((sum, { pods }) => sum + pods, 0);
  const minimum = minMember > 1 ? Math.min(minMember, all) : all;
  const placement = placementFor(situation, minimum);
  if (enough === undefined || enough <= minimum || !placement) return placement;
  const whole = placementFor(situation, Math.min(enough, all))!;
  if (placement.now.fits === 'yes') return { ...whole, minimum };
  // What no waiting can cure comes first.
  return isOutOfReach(whole) && !isOutOfReach(placement) ? whole : placement;
}

const isOutOfReach = ({ anywhere, matching, inService }: Placement): boolean =>
  [anywhere, matching, inService].some(({ fits }) => fits === 'no');

function placementFor({ demand, cluster }: Situation, together: number): Placement | undefined {
  const { nodes, isUsageKnown, neighbours } = cluster;
  if (!nodes) return undefined;
  const { shapes } = demand;
  const placed = shapes.reduce((sum, shape) => sum + shape.placed, 0);
  const needed = Math.max(0, together - placed);
  const onNodes = shapes.map((shape) => ({
    shape,
    pods: shape.pods - shape.placed,
    judged: nodes.map((node) => judge(node, shape, isUsageKnown)),
  }));
  const waiting = firstOf(onNodes, needed, ({ pods }) => pods);
  const running = firstOf(onNodes, together, ({ shape }) => shape.pods);
  const packOn = (wanted: readonly Wanted[], moment: Moment, isAnywhere = false) => {
    const free = freeAt(nodes, moment);
    const around = { nodes, free, neighbours, moment, isAnywhere };
    return withinTopology(pack(wanted, free), wanted, around);
  };
  const preempted = preemptedOn(waiting, nodes);
  return {
    ...{ shapes: onNodes, needed, together, waiting, running },
    ...(preempted ? { preempted } : {}),
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
      wantedOn(running, isLargeEnough, () => true),
      'empty',
      true,
    ),
    alone: (one) =>
      packOn(
        wantedOn([{ ...one, count: one.pods }], ({ room }) => room > 0),
        'now',
      ),
  };
}

function preemptedOn(waiting: readonly Counted[], nodes: readonly NodeView[]): Preempted | undefined {
  const shapes = waiting.filter(({ count }) => count > 0).map(({ shape }) => shape);
  const tryWith = (free: ReadonlyMap<string, Amounts>) => {
    const wanted = wantedOn(
      waiting,
      (one, shape) => one.empty > 0 && isInService(one) && roomIn(free.get(one.node.name)!, shape) > 0,
    );
    const around = { nodes, free, neighbours: undefined, moment: 'now', isAnywhere: false } as const;
    const { fits } = withinTopology(pack(wanted, free), wanted, around);
    return { fits, nodes: new Set(wanted.flatMap((one) => [...one.nodes])) };
  };
  return preemptedBy({ nodes, shapes, tryWith });
}

/** When it is empty. */
const isLargeEnough = ({ node }: Judged, shape: PodShape): boolean =>
  roomIn(freeOf(node, 'empty'), shape) > 0;

/** Whether pods find room by preemption only; undefined if they need none, or no pods would go. */
export const byPreemption = ({ now, preempted }: Placement): Fits | undefined =>
  now.fits === 'yes' ? undefined : preempted?.fits;

/** Whether the state of the node lets the scheduler use it. */
export const isInService = ({ class: name }: Judged): boolean => name !== 'notReady' && name !== 'cordoned';

type Counted = ShapeOnNodes & CountedShape;

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
  isSeen = isDomain,
): Wanted[] =>
  shapes.map(({ shape, judged, count }) => ({
    shape,
    pods: count,
    nodes: namesOf(judged.filter((one) => isUsable(one, shape))),
    seen: namesOf(judged.filter((one) => isSeen(one, shape))),
  }));

const namesOf = (judged: readonly Judged[]): ReadonlySet<string> =>
  new Set(judged.map(({ node }) => node.name));

const isDomain = ({ node }: Judged, shape: PodShape): boolean => isSpreadOver(shape, node);

const freeAt = (nodes: readonly NodeView[], moment: Moment): ReadonlyMap<string, Amounts> =>
  new Map(nodes.map((node) => [node.name, freeOf(node, moment)]));

/** What the answer shows of it: of pods that are alike and all looked for the same number as its reasons. */
export function shownPlacements(placement: Placement, isUsageKnown: boolean): readonly ShapePlacement[] {
  const { shapes, now, needed, alone } = placement;
  const shown = shapes.filter(({ pods }) => pods > 0);
  const isKnown = shown.length === 1 && shown[0]!.pods === needed;
  return shown.map((one) => shapePlacement(one, isUsageKnown ? (isKnown ? now : alone(one)) : undefined));
}
