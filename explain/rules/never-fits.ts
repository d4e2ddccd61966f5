import { multiplyAmounts, subtractAmounts } from '../../contracts/pod-requests.ts';
import { amountText, largerQuantity, type Quantity, ZERO } from '../../contracts/quantity.ts';
import type { WaitReason } from '../../contracts/types.ts';
import { nearestQualified } from '../../language/did-you-mean.ts';
import { ownValue } from '../../language/fields.ts';
import { gangAmounts, gangNumbers, shortestInSum } from '../gang-amounts.ts';
import { heldBy } from '../held-by.ts';
import { amountIn, isHostPort, portRemedy } from '../host-ports.ts';
import { heldByNeighbours } from '../neighbour-holders.ts';
import { remediesText } from '../node-remedies.ts';
import type { Placement } from '../placement.ts';
import { freeOf, roomIn, shortageIn } from '../room.ts';
import { minimumText, nodesText, ofShape, originText, podsText, type Rule, waitReason } from '../rule.ts';
import type { ShapeOnNodes } from '../shape-placement.ts';
import type { ClusterView, Demand, NodeView, Situation } from '../situation.ts';
import { topologyRemedy } from '../topology-remedy.ts';

/** What no waiting can cure: a pod, or the pods that must run at once, are more than all nodes have when they are empty. */
export const neverFits: Rule = (situation, placement) => {
  const { nodes = [], queue } = situation.cluster;
  const byQueue =
    queue?.code === 'NeverFits'
      ? [
          waitReason('NeverFits', `${queue.of} says that the job can never be admitted`, {
            said: queue.message,
            since: queue.since,
          }),
        ]
      : [];
  if (!placement) return byQueue;
  if (nodes.length === 0) return [waitReason('NeverFits', 'the cluster has no nodes'), ...byQueue];
  const tooLarge = placement.shapes.flatMap((shape) => largerThanAll(shape, situation));
  if (tooLarge.length > 0) return [...tooLarge, ...byQueue];
  return placement.anywhere.fits === 'no'
    ? [tooMany(placement, { ...situation.cluster, nodes }), ...byQueue]
    : byQueue;
};

function largerThanAll(
  { shape }: ShapeOnNodes,
  { demand, cluster }: Pick<Situation, 'demand' | 'cluster'>,
): readonly WaitReason[] {
  const { nodes = [] } = cluster;
  if (nodes.some((node) => roomIn(freeOf(node, 'empty'), shape) > 0)) return [];
  const short = [...shape.requests]
    .map(([resource, needs]) => ({ resource, needs, has: largest(nodes, resource) }))
    .filter(({ needs, has }) => has.nanos < needs.nanos);
  const unknown = short.find(({ has }) => has.nanos <= 0n);
  const near = unknown && nearestQualified(unknown.resource, [...new Set(nodes.flatMap(resourcesOf))]);
  const most = short[0];
  if (!most)
    return [
      waitReason(
        'NeverFits',
        `no node has all that a ${ofShape(shape)} pod requests at once, even when empty`,
      ),
    ];
  const words = short.map(({ resource, needs, has }) =>
    isHostPort(resource)
      ? `${resource}, which pods of the nodes themselves use on all of them`
      : `${amountText(needs)} ${resource}${originText(demand, resource)}, the largest node has ${amountText(has)}`,
  );
  const hint = near ? `; no node has ${unknown.resource}, ${nodesWith(near, nodes)} ${near}` : '';
  return [
    waitReason('NeverFits', `each ${ofShape(shape)} pod requests ${words.join('; ')}${hint}`, {
      ...{ resource: most.resource, needs: amountText(most.needs), has: amountText(most.has) },
      ...(isHostPort(most.resource) ? heldBy(cluster, most.resource) : {}),
      remedy: remedyFor({ ...most, near }, { demand, where: `the ${ofShape(shape)} template` }),
    }),
  ];
}

interface Lacking {
  readonly resource: string;
  readonly has: Quantity;
  readonly near: string | undefined;
}

function remedyFor(
  { resource, has, near }: Lacking,
  { demand, where }: { readonly demand: Demand; readonly where: string },
): string {
  if (near !== undefined) return `Write ${near} for ${resource} in resources of ${where}.`;
  if (isHostPort(resource)) return portRemedy(where);
  const origin = ownValue(demand.origins ?? {}, resource);
  const less =
    has.nanos > 0n ? `Request at most ${amountText(has)} ${resource}` : `Remove ${resource} from resources`;
  const set = origin ? `, which is from ${origin}: set it yourself` : '';
  return `${less} in ${where}${set}. Or an administrator of the cluster adds nodes that have it.`;
}

const resourcesOf = ({ allocatable }: NodeView): readonly string[] =>
  [...allocatable].flatMap(([resource, { nanos }]) => (nanos > 0n ? [resource] : []));

function nodesWith(resource: string, nodes: readonly NodeView[]): string {
  const count = nodes.filter((node) => resourcesOf(node).includes(resource)).length;
  return `${nodesText(count)} ${count === 1 ? 'has' : 'have'}`;
}

const largest = (nodes: readonly NodeView[], resource: string) =>
  nodes.map((node) => amountIn(freeOf(node, 'empty'), resource)).reduce(largerQuantity, ZERO);

function tooMany(
  placement: Placement,
  cluster: ClusterView & { readonly nodes: readonly NodeView[] },
): WaitReason {
  const { nodes } = cluster;
  const { anywhere, together, minimum, shapes, running } = placement;
  const most = `${anywhere.isExact ? '' : 'at least '}${anywhere.placed}`;
  const how = minimum === undefined ? 'must run at once' : 'must have a node before the job runs';
  const short = anywhere.limitedBy ? undefined : shortestInSum(running, { nodes, moment: 'empty' });
  const amounts = short && gangNumbers(short);
  const sums = amounts
    ? `: they need ${amounts.needs} ${amounts.resource}, the cluster has ${amounts.has}`
    : '';
  const found = `${minimumText(minimum)}${podsText(together)} ${how}${sums}; the ${nodesText(nodes.length)} of the cluster hold ${most} of them when all are empty`;
  const numbers = { needs: podsText(together), has: podsText(anywhere.placed) };
  const { limitedBy, placed } = anywhere;
  if (limitedBy) {
    const you = topologyRemedy(
      { limitedBy, placed },
      shapes.map(({ shape }) => shape),
    );
    const remedy = remediesText([{ you, administrator: 'add nodes' }]);
    const held = heldByNeighbours(anywhere, placement, cluster);
    return waitReason('NeverFits', `${found}: ${limitedBy}`, { ...numbers, ...held, remedy });
  }
  if (amounts) return waitReason('NeverFits', found, amounts);
  const pieces = piecesText(placement, nodes);
  return waitReason('NeverFits', `${found}${pieces && `: ${pieces}`}`, numbers);
}

/** Enough in sum: what of a node is too little for one pod more, of the shape that nodes hold fewest of. */
function piecesText({ running }: Placement, nodes: readonly NodeView[]): string {
  const [worst] = running
    .filter(({ count }) => count > 0)
    .map(({ shape, count }) => ({
      shape,
      count,
      rooms: nodes.map((node) => roomIn(freeOf(node, 'empty'), shape)),
    }))
    .toSorted((a, b) => roomPart(a) - roomPart(b));
  if (!worst) return '';
  const { shape, count, rooms } = worst;
  const most = Math.max(...rooms);
  const fullest = nodes[rooms.indexOf(most)]!;
  const resource = shortageIn(
    subtractAmounts(freeOf(fullest, 'empty'), multiplyAmounts(shape.requests, most)),
    shape,
  );
  if (resource === undefined || isHostPort(resource)) return '';
  const { needs, has } = gangNumbers(gangAmounts(resource, [{ shape, count }], { nodes, moment: 'empty' }));
  return `the ${ofShape(shape)} pods need ${needs} ${resource} of ${has}, and no node holds more than ${most} of them by its ${resource}`;
}

const roomPart = ({ rooms, count }: { readonly rooms: readonly number[]; readonly count: number }): number =>
  rooms.reduce((sum, room) => sum + room, 0) / count;
