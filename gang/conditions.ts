import type { Condition, KubeObject } from '../contracts/kubernetes.ts';

/** Returns the conditions in an object's status. */
export const conditionsOf = ({ status }: KubeObject): readonly Condition[] =>
  (status as { readonly conditions?: readonly Condition[] } | undefined)?.conditions ?? [];

export const findCondition = (object: KubeObject, wanted: string): Condition | undefined =>
  conditionsOf(object).find(({ type }) => type === wanted);

/** Returns the phase in an object's status; empty until the scheduler writes one. */
export const groupPhase = ({ status }: KubeObject): string =>
  (status as { readonly phase?: string } | undefined)?.phase ?? '';

/** Returns the number of members by state, as the scheduler counted them. */
export function countsOf({ status }: KubeObject) {
  const { running = 0, succeeded = 0, failed = 0 } = (status ?? {}) as Partial<Record<State, number>>;
  return { running, succeeded, failed };
}

type State = 'running' | 'succeeded' | 'failed';

/**
 * Returns why the group cannot be placed. Schedulers do not remove the condition Unschedulable: a later condition
 * Scheduled overrides it, and the phase may be newer still.
 */
export function findUnschedulable(group: KubeObject): Condition | undefined {
  const [unschedulable, scheduled] = ['Unschedulable', 'Scheduled'].map((wanted) =>
    conditionsOf(group).find(({ type, status }) => type === wanted && status === 'True'),
  );
  return isLater(scheduled, unschedulable) ? undefined : unschedulable;
}

/** Formats reason and message of a condition in one line. */
export const conditionMessage = ({ reason, message }: Condition) =>
  [reason, message].filter(Boolean).join(': ');

const isLater = (a: Condition | undefined, b: Condition | undefined) => transitionTime(a) > transitionTime(b);

const transitionTime = (condition: Condition | undefined) =>
  Date.parse(condition?.lastTransitionTime ?? '') || 0;
