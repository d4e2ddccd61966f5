import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import { hasEnded, type PodFacts } from '../pods/pod-facts.ts';
import type { WatchedJob } from './job.ts';

/**
 * Finds ended jobs with live pods that their clean-up policy does not allow. A worker that lost its connection may have
 * created them after the end. Pods and anchors arrive on separate streams, and one may lag, so it returns only jobs
 * that it also found in the previous round.
 */
export class LatePods {
  #suspects: ReadonlySet<string> = new Set();

  /** Returns the anchors of jobs with late pods. */
  findJobs(jobs: Iterable<WatchedJob>): AnchorFacts[] {
    const found = [...jobs].flatMap((job) => (hasLatePod(job) ? [job.anchor!] : []));
    const late = found.filter(({ uid }) => this.#suspects.has(uid));
    this.#suspects = new Set(found.map(({ uid }) => uid));
    return late;
  }
}

function hasLatePod({ anchor, pods }: WatchedJob): boolean {
  if (!anchor?.final || anchor.deleted || !anchor.cleanUp || anchor.cleanUp === 'None') return false;
  return [...pods.values()].some((pod) => pod.isReplica && isAlive(pod));
}

const isAlive = (pod: PodFacts) => !hasEnded(pod) && pod.state !== 'terminating';
