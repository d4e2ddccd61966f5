/** A pod as names see it. */
export interface NamedPod {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly address: string;
  readonly ready: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
}

export interface NamedService {
  readonly namespace: string;
  readonly name: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly publishNotReadyAddresses: boolean;
}

export interface Entry {
  readonly namespace: string;
  /** Without the namespace: a Service's name, or `hostname.subdomain`. */
  readonly name: string;
  readonly address: string;
}

/** Every name that Services give to pods, in a fixed order, so that equal facts make equal files. */
export function serviceEntries(services: readonly NamedService[], pods: readonly NamedPod[]): Entry[] {
  return services
    .flatMap((service) => members(service, pods).flatMap((pod) => entriesOf(service, pod)))
    .sort((a, b) => compare(keyOf(a), keyOf(b)));
}

/** The lines that all pods of a namespace share: short names are those of their own namespace. */
export function sharedLines(entries: readonly Entry[], namespace: string): string {
  return entries.map((entry) => `${entry.address}\t${namesOf(entry, namespace).join(' ')}\n`).join('');
}

/** What stands first in each pod's file: the machine itself, the pod, and its `hostAliases`. */
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

function members(service: NamedService, pods: readonly NamedPod[]): NamedPod[] {
  const wanted = Object.entries(service.selector);
  if (wanted.length === 0) return [];
  return pods.filter(
    (pod) =>
      pod.namespace === service.namespace &&
      (pod.ready || service.publishNotReadyAddresses) &&
      wanted.every(([key, value]) => pod.labels[key] === value),
  );
}

function entriesOf({ namespace, name }: NamedService, pod: NamedPod): Entry[] {
  const entry = { namespace, name, address: pod.address };
  const hasOwnName = pod.hostname !== undefined && pod.subdomain === name;
  return hasOwnName ? [entry, { ...entry, name: `${pod.hostname}.${name}` }] : [entry];
}

function namesOf({ name, namespace }: Entry, reader: string): string[] {
  const full = [`${name}.${namespace}`, `${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
  return reader === namespace ? [name, ...full] : full;
}

function keyOf({ namespace, name, address }: Entry): string {
  const sortable = address.split('.').map((octet) => octet.padStart(3, '0'));
  return [namespace, name, ...sortable].join('\t');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
