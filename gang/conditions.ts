import type { Condition, KubeObject } from '../contracts/kubernetes.ts';

/** The conditions in an object's status. */
export const conditionsOf = ({ status }: KubeObject): readonly Condition[] =>
  (status as { readonly conditions?: readonly Condition[] } | undefined)?.conditions ?? [];

/** The phase in an object's status; empty while nobody has written one. */
export const groupPhase = ({ status }: KubeObject): string =>
  (status as { readonly phase?: string } | undefined)?.phase ?? '';

/** Members by state, as the scheduler has counted them. */
export function countsOf({ status }: KubeObject) {
  const { running = 0, succeeded = 0, failed = 0 } = (status ?? {}) as Partial<Record<State, number>>;
  return { running, succeeded, failed };
}

type State = 'running' | 'succeeded' | 'failed';

/**
 * Why the group cannot be placed. Schedulers do not take that condition back: one that says the opposite later in time
 * stands beside it, and the phase may know better still.
 */
export function findUnschedulable(group: KubeObject): Condition | undefined {
  const [unschedulable, scheduled] = ['Unschedulable', 'Scheduled'].map((wanted) =>
    conditionsOf(group).find(({ type, status }) => type === wanted && status === 'True'),
  );
  return isLater(scheduled, unschedulable) ? undefined : unschedulable;
}

/** Reason and message of a condition in one line. */
export const conditionMessage = ({ reason, message }: Condition) =>
  [reason, message].filter(Boolean).join(': ');

const isLater = (a: Condition | undefined, b: Condition | undefined) => timeOf(a) > timeOf(b);

const timeOf = (condition: Condition | undefined) => Date.parse(condition?.lastTransitionTime ?? '') || 0;
