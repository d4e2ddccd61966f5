import { multiplyAmounts } from '../../contracts/pod-requests.ts';
import { amountText, largerQuantity, ZERO } from '../../contracts/quantity.ts';
import type { WaitReason } from '../answer.ts';
import type { Placement } from '../placement.ts';
import { freeOf, roomIn, sumOf } from '../room.ts';
import { nodesText, ofShape, podsText, type Rule, waitReason } from '../rule.ts';
import type { ShapeOnNodes } from '../shape-placement.ts';
import type { NodeView } from '../situation.ts';

/** What no waiting can cure: a pod, or the pods that must run at once, are more than all nodes have when they are empty. */
export const neverFits: Rule = ({ cluster: { nodes = [], queue } }, placement) => {
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
  const tooLarge = placement.shapes.flatMap((shape) => largerThanAll(shape, nodes));
  if (tooLarge.length > 0) return [...tooLarge, ...byQueue];
  return placement.anywhere.fits === 'no' ? [tooMany(placement, nodes), ...byQueue] : byQueue;
};

function largerThanAll({ shape }: ShapeOnNodes, nodes: readonly NodeView[]): readonly WaitReason[] {
  if (nodes.some((node) => roomIn(freeOf(node, 'empty'), shape) > 0)) return [];
  const short = [...shape.requests]
    .map(([resource, needs]) => ({ resource, needs, has: largest(nodes, resource) }))
    .filter(({ needs, has }) => has.nanos < needs.nanos);
  const most = short[0];
  if (!most)
    return [
      waitReason(
        'NeverFits',
        `no node has all that a ${ofShape(shape)} pod requests at once, even when empty`,
      ),
    ];
  const words = short.map(
    ({ resource, needs, has }) => `${amountText(needs)} ${resource}, the largest node has ${amountText(has)}`,
  );
  return [
    waitReason('NeverFits', `each ${ofShape(shape)} pod requests ${words.join('; ')}`, {
      ...{ resource: most.resource, needs: amountText(most.needs), has: amountText(most.has) },
    }),
  ];
}

const largest = (nodes: readonly NodeView[], resource: string) =>
  nodes.map((node) => freeOf(node, 'empty').get(resource) ?? ZERO).reduce(largerQuantity, ZERO);

function tooMany(placement: Placement, nodes: readonly NodeView[]): WaitReason {
  const { anywhere, together } = placement;
  const held = `${anywhere.isExact ? '' : 'at least '}${anywhere.placed}`;
  const found = `${podsText(together)} must run at once; the ${nodesText(nodes.length)} of the cluster hold ${held} of them when all are empty`;
  const short = shortInSum(placement, nodes);
  if (!short)
    return waitReason('NeverFits', found, { needs: podsText(together), has: podsText(anywhere.placed) });
  const { resource, needs, has } = short;
  const numbers = { resource, needs: amountText(needs), has: amountText(has) };
  return waitReason(
    'NeverFits',
    `${found}: they request ${numbers.needs} ${resource} of ${numbers.has}`,
    numbers,
  );
}

/** Returns a resource of which the job requests more than all nodes have. */
function shortInSum({ shapes }: Placement, nodes: readonly NodeView[]) {
  const needs = sumOf(shapes.map(({ shape }) => multiplyAmounts(shape.requests, shape.pods)));
  const has = sumOf(nodes.map((node) => freeOf(node, 'empty')));
  return [...needs]
    .map(([resource, amount]) => ({ resource, needs: amount, has: has.get(resource) ?? ZERO }))
    .find((one) => one.needs.nanos > one.has.nanos);
}
