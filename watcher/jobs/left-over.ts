import { anchorNameOf, workflowIdOf } from '../../contracts/labels.ts';
import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import { PausedItems } from '../anchors/paused-items.ts';
import type { WatchedJob } from './job.ts';

/** An anchor that is gone, as far as its objects tell. */
export type GoneAnchor = Pick<AnchorFacts, 'namespace' | 'name' | 'uid' | 'workflowId'>;

/**
 * Finds objects whose anchor is gone, and that no reference to it leads garbage collection to: the anchor was deleted with
 * `--cascade=orphan`, or a backup was restored. An anchor may come after its objects, because the streams race, so it
 * returns only those that it also found in the previous round. What does not go is returned less and less often.
 */
export class LeftOver {
  #suspects: ReadonlySet<string> = new Set();
  readonly #asked = new PausedItems(PAUSES);

  find(jobs: Iterable<WatchedJob>, now = Date.now()): GoneAnchor[] {
    const found = [...jobs].flatMap((job) => goneAnchorOf(job) ?? []);
    const uids = found.map(({ uid }) => uid);
    this.#asked.keepOnly(uids);
    const left = found.filter(({ uid }) => this.#suspects.has(uid) && this.#asked.isDue(uid, now));
    for (const { uid } of left) this.#asked.pause(uid, now);
    this.#suspects = new Set(uids);
    return left;
  }
}

const PAUSES = { firstMs: 30_000, mostMs: 600_000 };

function goneAnchorOf(job: WatchedJob): GoneAnchor | undefined {
  const { anchor, anchorGone, labelledAs: name, namespace, uid, pods, spares, groups } = job;
  if ((anchor && !anchorGone) || name === undefined) return undefined;
  const stays = [...pods.values(), ...spares.values()].some(({ state }) => state !== 'terminating');
  if (!stays && groups.size === 0) return undefined;
  return { namespace, uid, name: anchorNameOf(name), workflowId: workflowIdOf({ namespace, name }) };
}
