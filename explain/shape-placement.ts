import { NODE_CLASSES } from '../contracts/node-classes.ts';
import { formatAmounts } from '../contracts/pod-requests.ts';
import { formatQuantity } from '../contracts/quantity.ts';
import type { NodeClass, ShapePlacement, ShortNode } from '../contracts/types.ts';
import { compareText } from '../language/compare-text.ts';
import { amountIn } from './host-ports.ts';
import type { Judged } from './node-class.ts';
import { excludingTerms } from './node-terms.ts';
import type { Packed } from './pack.ts';
import { freeOf, shortageIn } from './room.ts';
import type { PodShape } from './situation.ts';

export interface ShapeOnNodes {
  readonly shape: PodShape;
  /** Pods without a node. */
  readonly pods: number;
  readonly judged: readonly Judged[];
}

const MOST_SHORT = 20;
const MOST_EXAMPLES = 3;

/** Shows where pods of a shape find room. `alone`: how many of them do; absent if what pods use is not known. */
export function shapePlacement({ shape, pods, judged }: ShapeOnNodes, alone?: Packed): ShapePlacement {
  const isKnown = alone !== undefined && alone.fits !== 'unknown';
  const most = judged.reduce((sum, one) => sum + one.room, 0);
  return {
    roles: shape.roles,
    pods,
    requests: formatAmounts(shape.requests),
    ...(alone ? { room: isKnown ? alone.placed : Math.min(most, pods) } : {}),
    isExact: isKnown && shape.notComputed.length === 0,
    nodes: judged.length,
    classes: classesOf(judged),
    excludedBy: excludedBy({ shape, judged }),
    short: alone ? shortNodes(judged, shape) : [],
  };
}

/** Returns what keeps the pods from nodes, whatever else does. */
export const excludedBy = ({ shape, judged }: Pick<ShapeOnNodes, 'shape' | 'judged'>) =>
  excludingTerms(
    shape,
    judged.map(({ node }) => node),
  );

/** Counts the nodes of each class, in the order of `NODE_CLASSES`, the most frequent detail first. */
export function classesOf(judged: readonly Judged[]): NodeClass[] {
  const groups = Map.groupBy(judged, ({ class: name, detail = '' }) => `${name} ${detail}`);
  const order = Object.keys(NODE_CLASSES);
  return [...groups.values()]
    .map((group): NodeClass => {
      const [{ class: name, detail }] = group as [Judged, ...Judged[]];
      const names = group.map(({ node }) => node.name).sort(compareText);
      const examples = names.slice(0, MOST_EXAMPLES);
      return { class: name, ...(detail ? { detail } : {}), nodes: group.length, examples };
    })
    .sort(
      (a, b) =>
        order.indexOf(a.class) - order.indexOf(b.class) ||
        b.nodes - a.nodes ||
        compareText(a.detail ?? '', b.detail ?? ''),
    );
}

/** Nodes that match and cannot take a pod now, with what is short. */
function shortNodes(judged: readonly Judged[], shape: PodShape): ShortNode[] {
  const full = judged.filter(
    ({ class: name }) => name === 'full' || name === 'beingFreed' || name === 'reserved',
  );
  return full
    .flatMap(({ node, room }) => {
      const free = freeOf(node, 'now');
      const resource = shortageIn(free, shape);
      if (!resource) return [];
      const [needs, has] = [shape.requests.get(resource)!, amountIn(free, resource)];
      const share = Number(has.nanos) / Number(needs.nanos);
      const shown: ShortNode = {
        ...{ node: node.name, room, resource },
        ...{ needs: formatQuantity(needs), free: formatQuantity(has) },
        total: formatQuantity(amountIn(node.allocatable, resource)),
      };
      return [{ share, shown }];
    })
    .sort((a, b) => b.share - a.share || compareText(a.shown.node, b.shown.node))
    .slice(0, MOST_SHORT)
    .map(({ shown }) => shown);
}
