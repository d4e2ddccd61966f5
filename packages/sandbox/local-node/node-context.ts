import type { Logger } from 'pino';
import type { ClusterClient } from '../engine.ts';
import type { ProcessReaper } from '../process-reaper.ts';
import type { Addresses } from './addresses.ts';
import type { Allocatable } from './downward.ts';
import type { RecordEvent } from './events.ts';
import type { HostsFiles } from './hosts-files.ts';
import type { MountNamespace } from './namespaces/mount-namespace.ts';
import type { PidNamespace } from './namespaces/pid-namespace.ts';
import type { StoredObjects } from './stored-objects.ts';

/** What every pod of the node stands on. */
export interface NodeContext {
  readonly client: ClusterClient;
  readonly reaper: ProcessReaper;
  readonly log: Logger;
  readonly recordEvent: RecordEvent;
  readonly addresses: Addresses;
  readonly hostsFiles: HostsFiles;
  readonly storedObjects: StoredObjects;
  /** What volumes and names need, or why this machine cannot give it. */
  readonly mountNamespace: MountNamespace | { readonly why: string };
  /** What preStop hooks need; looked for when the first one is to be run. */
  readonly pidNamespace: () => Promise<PidNamespace | { readonly why: string }>;
  /** Whether containers see Service names. */
  readonly resolvesNames: boolean;
  /** Why pods are not started at all. */
  readonly refusal?: string;
  readonly allocatable: Allocatable;
  readonly hostIP: string;
  /** The working directory of containers that name none. */
  readonly workdir: string;
  /** The folder of the pods' logs, hosts files and volumes. */
  readonly podsDir: string;
}
