import type { Taint } from '../contracts/kubernetes.ts';
import type { NodeClassName } from '../contracts/node-classes.ts';
import type { NodeTrouble } from '../contracts/policy.ts';
import type { Moment } from './moment.ts';
import { isOfState, matchesTerms, untolerated, untoleratedStates } from './node-selector.ts';
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
  const empty = roomAt('empty', node, shape);
  const away = stateOf(node, shape);
  if (away) return { node, class: away, room: 0, freed: 0, empty };
  if (!isUsageKnown) return { node, class: 'unknown', room: 0, freed: 0, empty };
  const room = roomAt('now', node, shape);
  const freed = roomAt('freed', node, shape);
  if (room > 0) return { node, class: 'room', room, freed, empty };
  if (freed === 0) return { node, ...nowFull(node, shape), room, freed, empty };
  return { node, class: node.leavingSince === undefined ? 'reserved' : 'beingFreed', room, freed, empty };
}

const nowFull = (node: NodeView, shape: PodShape): Pick<Judged, 'class' | 'detail'> =>
  isRepelled('now', node, shape)
    ? { class: 'repelled' }
    : { class: 'full', detail: shortageIn(freeOf(node, 'now'), shape) };

const roomAt = (moment: Moment, node: NodeView, shape: PodShape): number =>
  isRepelled(moment, node, shape) ? 0 : roomIn(freeOf(node, moment), shape);

const isRepelled = (moment: Moment, { repelling }: NodeView, { repelledBy }: PodShape): boolean =>
  repelledBy.some((name) => repelling?.[moment].has(name));

function neverHere(node: NodeView, shape: PodShape): Pick<Judged, 'class' | 'detail'> | undefined {
  const unmet = unmetTerm(shape, node);
  if (unmet !== undefined) return { class: 'selector', detail: unmet };
  if (shape.affinities.some(({ terms }) => matchesTerms(terms, node) === undefined))
    return { class: 'unknown' };
  const taint = untolerated(mindedTaints(node, shape), shape.tolerations);
  if (taint) return { class: 'taint', detail: taintText(taint) };
  const empty = freeOf(node, 'empty');
  if (roomIn(empty, shape) === 0) return { class: 'tooSmall', detail: shortageIn(empty, shape) };
  return isRepelled('empty', node, shape) ? { class: 'repelled' } : undefined;
}

function stateOf(
  node: NodeView,
  shape: PodShape,
): Extract<NodeClassName, 'notReady' | 'cordoned'> | undefined {
  const kept = untoleratedStates(statesOf(node, shape), shape.tolerations);
  if (kept.length === 0) return undefined;
  return kept.every(({ key }) => key === CORDON.key) ? 'cordoned' : 'notReady';
}

/** What the state of a node taints it with, or soon will. Only a scheduler minds a cordon. */
function statesOf({ taints, trouble }: NodeView, { nodeName }: PodShape): readonly Taint[] {
  const soon = trouble ? TAINTS[trouble.trouble] : [];
  if (nodeName !== undefined) return soon.filter((taint) => taint !== CORDON);
  const there = taints.filter(isOfState);
  return there.length > 0 ? there : soon;
}

const taintOf = (name: string): Taint => ({ key: `node.kubernetes.io/${name}`, effect: 'NoSchedule' });

const CORDON = taintOf('unschedulable');

/** What Kubernetes taints such nodes with. */
const TAINTS: Readonly<Record<NodeTrouble, readonly Taint[]>> = {
  Cordoned: [CORDON],
  NotReady: [taintOf('not-ready'), taintOf('unreachable')],
  OutOfService: [taintOf('out-of-service')],
};
