/**
 * What a node can be for pods, in order: the first that applies is its class.
 *
 * @public
 */
export const NODE_CLASSES = {
  selector: 'excluded by node selector or affinity',
  taint: 'with a taint that the pods do not tolerate',
  tooSmall: 'too small, even when empty',
  notReady: 'not ready',
  cordoned: 'cordoned',
  repelled: 'where pods of others keep them away by their anti-affinity',
  full: 'too full',
  beingFreed: 'with room once pods are gone that are being deleted',
  reserved: 'with room that is reserved for pods of others',
  room: 'with room',
  unknown: 'not known well enough',
} as const;

/** @public */
export type NodeClassName = keyof typeof NODE_CLASSES;
