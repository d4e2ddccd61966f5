import type { ClusterClient } from '../../cluster/client.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { isOwnedBy } from '../../contracts/objects.ts';
import { TURN_IS_OVER_MS } from '../../queue/decide-turns.ts';
import type { JobInLane } from '../../queue/lanes/entry-of-job.ts';
import type { JobStore } from '../store/job-store.ts';

interface UnusedPlacesOptions {
  readonly cluster: Pick<ClusterClient, 'list' | 'now'>;
  readonly jobs: JobStore;
}

/** Pods of a name that are not of the job, but have its label, end the look: then it may have some. */
const MOST_LISTED = 100;

/**
 * Knows which jobs hold a place and have had no pod for longer than a turn: a quota refuses them, or they wait between attempts.
 * Others may have it meanwhile.
 */
export class UnusedPlaces {
  readonly #options: UnusedPlacesOptions;
  readonly #since = new Map<string, number>();

  constructor(options: UnusedPlacesOptions) {
    this.#options = options;
  }

  /** Returns the uids of such jobs. What the stream of pods has not shown is listed before it counts. */
  async among(inLanes: readonly JobInLane[]): Promise<ReadonlySet<string>> {
    const at = this.#options.cluster.now();
    const without = inLanes.filter((one) => one.place.takenAt !== undefined && this.#hasNoPods(one));
    const uids = new Set(without.map(({ uid }) => uid));
    for (const uid of this.#since.keys()) if (!uids.has(uid)) this.#since.delete(uid);
    for (const uid of uids) if (!this.#since.has(uid)) this.#since.set(uid, at);
    const idle = without.filter(
      ({ uid, place }) => at > Math.max(this.#since.get(uid)!, place.takenAt!) + TURN_IS_OVER_MS,
    );
    const confirmed = await Promise.all(idle.map((one) => this.#isEmpty(one)));
    return new Set(idle.filter((_, index) => confirmed[index]).map(({ uid }) => uid));
  }

  #hasNoPods({ namespace, uid }: JobInLane): boolean {
    const job = this.#options.jobs.job({ namespace, uid });
    return job?.anchor !== undefined && job.pods.size === 0 && job.spares.size === 0;
  }

  async #isEmpty({ namespace, job, uid }: JobInLane): Promise<boolean> {
    const selection = { namespace, labelSelector: `${LABELS.job}=${job}`, limit: MOST_LISTED };
    try {
      const { items, metadata } = await this.#options.cluster.list(PODS, selection);
      return !metadata.continue && !items.some((pod) => isOwnedBy(pod, uid));
    } catch {
      return false;
    }
  }
}
