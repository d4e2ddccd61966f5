import type { Condition } from '../../contracts/kubernetes.ts';

export type NewCondition = Omit<Condition, 'lastTransitionTime' | 'lastUpdateTime'>;

/**
 * Kubeflow's rules for conditions: a changed condition moves to the end; Running and Restarting exclude each other;
 * Succeeded and Failed set Running to False, and Restarting too (training-operator leaves it True); nothing changes
 * after Failed.
 */
export function setCondition(
  conditions: readonly Condition[],
  condition: NewCondition,
  at: string,
): readonly Condition[] {
  if (conditions.some(({ type, status }) => type === 'Failed' && status === 'True')) return conditions;
  const known = conditions.find(({ type }) => type === condition.type);
  if (known?.status === condition.status && known.reason === condition.reason) return conditions;
  const kept = conditions
    .filter(({ type }) => type !== condition.type && type !== EXCLUDES[condition.type])
    .map((other) => (ENDS.includes(condition.type) ? ended(other, at) : other));
  const lastTransitionTime = known?.status === condition.status ? known.lastTransitionTime : at;
  return [...kept, { ...condition, lastTransitionTime, lastUpdateTime: at }];
}

const EXCLUDES: Readonly<Record<string, string>> = { Running: 'Restarting', Restarting: 'Running' };
const ENDS: readonly string[] = ['Succeeded', 'Failed'];

const ended = (condition: Condition, at: string): Condition =>
  condition.type in EXCLUDES && condition.status === 'True'
    ? { ...condition, status: 'False', lastTransitionTime: at, lastUpdateTime: at }
    : condition;
