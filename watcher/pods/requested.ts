import type { Container, Pod, PodSpec } from '../../contracts/kubernetes.ts';
import {
  type Amounts,
  addAmounts,
  formatAmounts,
  multiplyAmounts,
  NOTHING,
  parseAmounts,
  podRequests,
} from '../../contracts/pod-requests.ts';

/**
 * What a pod requests of its node, as JSON by resource: pods of a role are equal in it. Undefined if it requests nothing,
 * or unknown amounts.
 */
export type Requested = string | undefined;

export function requestedBy({ spec }: Pod): Requested {
  try {
    const amounts = podRequests(spec);
    return amounts.size > 0 ? JSON.stringify(formatAmounts(amounts)) : undefined;
  } catch {
    return undefined; // a pod of any other form must not stop the stream
  }
}

/** Returns what pods request together. */
export function sumOfRequests(pods: readonly { readonly requested?: Requested }[]): Amounts {
  const alike = [...Map.groupBy(pods, ({ requested }) => requested)];
  return alike.map(([requested, { length }]) => timesOf(requested, length)).reduce(addAmounts, NOTHING);
}

function timesOf(requested: Requested, times: number): Amounts {
  if (requested === undefined) return NOTHING;
  return multiplyAmounts(parseAmounts(JSON.parse(requested)), times);
}

/** Keeps of a pod's spec what `requestedBy` reads. */
export const trimRequests = ({ initContainers, overhead, resources }: PodSpec): Partial<PodSpec> => ({
  ...(initContainers ? { initContainers: initContainers.map(trimContainer) } : {}),
  ...(overhead ? { overhead } : {}),
  ...(resources ? { resources } : {}),
});

const trimContainer = ({ name, resources, restartPolicy }: Container): Container => ({
  name,
  resources,
  restartPolicy,
});
