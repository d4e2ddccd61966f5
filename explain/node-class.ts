import type { NodeClassName } from '../contracts/node-classes.ts';
import type { NodeTrouble } from '../contracts/policy.ts';
import { matchesTerms, toleratesState, untolerated } from './node-selector.ts';
import { mindedTaints, taintText, unmetTerm } from './node-terms.ts';
import { freeOf, roomIn, shortageIn } from './room.ts';
import type { NodeView, PodShape } from './situation.ts';

/** What a node is for pods of a shape: exactly one class. */
export interface Judged {
  readonly node: NodeView;
  readonly class: NodeClassName;
  /** The term of the pods that excludes it, its taint, or a resource. */
  readonly detail?: string;
  /** How many pods it has room for now. */
  readonly room: number;
  /** The same once pods that are being deleted are gone and reservations are not made; and if it was empty. */
  readonly freed: number;
  /** 0 if pods may never run there, as node and pods are now. */
  readonly empty: number;
}

/** Judges a node for one pod of a shape: what never passes comes first, then what may pass by itself. */
export function judge(node: NodeView, shape: PodShape, isUsageKnown: boolean): Judged {
  const never = neverHere(node, shape);
  if (never) return { node, ...never, room: 0, freed: 0, empty: 0 };
  const empty = roomIn(freeOf(node, 'empty'), shape);
  const away = stateOf(node, shape);
  if (away) return { node, class: away, room: 0, freed: 0, empty };
  if (!isUsageKnown) return { node, class: 'unknown', room: 0, freed: 0, empty };
  const now = freeOf(node, 'now');
  const room = roomIn(now, shape);
  const freed = roomIn(freeOf(node, 'freed'), shape);
  if (room > 0) return { node, class: 'room', room, freed, empty };
  const detail = shortageIn(now, shape);
  if (freed === 0) return { node, class: 'full', detail, room, freed, empty };
  return { node, class: node.leavingSince === undefined ? 'reserved' : 'beingFreed', room, freed, empty };
}

function neverHere(node: NodeView, shape: PodShape): Pick<Judged, 'class' | 'detail'> | undefined {
  const unmet = unmetTerm(shape, node);
  if (unmet !== undefined) return { class: 'selector', detail: unmet };
  if (shape.affinities.some(({ terms }) => matchesTerms(terms, node) === undefined))
    return { class: 'unknown' };
  const taint = untolerated(mindedTaints(node, shape), shape.tolerations);
  if (taint) return { class: 'taint', detail: taintText(taint) };
  const empty = freeOf(node, 'empty');
  return roomIn(empty, shape) > 0 ? undefined : { class: 'tooSmall', detail: shortageIn(empty, shape) };
}

function stateOf(
  { trouble }: NodeView,
  { tolerations, nodeName }: PodShape,
): Extract<NodeClassName, 'notReady' | 'cordoned'> | undefined {
  if (!trouble || TAINTS[trouble.trouble].every((taint) => toleratesState(taint, tolerations)))
    return undefined;
  if (trouble.trouble === 'Cordoned' && nodeName !== undefined) return undefined;
  return trouble.trouble === 'Cordoned' ? 'cordoned' : 'notReady';
}

/** What Kubernetes taints such nodes with. */
const TAINTS: Readonly<Record<NodeTrouble, readonly string[]>> = {
  Cordoned: ['unschedulable'],
  NotReady: ['not-ready', 'unreachable'],
  OutOfService: ['out-of-service'],
};
