import { isDeepStrictEqual } from 'node:util';
import type { ReflectorHandlers } from '../../cluster/reflector.ts';
import type { Digest } from '../../contracts/digest.ts';
import type { ConfigMap, KubeObject, Pod } from '../../contracts/kubernetes.ts';
import { isFinal } from '../../contracts/status.ts';
import type { GangProvider } from '../../contracts/training-job.ts';
import type { GangAdapter } from '../../gang/gang.ts';
import { type AnchorFacts, anchorFacts, isSameRun } from '../anchors/anchor-facts.ts';
import { jobDigest } from '../digest/job-digest.ts';
import { groupFacts } from '../groups/group-facts.ts';
import {
  dropPod,
  identityOfOwner,
  type JobIdentity,
  keyOfJob,
  newJob,
  storePod,
  type WatchedJob,
} from '../jobs/job.ts';
import { NodeIndex } from '../jobs/node-index.ts';
import { outlineOf, type Urgency, urgencyOf } from '../jobs/outline.ts';
import { NodeStore } from '../nodes/node-store.ts';
import { podFacts } from '../pods/pod-facts.ts';

/** Whether a list that lacks the object would have included it. */
type PodFilter = (job: WatchedJob, uid: string) => boolean;

/** Called when a job may have changed. */
export type JobListener = (job: WatchedJob, urgency: Urgency) => void;

/** The state of all jobs, as far as the watch streams have been read. */
export class JobStore {
  readonly #jobs = new Map<string, WatchedJob>();
  #podsResourceVersion = 0;
  /** By gang scheduler. */
  readonly #groupsResourceVersions: Partial<Record<GangProvider, number>> = {};
  readonly #nodeIndex = new NodeIndex();
  /** Uids of anchors that say of a running job that it has ended. */
  readonly #refuted = new Set<string>();
  readonly nodes = new NodeStore({
    occupied: this.#nodeIndex.nodes,
    changed: (node, isNew) => {
      for (const job of this.#nodeIndex.jobsOn(node)) this.#changed(job, isNew ? 'now' : 'soon');
    },
  });
  #changed: JobListener = () => undefined;
  #anchorUnlisted: (anchor: AnchorFacts) => void = (anchor) => this.anchorGone(anchor);

  listen(changed: JobListener): void {
    this.#changed = changed;
  }

  /** `check` is called for an anchor that its stream no longer has, which then is not gone yet. */
  confirmDeletions(check: (anchor: AnchorFacts) => void): void {
    this.#anchorUnlisted = check;
  }

  get resourceVersions(): Digest['resourceVersions'] {
    const groups = { ...this.#groupsResourceVersions };
    return { pods: this.#podsResourceVersion, groups, nodes: this.nodes.resourceVersion };
  }

  get jobs(): Iterable<WatchedJob> {
    return this.#jobs.values();
  }

  get size() {
    let pods = 0;
    for (const job of this.#jobs.values()) pods += job.pods.size;
    return { jobs: this.#jobs.size, pods };
  }

  job(identity: JobIdentity): WatchedJob | undefined {
    return this.#jobs.get(keyOfJob(identity));
  }

  digestOf(job: WatchedJob, anchor: AnchorFacts): Digest {
    const conditionOf = (node: string) => this.nodes.conditionOf(node);
    return jobDigest({ ...job, anchor, conditionOf }, this.resourceVersions);
  }

  /** Returns the anchors of ended jobs whose time to live has passed. */
  expiredAnchors(now: number): AnchorFacts[] {
    return [...this.#jobs.values()].flatMap(({ anchor }) =>
      anchor?.final && !anchor.deleted && (anchor.expiresAt ?? Infinity) <= now ? [anchor] : [],
    );
  }

  /** Returns the anchors of jobs that have not ended. */
  openAnchors(): AnchorFacts[] {
    return [...this.#jobs.values()].flatMap(({ anchor }) =>
      anchor && !anchor.final && !anchor.deleted ? [anchor] : [],
    );
  }

  /** Returns the anchors of jobs that have ended, as they say. */
  endedAnchors(): AnchorFacts[] {
    return [...this.#jobs.values()].flatMap(({ anchor }) =>
      anchor?.final && !anchor.deleted ? [anchor] : [],
    );
  }

  /** Follows a job on whose anchor says that it has ended. */
  refuteEnd(claimed: AnchorFacts): void {
    this.#refuted.add(claimed.uid);
    this.#setAnchor(this.job(claimed)?.anchor, { isNew: false });
  }

  /** The job of an anchor has ended after all. */
  believeEnd(ended: AnchorFacts): void {
    if (!this.#refuted.delete(ended.uid)) return;
    const job = this.job(ended);
    if (job?.anchor) job.anchor = { ...job.anchor, final: isFinal(job.anchor.phase) };
  }

  readonly pods: ReflectorHandlers<Pod> = {
    replaced: (pods, resourceVersion) => {
      this.#podsResourceVersion = resourceVersion;
      this.#removeMissing('pods', pods);
      for (const pod of pods) this.#setPod(pod);
    },
    changed: (pod, resourceVersion) => {
      this.#podsResourceVersion = resourceVersion;
      this.#setPod(pod);
    },
    deleted: (pod, resourceVersion) => {
      this.#podsResourceVersion = resourceVersion;
      const job = this.#jobOwning(pod);
      // The DELETED event may be the first to show how the pod ended.
      if (job?.pods.has(uidOf(pod))) this.#setPod(pod);
      this.#remove('pods', job, uidOf(pod));
    },
  };

  /** Returns the handlers for the groups of one scheduler. */
  groupsOf(adapter: GangAdapter): ReflectorHandlers<KubeObject> {
    const read = (resourceVersion: number) => {
      this.#groupsResourceVersions[adapter.provider] = resourceVersion;
    };
    return {
      replaced: (groups, resourceVersion) => {
        read(resourceVersion);
        this.#removeMissing(
          'groups',
          groups,
          (job, uid) => job.groups.get(uid)?.provider === adapter.provider,
        );
        for (const group of groups) this.#setGroup(group, adapter);
      },
      changed: (group, resourceVersion) => {
        read(resourceVersion);
        this.#setGroup(group, adapter);
      },
      deleted: (group, resourceVersion) => {
        read(resourceVersion);
        this.#remove('groups', this.#jobOwning(group), uidOf(group));
      },
    };
  }

  /** Removes the groups of a scheduler whose API the cluster no longer serves. */
  forgetGroupsOf({ provider }: GangAdapter): void {
    delete this.#groupsResourceVersions[provider];
    this.#removeMissing('groups', [], (job, uid) => job.groups.get(uid)?.provider === provider);
  }

  readonly anchors: ReflectorHandlers<ConfigMap> = {
    replaced: (anchors) => {
      const alive = new Set(anchors.map(uidOf));
      for (const { uid, anchor } of [...this.#jobs.values()]) {
        if (anchor && !alive.has(uid)) this.#anchorUnlisted(anchor);
      }
      for (const anchor of anchors) this.#setAnchor(anchorFacts(anchor), { isNew: false });
    },
    changed: (anchor) => this.#setAnchor(anchorFacts(anchor), { isNew: true }),
    deleted: (anchor) => {
      // Somebody may have made it unreadable before.
      const { namespace = '' } = anchor.metadata;
      const last = anchorFacts(anchor) ?? this.job({ namespace, uid: uidOf(anchor) })?.anchor;
      if (last) this.#anchorUnlisted(last);
    },
  };

  /** Takes in an anchor that was read by its name. */
  anchorFound(anchor: AnchorFacts): void {
    this.#setAnchor(anchor, { isNew: false });
  }

  /** Records that the anchor is gone. The job may still have pods, and its workflow must learn of the deletion. */
  anchorGone(last: AnchorFacts): void {
    const job = this.#jobOf(last);
    const known = job.anchor?.deleted;
    job.anchor = { ...last, deleted: true };
    job.anchorGone = true;
    if (!known) this.#changed(job, 'now');
    this.#forgetIfGone(job);
  }

  #setAnchor(facts: AnchorFacts | undefined, { isNew }: { readonly isNew: boolean }): void {
    if (!facts) return;
    const anchor = this.#refuted.has(facts.uid) ? { ...facts, final: false } : facts;
    const job = this.#jobOf(anchor);
    const before = job.anchor;
    job.anchor = anchor;
    if (!before) job.isNew = isNew;
    if (anchor.final) job.vanished.clear();
    if (isDeepStrictEqual(before, anchor)) return;
    const urgency = this.#outlineAnew(job);
    const isOther = anchor.deleted || (before && !isSameRun(before, anchor));
    this.#changed(job, isOther ? 'now' : urgency);
  }

  #setPod(pod: Pod): void {
    const owner = identityOfOwner(pod);
    if (!owner) return;
    const job = this.#jobOf(owner);
    const before = job.pods.get(uidOf(pod));
    const after = podFacts(pod, before);
    job.resourceVersion = this.#podsResourceVersion;
    if (!isDeepStrictEqual(before, after)) {
      this.#nodeIndex.podChanged(job, before, after);
      storePod(job, uidOf(pod), after);
      if (!before) {
        job.podChanges++;
        job.vanished.delete(after.name);
      }
    }
    this.#changed(job, this.#outlineAnew(job));
  }

  #outlineAnew(job: WatchedJob): Urgency {
    const before = job.outline;
    job.outline = outlineOf(job);
    return urgencyOf(before, job.outline);
  }

  #setGroup(group: KubeObject, adapter: GangAdapter): void {
    const owner = identityOfOwner(group);
    if (!owner) return;
    const job = this.#jobOf(owner);
    const after = groupFacts(group, adapter);
    if (isDeepStrictEqual(job.groups.get(uidOf(group)), after)) return;
    const wasAdmitted = job.groups.get(uidOf(group))?.gang.admitted;
    job.groups.set(uidOf(group), after);
    // Admission is urgent: a job without pods waits for nothing else.
    this.#changed(job, after.gang.admitted === true && !wasAdmitted ? 'now' : 'soon');
  }

  #removeMissing(
    kind: 'pods' | 'groups',
    present: readonly KubeObject[],
    matches: PodFilter = () => true,
  ): void {
    const alive = new Set(present.map(uidOf));
    for (const job of [...this.#jobs.values()]) {
      for (const uid of [...job[kind].keys()]) {
        if (!alive.has(uid) && matches(job, uid)) this.#remove(kind, job, uid);
      }
    }
  }

  #remove(kind: 'pods' | 'groups', job: WatchedJob | undefined, uid: string): void {
    const pod = job?.pods.get(uid);
    if (!job?.[kind].delete(uid)) return;
    if (pod) {
      this.#nodeIndex.podChanged(job, pod, undefined);
      dropPod(job, uid, pod);
      job.resourceVersion = this.#podsResourceVersion;
    }
    this.#changed(job, this.#outlineAnew(job));
    this.#forgetIfGone(job);
  }

  #jobOwning(object: KubeObject): WatchedJob | undefined {
    const owner = identityOfOwner(object);
    return owner && this.#jobs.get(keyOfJob(owner));
  }

  #jobOf(identity: JobIdentity): WatchedJob {
    const known = this.#jobs.get(keyOfJob(identity));
    if (known) return known;
    const job = newJob(identity);
    this.#jobs.set(keyOfJob(identity), job);
    return job;
  }

  #forgetIfGone(job: WatchedJob): void {
    const hasAnchor = job.anchor !== undefined && !job.anchorGone;
    if (!hasAnchor && job.pods.size + job.groups.size === 0) this.#jobs.delete(keyOfJob(job));
  }
}

const uidOf = ({ metadata }: KubeObject) => metadata.uid ?? '';
