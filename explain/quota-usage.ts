import { type Amounts, addAmounts, multiplyAmounts, NOTHING } from '../contracts/pod-requests.ts';
import type { Quantity } from '../contracts/quantity.ts';
import type { CountedBy, PodShape, QuotaScope } from './situation.ts';

/** What pods use of quotas, by the names that quotas have for it. */
export const usageOf = (shapes: readonly PodShape[], countOf: (shape: PodShape) => number): Amounts =>
  shapes.map((shape) => multiplyAmounts(usageOfOne(shape), countOf(shape))).reduce(addAmounts, NOTHING);

function usageOfOne({ requests, limits }: PodShape): Amounts {
  const named = [...requests].flatMap(([resource, amount]): [string, Quantity][] => {
    if (resource === 'pods')
      return [
        ['pods', amount],
        ['count/pods', amount],
      ];
    return [
      [`requests.${resource}`, amount],
      ...(PLAIN.test(resource) ? [[resource, amount] as [string, Quantity]] : []),
    ];
  });
  const limited = [...limits].map(([resource, amount]): [string, Quantity] => [`limits.${resource}`, amount]);
  return new Map([...named, ...limited]);
}

/** Resources that a quota may also name without `requests.`. */
const PLAIN = /^(cpu|memory|ephemeral-storage|hugepages-.*)$/;

/** Whether a quota counts such pods. */
export function isInScope(
  { scopeName, operator = 'Exists', values = [] }: QuotaScope,
  shape: CountedBy,
): boolean {
  switch (scopeName) {
    case 'Terminating':
      return shape.hasDeadline;
    case 'NotTerminating':
      return !shape.hasDeadline;
    case 'BestEffort':
      return isBestEffort(shape);
    case 'NotBestEffort':
      return !isBestEffort(shape);
    case 'CrossNamespacePodAffinity':
      return shape.reachesNamespaces;
    case 'PriorityClass':
      return isOfClass(shape.priorityClassName, operator, values);
    default:
      return false;
  }
}

/** Whether a quota that counts one counts the other, whatever its scopes are. */
export const areCountedAlike = (a: CountedBy, b: CountedBy): boolean =>
  a.hasDeadline === b.hasDeadline &&
  isBestEffort(a) === isBestEffort(b) &&
  a.reachesNamespaces === b.reachesNamespaces &&
  a.priorityClassName === b.priorityClassName;

export const isBestEffort = ({ requests, limits }: CountedBy) =>
  ![...requests, ...limits].some(
    ([resource, { nanos }]) => nanos > 0n && (resource === 'cpu' || resource === 'memory'),
  );

function isOfClass(name: string | undefined, operator: string, values: readonly string[]): boolean {
  if (operator === 'Exists') return name !== undefined;
  if (operator === 'DoesNotExist') return name === undefined;
  return operator === 'In' ? values.includes(name ?? '') : !values.includes(name ?? '');
}
