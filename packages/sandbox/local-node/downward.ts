import { parseQuantity } from '../engine.ts';
import type { ResourceFieldRef, RunnableContainer, RunnablePod } from './fields.ts';

export interface PodAddresses {
  readonly podIP: string;
  readonly hostIP: string;
}

/** Resources of the node: the value of `limits.*` for a container without a limit. */
export type Allocatable = Readonly<Record<string, string>>;

const PATHS: Readonly<
  Record<string, (pod: RunnablePod, addresses: PodAddresses, nodeName: string) => string | undefined>
> = {
  'metadata.name': (pod) => pod.metadata.name,
  'metadata.namespace': (pod) => pod.metadata.namespace,
  'metadata.uid': (pod) => pod.metadata.uid,
  'spec.nodeName': (_pod, _addresses, nodeName) => nodeName,
  'spec.serviceAccountName': (pod) => pod.spec.serviceAccountName,
  'status.hostIP': (_pod, { hostIP }) => hostIP,
  'status.hostIPs': (_pod, { hostIP }) => hostIP,
  'status.podIP': (_pod, { podIP }) => podIP,
  'status.podIPs': (_pod, { podIP }) => podIP,
};

/** Resolves a `fieldRef`; undefined for a path that Kubernetes does not support. */
export function podField(path: string, pod: RunnablePod, addresses: PodAddresses): string | undefined {
  const keyed = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (keyed) return pod.metadata[keyed[1] as 'labels' | 'annotations']?.[keyed[2] as string] ?? '';
  const read = PATHS[path];
  return read && (read(pod, addresses, pod.spec.nodeName ?? '') ?? '');
}

/** Resolves a `resourceFieldRef` in whole units of the divisor (1 by default), rounded up. */
export function resourceField(
  ref: ResourceFieldRef,
  containers: { readonly own: RunnableContainer; readonly all: readonly RunnableContainer[] },
  allocatable: Allocatable,
): string {
  const container = containers.all.find(({ name }) => name === ref.containerName) ?? containers.own;
  const [kind, name] = [ref.resource.split('.')[0], ref.resource.slice(ref.resource.indexOf('.') + 1)];
  const { requests, limits } = container.resources ?? {};
  const given =
    kind === 'limits' ? (limits?.[name] ?? allocatable[name]) : (requests?.[name] ?? limits?.[name]);
  const divisor = nanosOf(ref.divisor && ref.divisor !== '0' ? ref.divisor : '1');
  return String((nanosOf(given ?? '0') + divisor - 1n) / divisor);
}

/** Throws a TypeError for an invalid quantity. */
function nanosOf(text: string): bigint {
  const quantity = parseQuantity(text);
  if (!quantity)
    throw new TypeError(`expected a Kubernetes quantity such as 500m, 2 or 4Gi, got ${JSON.stringify(text)}`);
  return quantity.nanos;
}
