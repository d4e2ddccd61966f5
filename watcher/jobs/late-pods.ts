import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import { PausedItems } from '../anchors/paused-items.ts';
import { hasEnded, type PodFacts } from '../pods/pod-facts.ts';
import type { WatchedJob } from './job.ts';

/**
 * Finds ended jobs with live pods that their clean-up policy does not allow. A worker that lost its connection may have
 * created them after the end, or a program that the policy keeps has ended since and only its sidecars go on. Pods and
 * anchors arrive on separate streams, and one may lag, so it returns only jobs that it also found in the previous round. A
 * job that keeps its late pods is returned less and less often: an orphan clean-up does not delete every pod that names an anchor as
 * its owner.
 */
export class LatePods {
  #suspects: ReadonlySet<string> = new Set();
  readonly #asked = new PausedItems(PAUSES);

  /** Returns the anchors of jobs with late pods. */
  findJobs(jobs: Iterable<WatchedJob>, now = Date.now()): AnchorFacts[] {
    const found = [...jobs].flatMap((job) => (hasLatePod(job) ? [job.anchor!] : []));
    const uids = found.map(({ uid }) => uid);
    this.#asked.keepOnly(uids);
    const late = found.filter(({ uid }) => this.#suspects.has(uid) && this.#asked.isDue(uid, now));
    for (const { uid } of late) this.#asked.pause(uid, now);
    this.#suspects = new Set(uids);
    return late;
  }
}

const PAUSES = { firstMs: 30_000, mostMs: 600_000 };

function hasLatePod({ anchor, pods, spares }: WatchedJob): boolean {
  if (!anchor?.final || anchor.deleted || !anchor.cleanUp) return false;
  if ([...spares.values()].some(({ state }) => state !== 'terminating')) return true;
  const isLate = anchor.cleanUp === 'None' ? hasOutlived : isAlive;
  return [...pods.values()].some((pod) => pod.isReplica && isLate(pod));
}

const isAlive = (pod: PodFacts) => hasOutlived(pod) || (!hasEnded(pod) && pod.state !== 'terminating');

const hasOutlived = (pod: PodFacts) => hasEnded(pod) && pod.outlived?.isLeaving === false;
