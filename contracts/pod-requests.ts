import type { Container, PodSpec, ResourceAmounts } from './kubernetes.ts';
import {
  addQuantities,
  formatQuantity,
  largerQuantity,
  multiplyQuantity,
  parseQuantity,
  type Quantity,
} from './quantity.ts';

/** By resource, e.g. `cpu`. */
export type Amounts = ReadonlyMap<string, Quantity>;

/**
 * Returns what a pod requests from its node, as Kubernetes computes it (KEP-753): the larger of the sum over containers
 * and sidecars, and the most demanding init container with the sidecars that precede it; plus the pod's overhead.
 */
export function podRequests(spec: PodSpec): Amounts {
  const amounts = ofContainers(spec, requestsOf);
  const { overhead, resources } = spec;
  const total = new Map([...amounts, ...ofPod(resources ?? {}, amounts)]);
  return addAmounts(total, parseAmounts(overhead ?? {}));
}

/** The place of a pod, of which a node has a number. */
export const ONE_POD: Amounts = new Map([['pods', parseQuantity(1)!]]);

/** Returns what a pod takes of its node: what it requests, and its place. */
export const podUsage = (spec: PodSpec): Amounts => addAmounts(podRequests(spec), ONE_POD);

/** Returns the limits of a pod, as a ResourceQuota counts them; without resources that no container limits. */
export function podLimits(spec: PodSpec): Amounts {
  const amounts = ofContainers(spec, limitsOf);
  const { overhead = {}, resources: { limits } = {} } = spec;
  const total = new Map([...amounts, ...parseAmounts(limits ?? {})]);
  const added = Object.entries(overhead).filter(([resource]) => total.has(resource));
  return addAmounts(total, parseAmounts(Object.fromEntries(added)));
}

/** `times` must be an integer. */
export const multiplyAmounts = (amounts: Amounts, times: number): Amounts =>
  new Map([...amounts].map(([resource, amount]) => [resource, multiplyQuantity(amount, times)]));

/** May be negative. */
export const subtractAmounts = (from: Amounts, amounts: Amounts): Amounts =>
  addAmounts(from, multiplyAmounts(amounts, -1));

/** Reads amounts of an object of others, without what is no quantity. */
export const readAmounts = (amounts: unknown): Amounts =>
  new Map(
    Object.entries(amounts ?? {}).flatMap(([resource, amount]) => {
      const quantity = parseQuantity(amount);
      return quantity ? [[resource, quantity] as const] : [];
    }),
  );

export const addAmounts = (a: Amounts, b: Amounts): Amounts => combine(a, b, addQuantities);

/** Of each resource the larger amount. */
export const largerAmounts = (a: Amounts, b: Amounts): Amounts => combine(a, b, largerQuantity);

export const parseAmounts = (amounts: NonNullable<PodSpec['overhead']>): Amounts =>
  new Map(Object.entries(amounts).map(([resource, amount]) => [resource, parseAmount(resource, amount)]));

/** As Kubernetes writes them. */
export const formatAmounts = (amounts: Amounts): Readonly<Record<string, string>> =>
  Object.fromEntries([...amounts].map(([resource, amount]) => [resource, formatQuantity(amount)]));

export const NOTHING: Amounts = new Map();

function ofContainers(
  { containers, initContainers = [] }: PodSpec,
  ofContainer: (container: Container) => Amounts,
): Amounts {
  let sidecars = NOTHING;
  let most = NOTHING;
  for (const container of initContainers) {
    const during = addAmounts(sidecars, ofContainer(container));
    if (container.restartPolicy === 'Always') sidecars = during;
    most = combine(most, during, largerQuantity);
  }
  const running = containers.map(ofContainer).reduce(addAmounts, NOTHING);
  return combine(addAmounts(running, sidecars), most, largerQuantity);
}

/** The API server fills in missing requests from the limits. */
function requestsOf({ resources }: Container): Amounts {
  const { requests, limits } = resources ?? {};
  return parseAmounts({ ...limits, ...requests });
}

const limitsOf = ({ resources }: Container): Amounts => parseAmounts(resources?.limits ?? {});

/** Pod-level requests override those of containers; pod-level limits count for resources no container names. */
function ofPod({ requests, limits = {} }: ResourceAmounts, ofContainers: Amounts): Amounts {
  const defaults = Object.entries(limits).filter(([resource]) => !ofContainers.has(resource));
  const given = Object.entries({ ...Object.fromEntries(defaults), ...requests });
  return parseAmounts(Object.fromEntries(given.filter(([resource]) => OF_PODS.test(resource))));
}

/** The resources that Kubernetes allows at pod level. */
const OF_PODS = /^(cpu|memory|hugepages-.*)$/;

function combine(a: Amounts, b: Amounts, both: (a: Quantity, b: Quantity) => Quantity): Amounts {
  const merged = new Map(a);
  for (const [resource, amount] of b) {
    const other = merged.get(resource);
    merged.set(resource, other ? both(other, amount) : amount);
  }
  return merged;
}

function parseAmount(resource: string, amount: string | number): Quantity {
  const quantity = parseQuantity(amount);
  if (!quantity) throw new Error(`${resource}: ${amount} is not a quantity, although the job was admitted`);
  return quantity;
}
