import type { Logger } from 'pino';
import type { ClusterClient } from '../engine.ts';
import type { ProcessReaper } from '../process-reaper.ts';
import type { Addresses } from './addresses.ts';
import type { Devices } from './devices.ts';
import type { Allocatable } from './downward.ts';
import type { RecordEvent } from './events.ts';
import type { HostsFiles } from './hosts-files.ts';
import type { MountNamespace } from './namespaces/mount-namespace.ts';
import type { PidNamespace } from './namespaces/pid-namespace.ts';
import type { StoredObjects } from './stored-objects.ts';

/** Services that all pods of the node share. */
export interface NodeContext {
  readonly client: ClusterClient;
  readonly reaper: ProcessReaper;
  readonly log: Logger;
  readonly recordEvent: RecordEvent;
  readonly addresses: Addresses;
  readonly devices: Devices;
  readonly hostsFiles: HostsFiles;
  readonly storedObjects: StoredObjects;
  /** For volumes and hosts files, or the reason why this machine has no mount namespaces. */
  readonly mountNamespace: MountNamespace | { readonly why: string };
  /** For preStop hooks; searched for when the first hook needs it. */
  readonly pidNamespace: () => Promise<PidNamespace | { readonly why: string }>;
  /** Whether Service names resolve in containers. */
  readonly resolvesNames: boolean;
  /** Why the node starts no pods. */
  readonly refusal?: string;
  readonly allocatable: Allocatable;
  readonly hostIP: string;
  /** The default working directory of containers. */
  readonly workdir: string;
  /** Contains the pods' logs, hosts files and volumes. */
  readonly podsDir: string;
}
