import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import { readClaim } from '../../cluster/read-claim.ts';
import { Reading } from '../../cluster/reading.ts';
import type { ClaimObjects } from '../../contracts/claim-objects.ts';
import { VOLUME_CLAIMS } from '../../contracts/kubernetes.ts';
import { type Claims, claimsOf } from '../../explain/claims.ts';
import { type NamedByPods, namedInPods } from '../../explain/named-in-pods.ts';
import { errorMessage } from '../../language/error-message.ts';
import { asFields } from '../../language/fields.ts';
import type { Gang } from '../../queue/gang.ts';

const AT_ONCE = 8;
const MOST = 10_000;
/** A claim that is bound stays so; one that may not be read is tried again as seldom. */
const SETTLED_MS = 60_000;
const UNSETTLED_MS = 3_000;

interface Mount extends Pick<NamedByPods, 'name' | 'of' | 'pods'> {
  /** Of the gang. */
  readonly uid: string;
  readonly namespace: string;
  /** Of the claim. */
  readonly key: string;
}

const mountsOf = ({ uid, namespace, held }: Gang): readonly Mount[] =>
  namedInPods(held)
    .filter(({ resource }) => resource === VOLUME_CLAIMS)
    .map(({ name, of, pods }) => ({ uid, namespace, name, of, pods, key: `${namespace}/${name}` }));

/** Reads the PersistentVolumeClaims that gated gangs mount: a volume may be of some nodes only. */
export class GatedClaims {
  readonly #cluster: ClusterClient;
  readonly #log: Logger;
  readonly #known = new LRUCache<string, ClaimObjects>({ max: MOST });
  #isTold = false;

  constructor(cluster: ClusterClient, log: Logger) {
    this.#cluster = cluster;
    this.#log = log;
  }

  /** Returns the claims of each gang that mounts some, by its uid. */
  async read(gangs: readonly Gang[]): Promise<ReadonlyMap<string, Claims>> {
    const mounts = gangs.flatMap(mountsOf);
    const once = new Map(mounts.map((mount) => [mount.key, mount]));
    const reading = new Reading(this.#cluster);
    const read = new Map(
      await pMap(once, async ([key, mount]) => [key, await this.#read(reading, mount)] as const, {
        concurrency: AT_ONCE,
      }),
    );
    this.#tell(reading);
    const withObjects = (mount: Mount) => ({ ...mount, objects: read.get(mount.key)! });
    return new Map(
      [...Map.groupBy(mounts, ({ uid }) => uid)].map(([uid, own]) => [uid, claimsOf(own.map(withObjects))]),
    );
  }

  async #read(reading: Reading, { key, namespace, name }: Mount): Promise<ClaimObjects> {
    const known = this.#known.get(key);
    if (known) return known;
    try {
      const objects = await readClaim(reading, namespace, name);
      this.#known.set(key, objects, { ttl: isSettled(objects) ? SETTLED_MS : UNSETTLED_MS });
      return objects;
    } catch (error) {
      // The other gangs need not wait for this claim.
      reading.note(`PersistentVolumeClaim ${key} cannot be read (${errorMessage(error)})`);
      return { claim: 'unknown' };
    }
  }

  #tell({ unread: [first] }: Reading): void {
    if (this.#isTold || first === undefined) return;
    this.#isTold = true;
    this.#log.warn(`gated gangs may be lifted where their volumes cannot be used: ${first}`);
  }
}

const isSettled = ({ claim, volume, storageClass }: ClaimObjects): boolean =>
  [claim, volume, storageClass].includes('unknown') ||
  (typeof claim === 'object' && asFields(claim.status).phase === 'Bound');
