import { multiplyAmounts } from '../../contracts/pod-requests.ts';
import { amountText, largerQuantity, ZERO } from '../../contracts/quantity.ts';
import type { WaitReason } from '../../contracts/types.ts';
import { nearestQualified } from '../../language/did-you-mean.ts';
import { amountIn } from '../host-ports.ts';
import type { Placement } from '../placement.ts';
import { freeOf, roomIn, sumIn, sumOf } from '../room.ts';
import { minimumText, nodesText, ofShape, originText, podsText, type Rule, waitReason } from '../rule.ts';
import type { ShapeOnNodes } from '../shape-placement.ts';
import type { Demand, NodeView } from '../situation.ts';

/** What no waiting can cure: a pod, or the pods that must run at once, are more than all nodes have when they are empty. */
export const neverFits: Rule = ({ cluster: { nodes = [], queue }, demand }, placement) => {
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
  const tooLarge = placement.shapes.flatMap((shape) => largerThanAll(shape, nodes, demand));
  if (tooLarge.length > 0) return [...tooLarge, ...byQueue];
  return placement.anywhere.fits === 'no' ? [tooMany(placement, nodes), ...byQueue] : byQueue;
};

function largerThanAll(
  { shape }: ShapeOnNodes,
  nodes: readonly NodeView[],
  demand: Demand,
): readonly WaitReason[] {
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
  const words = short.map(
    ({ resource, needs, has }) =>
      `${amountText(needs)} ${resource}${originText(demand, resource)}, the largest node has ${amountText(has)}`,
  );
  const hint = near ? `; no node has ${unknown.resource}, ${nodesWith(near, nodes)} ${near}` : '';
  return [
    waitReason('NeverFits', `each ${ofShape(shape)} pod requests ${words.join('; ')}${hint}`, {
      ...{ resource: most.resource, needs: amountText(most.needs), has: amountText(most.has) },
    }),
  ];
}

const resourcesOf = ({ allocatable }: NodeView): readonly string[] => [...allocatable.keys()];

function nodesWith(resource: string, nodes: readonly NodeView[]): string {
  const count = nodes.filter(({ allocatable }) => allocatable.has(resource)).length;
  return `${nodesText(count)} ${count === 1 ? 'has' : 'have'}`;
}

const largest = (nodes: readonly NodeView[], resource: string) =>
  nodes.map((node) => amountIn(freeOf(node, 'empty'), resource)).reduce(largerQuantity, ZERO);

function tooMany(placement: Placement, nodes: readonly NodeView[]): WaitReason {
  const { anywhere, together, minimum } = placement;
  const held = `${anywhere.isExact ? '' : 'at least '}${anywhere.placed}`;
  const how = minimum === undefined ? 'must run at once' : 'must have a node before the job runs';
  const found = `${minimumText(minimum)}${podsText(together)} ${how}; the ${nodesText(nodes.length)} of the cluster hold ${held} of them when all are empty`;
  const numbers = { needs: podsText(together), has: podsText(anywhere.placed) };
  if (anywhere.limitedBy) return waitReason('NeverFits', `${found}: ${anywhere.limitedBy}`, numbers);
  const short = shortInSum(placement, nodes);
  if (!short) return waitReason('NeverFits', found, numbers);
  const { resource, needs, has } = short;
  const amounts = { resource, needs: amountText(needs), has: amountText(has) };
  return waitReason(
    'NeverFits',
    `${found}: they request ${amounts.needs} ${resource} of ${amounts.has}`,
    amounts,
  );
}

/** Returns a resource of which the job requests more than all nodes have. */
function shortInSum({ shapes }: Placement, nodes: readonly NodeView[]) {
  const needs = sumOf(shapes.map(({ shape }) => multiplyAmounts(shape.requests, shape.pods)));
  const has = nodes.map((node) => freeOf(node, 'empty'));
  return [...needs]
    .map(([resource, amount]) => ({ resource, needs: amount, has: sumIn(has, resource) }))
    .find((one) => one.needs.nanos > one.has.nanos);
}
