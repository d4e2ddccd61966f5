import type { WaitCode, Who } from '../contracts/reasons.ts';

/**
 * Why a job waits. Plain JSON; amounts are quantities of Kubernetes.
 *
 * @public
 */
export interface WaitAnswer {
  /** The most important first: that one is the reason. Empty: nothing keeps the job from running. */
  readonly reasons: readonly WaitReason[];
  /** Where the pods find room, for each shape of pods without a node. Empty where nodes cannot be read. */
  readonly placements: readonly ShapePlacement[];
  /** Whether the pods find room now, together if they are a gang; `unknown` says so in `reasons`. */
  readonly fits?: Fits;
  /** What keeps no pod from a node, but may not be what was meant, in sentences. */
  readonly notes?: readonly string[];
  /** What could not be read or is not computed, in sentences. */
  readonly unknown: readonly string[];
}

/** @public */
export type Fits = 'yes' | 'no' | 'unknown';

/** @public */
export interface WaitReason {
  readonly code: WaitCode;
  readonly sentence: string;
  /** Who can change it. */
  readonly who: Who;
  /** RFC 3339, if it is known. */
  readonly since?: string;
  readonly resource?: string;
  readonly needs?: string;
  readonly has?: string;
  /** Who holds what is missing, the largest first. */
  readonly heldBy?: readonly { readonly who: string; readonly amount: string }[];
  /** The words of the scheduler, the API server or a queue. */
  readonly said?: string;
  /** Of a reason that is a turn: where the job is in the order. The sentence says the same. */
  readonly place?: QueuePlace;
}

/**
 * Where a job is in the order of a queue.
 *
 * @public
 */
export interface QueuePlace {
  /** A lane, the gated gangs of the cluster, or a LocalQueue of Kueue. */
  readonly queue: 'lane' | 'gatedGangs' | 'LocalQueue';
  /** Of the lane or the LocalQueue. */
  readonly name?: string;
  /** From 1; absent for a job that could not start however much were free. */
  readonly position?: number;
  /** How many jobs have a position. */
  readonly of: number;
  /** The position of a job in a LocalQueue among those of all queues of its ClusterQueue, if that is known. */
  readonly inClusterQueue?: number;
  /** Those that come first, the first first; at most 5. `needs`: all of its pods together, if that is known. */
  readonly ahead: readonly { readonly who: string; readonly needs?: Readonly<Record<string, string>> }[];
  /** When it can start, if the ends of those that run are known; RFC 3339. */
  readonly earliestStart?: string;
}

/** @public */
export interface ShapePlacement {
  readonly roles: readonly string[];
  /** Pods without a node. */
  readonly pods: number;
  /** Of one pod. */
  readonly requests: Readonly<Record<string, string>>;
  /** How many of the pods find room now. A lower bound, unless `isExact`. */
  readonly room?: number;
  readonly isExact: boolean;
  /** Number of nodes: the sum over the classes. */
  readonly nodes: number;
  /** Each node is in one class. */
  readonly classes: readonly NodeClass[];
  /** What of the pods, or which taint, keeps them from nodes, whatever else does; what excludes most first, at most 8. */
  readonly excludedBy: readonly ExcludingTerm[];
  /** Nodes that match and are too full, the emptiest first; at most 20. */
  readonly short: readonly ShortNode[];
}

/** @public */
export interface ExcludingTerm {
  /** E.g. `nodeSelector zone=b`, `nodeAffinity disk In ssd, nvme` or `taint dedicated=ml:NoSchedule`. */
  readonly term: string;
  /** How many nodes it alone excludes. */
  readonly nodes: number;
  /** What nodes have, or pods tolerate, that comes nearest to it. */
  readonly hint?: string;
}

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
  full: 'too full',
  beingFreed: 'with room once pods are gone that are being deleted',
  reserved: 'with room that is reserved for pods of others',
  room: 'with room',
  unknown: 'not known well enough',
} as const;

/** @public */
export type NodeClassName = keyof typeof NODE_CLASSES;

/** @public */
export interface NodeClass {
  readonly class: NodeClassName;
  /** The term that excludes the nodes, the taint, or the resource. */
  readonly detail?: string;
  readonly nodes: number;
  /** At most 3. */
  readonly examples: readonly string[];
}

/** @public */
export interface ShortNode {
  readonly node: string;
  /** How many of the pods it has room for. */
  readonly room: number;
  /** The resource that lacks most. */
  readonly resource: string;
  /** Of one pod. */
  readonly needs: string;
  readonly free: string;
}
