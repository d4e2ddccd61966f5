/** What the names of a pod depend on. */
export interface PodEndpoint {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly address: string;
  readonly ready: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
}

export interface ServiceFacts {
  readonly namespace: string;
  readonly name: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly publishNotReadyAddresses: boolean;
}

interface HostEntry {
  readonly namespace: string;
  /** Without the namespace: a Service's name, or `hostname.subdomain`. */
  readonly name: string;
  readonly address: string;
}

const DOMAIN = 'cluster.local';

/** Returns all names that Services give to pods, in a fixed order, so that equal input makes equal files. */
export function serviceEntries(services: readonly ServiceFacts[], pods: readonly PodEndpoint[]): HostEntry[] {
  return services
    .flatMap((service) => members(service, pods).flatMap((pod) => entriesOfService(service, pod)))
    .sort((a, b) => compare(keyOfHost(a), keyOfHost(b)));
}

/** Returns the search domains that a kubelet writes to /etc/resolv.conf. */
export function searchesOf(namespace: string, own: readonly string[] = []): string[] {
  return [`${namespace}.svc.${DOMAIN}`, `svc.${DOMAIN}`, DOMAIN, ...own];
}

/** Returns the lines for all pods with these search domains: each name in full, and every short form. */
export function sharedLines(entries: readonly HostEntry[], searches: readonly string[]): string {
  return entries.map((entry) => `${entry.address}\t${namesOf(entry, searches).join(' ')}\n`).join('');
}

/** Returns the first lines of a pod's file: localhost, the pod, and its `hostAliases`. */
export function ownLines(
  pod: { readonly address: string; readonly names: readonly string[] },
  aliases: readonly { readonly ip: string; readonly hostnames?: readonly string[] }[],
): string {
  const lines = [
    '# Written by the local node of signalbox.',
    '127.0.0.1\tlocalhost',
    `${pod.address}\t${pod.names.join(' ')}`,
    ...aliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join(' ')}`),
  ];
  return `${lines.join('\n')}\n`;
}

function members(service: ServiceFacts, pods: readonly PodEndpoint[]): PodEndpoint[] {
  const wanted = Object.entries(service.selector);
  if (wanted.length === 0) return [];
  return pods.filter(
    (pod) =>
      pod.namespace === service.namespace &&
      (pod.ready || service.publishNotReadyAddresses) &&
      wanted.every(([key, value]) => pod.labels[key] === value),
  );
}

function entriesOfService({ namespace, name }: ServiceFacts, pod: PodEndpoint): HostEntry[] {
  const entry = { namespace, name, address: pod.address };
  const hasOwnName = pod.hostname !== undefined && pod.subdomain === name;
  return hasOwnName ? [entry, { ...entry, name: `${pod.hostname}.${name}` }] : [entry];
}

function namesOf({ name, namespace }: HostEntry, searches: readonly string[]): string[] {
  const full = `${name}.${namespace}.svc.${DOMAIN}`;
  const short = searches.filter((search) => full.endsWith(`.${search}`));
  return [...new Set([...short.map((search) => full.slice(0, -search.length - 1)), full])];
}

function keyOfHost({ namespace, name, address }: HostEntry): string {
  const sortable = address.split('.').map((octet) => octet.padStart(3, '0'));
  return [namespace, name, ...sortable].join('\t');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
