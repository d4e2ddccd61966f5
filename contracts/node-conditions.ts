import type { Node } from './kubernetes.ts';
import { conditionOf } from './objects.ts';
import type { NodeTrouble } from './policy.ts';

/** The troubles of a node, each with its start in epoch milliseconds. */
export type NodeConditions = Readonly<Partial<Record<NodeTrouble, number>>> & Pick<NodeCondition, 'isSilent'>;

/** Worst first. */
const GRAVITY = ['OutOfService', 'NotReady', 'Cordoned'] as const satisfies readonly NodeTrouble[];

export interface NodeCondition {
  readonly trouble: NodeTrouble;
  readonly since: number;
  /** Its kubelet is not heard of: nobody ends what runs there. */
  readonly isSilent?: true;
}

/**
 * Returns the node's troubles. Start times come from the cluster where it records them, so that all watchers agree.
 * Otherwise a trouble starts when it was first `known`, or `now`.
 */
export function nodeConditions({ spec, status }: Node, known: NodeConditions, now: number): NodeConditions {
  const outOfService = taintOf(spec, 'node.kubernetes.io/out-of-service');
  const ready = conditionOf({ status }, 'Ready');
  const cordon = taintOf(spec, 'node.kubernetes.io/unschedulable');
  const since = (trouble: NodeTrouble, reportedAt: string | undefined) =>
    Date.parse(reportedAt ?? '') || (known[trouble] ?? now);
  return {
    ...(outOfService && { OutOfService: since('OutOfService', outOfService.timeAdded) }),
    // A node without a Ready condition has no pods yet.
    ...(ready && ready.status !== 'True' && { NotReady: since('NotReady', ready.lastTransitionTime) }),
    ...(spec?.unschedulable && { Cordoned: since('Cordoned', cordon?.timeAdded) }),
    ...(isSilentNode({ status }) && { isSilent: true }),
  };
}

export function worstCondition(troubles: NodeConditions): NodeCondition | undefined {
  const trouble = GRAVITY.find((one) => troubles[one] !== undefined);
  return trouble && { trouble, since: troubles[trouble]!, ...(troubles.isSilent && { isSilent: true }) };
}

/** Whether the control plane has not heard of the node's kubelet for longer than its grace period. */
export const isSilentNode = ({ status }: Pick<Node, 'status'>): boolean =>
  conditionOf({ status }, 'Ready')?.status === 'Unknown';

const taintOf = (spec: Node['spec'], key: string) => spec?.taints?.find((taint) => taint.key === key);
