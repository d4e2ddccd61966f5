import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import type { Guardian } from '../guardian.ts';
import type { Addresses } from './addresses.ts';
import type { Allocatable } from './downward.ts';
import type { RecordEvent } from './events.ts';
import type { Names } from './names.ts';
import type { PrivateHosts } from './private-hosts.ts';

/** What every pod of the node stands on. */
export interface Ground {
  readonly client: ClusterClient;
  readonly guardian: Guardian;
  readonly log: Logger;
  readonly recordEvent: RecordEvent;
  readonly addresses: Addresses;
  readonly names: Names;
  /** Absent where it is not wanted or not possible: `refusal` then says which. */
  readonly privateHosts?: PrivateHosts;
  /** Why pods are not started at all. */
  readonly refusal?: string;
  readonly allocatable: Allocatable;
  readonly hostIP: string;
  /** The working directory of containers that name none. */
  readonly workdir: string;
  /** The folder of the pods' logs and hosts files. */
  readonly podsDir: string;
}
