import type { Logger } from 'pino';
import type { ClusterClient } from '../engine.ts';
import type { Guardian } from '../guardian.ts';
import type { Addresses } from './addresses.ts';
import type { Allocatable } from './downward.ts';
import type { RecordEvent } from './events.ts';
import type { Names } from './names.ts';
import type { StoredObjects } from './stored-objects.ts';
import type { PrivateView } from './view/private-view.ts';
import type { ProcessView } from './view/process-view.ts';

/** What every pod of the node stands on. */
export interface Ground {
  readonly client: ClusterClient;
  readonly guardian: Guardian;
  readonly log: Logger;
  readonly recordEvent: RecordEvent;
  readonly addresses: Addresses;
  readonly names: Names;
  readonly storedObjects: StoredObjects;
  /** What volumes and names need, or why this machine cannot give it. */
  readonly privateView: PrivateView | { readonly why: string };
  /** What preStop hooks need; looked for when the first one is to be run. */
  readonly processView: () => Promise<ProcessView | { readonly why: string }>;
  /** Whether containers see Service names. */
  readonly hasNames: boolean;
  /** Why pods are not started at all. */
  readonly refusal?: string;
  readonly allocatable: Allocatable;
  readonly hostIP: string;
  /** The working directory of containers that name none. */
  readonly workdir: string;
  /** The folder of the pods' logs, hosts files and volumes. */
  readonly podsDir: string;
}
