import { type Condition, type KubeObject, NODES, type Resource } from '../../contracts/kubernetes.ts';
import type { NodeTrouble } from '../../contracts/policy.ts';

/** What the watcher reads of a node. */
export interface Node extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Taint {
  readonly key: string;
  readonly timeAdded?: string;
  readonly [field: string]: unknown;
}

export const NODE = NODES as Resource<Node>;

/** Since when a node has been in each trouble that it is in, in epoch milliseconds. */
export type NodeConditions = Readonly<Partial<Record<NodeTrouble, number>>>;

/** The gravest first. */
const GRAVITY = ['OutOfService', 'NotReady', 'Cordoned'] as const satisfies readonly NodeTrouble[];

export interface NodeCondition {
  readonly trouble: NodeTrouble;
  readonly since: number;
}

/**
 * Times are the cluster's as far as it tells them, so that each watcher tells the same; else trouble is as old as it
 * has been `known`, or begins `now`.
 */
export function nodeConditions({ spec, status }: Node, known: NodeConditions, now: number): NodeConditions {
  const outOfService = taintOf(spec, 'node.kubernetes.io/out-of-service');
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const cordon = taintOf(spec, 'node.kubernetes.io/unschedulable');
  const since = (trouble: NodeTrouble, told: string | undefined) =>
    Date.parse(told ?? '') || (known[trouble] ?? now);
  return {
    ...(outOfService && { OutOfService: since('OutOfService', outOfService.timeAdded) }),
    // A node that has never said how it is has no pods either.
    ...(ready && ready.status !== 'True' && { NotReady: since('NotReady', ready.lastTransitionTime) }),
    ...(spec?.unschedulable && { Cordoned: since('Cordoned', cordon?.timeAdded) }),
  };
}

export function worstCondition(troubles: NodeConditions): NodeCondition | undefined {
  const trouble = GRAVITY.find((one) => troubles[one] !== undefined);
  return trouble && { trouble, since: troubles[trouble]! };
}

/** A node without what `troublesOf` does not read: most of it is its list of images. */
export const trimNode = ({ apiVersion, kind, metadata: { name }, spec, status }: Node): Node => ({
  apiVersion,
  kind,
  metadata: { name },
  spec: { unschedulable: spec?.unschedulable, taints: spec?.taints },
  status: { conditions: status?.conditions?.filter(({ type }) => type === 'Ready') },
});

const taintOf = (spec: Node['spec'], key: string) => spec?.taints?.find((taint) => taint.key === key);
