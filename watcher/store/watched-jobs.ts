import { LRUCache } from 'lru-cache';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { ownerUidOf } from '../../contracts/objects.ts';
import type { GangProvider } from '../../contracts/training-job.ts';
import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import { identityOfOwner, type JobIdentity, keyOfJob, newJob, type WatchedJob } from '../jobs/job.ts';

/** Any user can make pods with an owner that there never was. */
const MOST_WITHOUT_ANCHOR = 10_000;

/** All jobs that have an anchor, a pod or a group. */
export class WatchedJobs implements Iterable<WatchedJob> {
  readonly #jobs = new Map<string, WatchedJob>();
  /** Those that were forgotten without an anchor: it may still come, after pods that are gone already. */
  readonly #withoutAnchor = new LRUCache<string, true>({ max: MOST_WITHOUT_ANCHOR });

  /** May change while it is read. */
  [Symbol.iterator](): Iterator<WatchedJob> {
    return [...this.#jobs.values()][Symbol.iterator]();
  }

  /** Those of one namespace; without it all. */
  in(namespace: string | undefined): WatchedJob[] {
    return [...this].filter((job) => namespace === undefined || job.namespace === namespace);
  }

  /** Counts what has an anchor: without one it is nobody's, or its anchor is yet to come. */
  get size() {
    const anchored = [...this.#jobs.values()].filter(({ anchor }) => anchor);
    const pods = anchored.reduce((sum, job) => sum + job.pods.size + job.spares.size, 0);
    return { jobs: anchored.length, pods };
  }

  find(identity: JobIdentity): WatchedJob | undefined {
    return this.#jobs.get(keyOfJob(identity));
  }

  owning(object: KubeObject): WatchedJob | undefined {
    const owner = identityOfOwner(object);
    return owner && this.find(owner);
  }

  /** Adds the job if nothing of it was known. */
  of(identity: JobIdentity): WatchedJob {
    const known = this.find(identity);
    if (known) return known;
    const job = newJob(identity);
    job.mayHaveHadPods = this.#withoutAnchor.delete(keyOfJob(identity));
    this.#jobs.set(keyOfJob(identity), job);
    return job;
  }

  /** Returns undefined if the object is of no anchor. */
  ofOwner(object: KubeObject): WatchedJob | undefined {
    const owner = identityOfOwner(object);
    const job = owner && this.of(owner);
    if (job && ownerUidOf(object) === undefined) job.labelledAs = object.metadata.labels?.[LABELS.job];
    return job;
  }

  /** Returns the anchors that are not deleted. */
  anchors(isWanted: (anchor: AnchorFacts) => boolean): AnchorFacts[] {
    return [...this].flatMap(({ anchor }) => (anchor && !anchor.deleted && isWanted(anchor) ? [anchor] : []));
  }

  /** Returns the pods that a list of all those in the namespace lacks, by uid. */
  podsWithout(present: readonly KubeObject[], namespace: string | undefined): [WatchedJob, string][] {
    const isThere = includedIn(present);
    return this.in(namespace).flatMap((job) =>
      [...job.pods.keys(), ...job.spares.keys()]
        .filter((uid) => !isThere(uid))
        .map((uid): [WatchedJob, string] => [job, uid]),
    );
  }

  /** Returns the groups of one scheduler that a list of all those in the namespace lacks, by uid. */
  groupsWithout(
    present: readonly KubeObject[],
    { provider, namespace }: { readonly provider: GangProvider; readonly namespace: string | undefined },
  ): [WatchedJob, string][] {
    const isThere = includedIn(present);
    return this.in(namespace).flatMap((job) =>
      [...job.groups]
        .filter(([uid, group]) => group.provider === provider && !isThere(uid))
        .map(([uid]): [WatchedJob, string] => [job, uid]),
    );
  }

  withGroup(uid: string): WatchedJob | undefined {
    return [...this].find(({ groups }) => groups.has(uid));
  }

  forgetIfGone(job: WatchedJob): void {
    const hasAnchor = job.anchor !== undefined && !job.anchorGone;
    if (hasAnchor || job.pods.size + job.spares.size + job.groups.size > 0) return;
    this.#jobs.delete(keyOfJob(job));
    if (job.anchor === undefined && job.mayHaveHadPods) this.#withoutAnchor.set(keyOfJob(job), true);
  }
}

function includedIn(objects: readonly KubeObject[]): (uid: string) => boolean {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  return (uid) => uids.has(uid);
}
