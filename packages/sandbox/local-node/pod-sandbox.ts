import { hostname as machineName } from 'node:os';
import { join } from 'node:path';
import type { RunnablePod } from './fields.ts';
import { ownLines, searchesOf } from './hosts-file.ts';
import type { NodeContext } from './node-context.ts';
import { References } from './references.ts';
import { PodVolumes } from './volumes/pod-volumes.ts';

/** A pod's address, files and volumes on this machine. */
export interface PodSandbox {
  readonly pod: RunnablePod;
  readonly address: string;
  readonly hostname: string;
  readonly hostsFile: string;
  /** Has a folder of logs for each container; other names begin with a dot. */
  readonly dir: string;
  readonly references: References;
  readonly volumes: PodVolumes;
}

/** Host names have at most 63 characters. */
const LONGEST_HOSTNAME = 63;

interface PodSandboxOptions {
  readonly address: string;
  readonly context: NodeContext;
  /** Ends the pod's watches. */
  readonly signal: AbortSignal;
  /** Returns the latest version of the pod. */
  current(): RunnablePod;
}

export function createPodSandbox(
  pod: RunnablePod,
  { address, context, signal, current }: PodSandboxOptions,
): PodSandbox {
  const { namespace = 'default', name, uid } = pod.metadata;
  const dir = join(context.podsDir, `${namespace}_${name}_${uid}`);
  const { hostIP, allocatable, recordEvent } = context;
  const references = new References(namespace, context.storedObjects, signal);
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

/** A pod with hostNetwork has the machine's name. */
function hostnameOf({ metadata, spec }: RunnablePod): string {
  return spec.hostNetwork ? machineName() : (spec.hostname ?? metadata.name).slice(0, LONGEST_HOSTNAME);
}

/** The pod's hosts file: its own names, and its search domains. */
export function hostsFileOf({ metadata, spec }: RunnablePod, { address, hostname, hostsFile }: PodSandbox) {
  const { namespace = 'default' } = metadata;
  const full = `${hostname}.${spec.subdomain}.${namespace}.svc.cluster.local`;
  const names = spec.subdomain ? [full, hostname] : [hostname];
  return {
    path: hostsFile,
    searches: searchesOf(namespace, spec.dnsConfig?.searches),
    own: ownLines({ address, names }, spec.hostAliases ?? []),
  };
}
