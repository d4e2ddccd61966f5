import { hostname as machineName } from 'node:os';
import { join } from 'node:path';
import type { RunnablePod } from './fields.ts';
import { ownLines, searchesOf } from './hosts-file.ts';
import type { HostsFile } from './hosts-files.ts';
import type { NodeContext } from './node-context.ts';
import { References } from './references.ts';
import { PodVolumes } from './volumes/pod-volumes.ts';

/** Where a pod lives on this machine. */
export interface PodSandbox {
  readonly pod: RunnablePod;
  readonly address: string;
  readonly hostname: string;
  readonly hostsFile: string;
  /** Of its logs, a folder per container; what is not a container's begins with a dot. */
  readonly dir: string;
  readonly references: References;
  readonly volumes: PodVolumes;
}

/** Host names end at 63 characters. */
const LONGEST_HOSTNAME = 63;

export interface PodSandboxOptions {
  readonly address: string;
  readonly context: NodeContext;
  /** Ends what follows the API server for the pod. */
  readonly over: AbortSignal;
  /** The pod as it is now. */
  current(): RunnablePod;
}

export function createPodSandbox(
  pod: RunnablePod,
  { address, context, over, current }: PodSandboxOptions,
): PodSandbox {
  const { namespace = 'default', name, uid } = pod.metadata;
  const dir = join(context.podsDir, `${namespace}_${name}_${uid}`);
  const { hostIP, allocatable, recordEvent } = context;
  const references = new References(namespace, context.storedObjects, over);
  return {
    pod,
    address,
    hostname: hostnameOf(pod),
    hostsFile: join(dir, 'hosts'),
    dir,
    references,
    volumes: new PodVolumes({
      dir: join(dir, '.volumes'),
      references,
      facts: () => ({ pod: current(), addresses: { podIP: address, hostIP }, allocatable }),
      onFailure: (message) => recordEvent(pod, { type: 'Warning', reason: 'FailedMount', message }),
    }),
  };
}

/** A pod on the node's network has the node's name too. */
function hostnameOf({ metadata, spec }: RunnablePod): string {
  return spec.hostNetwork ? machineName() : (spec.hostname ?? metadata.name).slice(0, LONGEST_HOSTNAME);
}

/** Its hosts file: its own names first, and where it looks for those of others. */
export function hostsFileOf(
  { metadata, spec }: RunnablePod,
  { address, hostname, hostsFile }: PodSandbox,
): HostsFile {
  const { namespace = 'default' } = metadata;
  const full = `${hostname}.${spec.subdomain}.${namespace}.svc.cluster.local`;
  const names = spec.subdomain ? [full, hostname] : [hostname];
  return {
    path: hostsFile,
    searches: searchesOf(namespace, spec.dnsConfig?.searches),
    own: ownLines({ address, names }, spec.hostAliases ?? []),
  };
}
