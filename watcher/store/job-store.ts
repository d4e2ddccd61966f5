import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { ReflectorHandlers } from '../../cluster/reflector.ts';
import type { Digest } from '../../contracts/digest.ts';
import type { ConfigMap, KubeObject, Pod } from '../../contracts/kubernetes.ts';
import { isSpare } from '../../contracts/pod.ts';
import { isFinal } from '../../contracts/status.ts';
import type { GangAdapter } from '../../gang/gang.ts';
import type { GangVerdict } from '../../queue/gang-verdicts.ts';
import type { LaneVerdict } from '../../queue/lanes/lane-verdict.ts';
import { type AnchorFacts, anchorFacts, isSameRun } from '../anchors/anchor-facts.ts';
import { jobDigest } from '../digest/job-digest.ts';
import { groupFacts } from '../groups/group-facts.ts';
import type { Urgency } from '../jobs/delivery.ts';
import { dropPod, type JobIdentity, storeGroup, storePod, type WatchedJob } from '../jobs/job.ts';
import { NodeIndex } from '../jobs/node-index.ts';
import { outlineOf, urgencyOf } from '../jobs/outline.ts';
import type { HealthTable } from '../nodes/health-table.ts';
import { NodeStore } from '../nodes/node-store.ts';
import { podFacts } from '../pods/pod-facts.ts';
import { ReadPositions } from './read-positions.ts';
import { WatchedJobs } from './watched-jobs.ts';

interface JobStoreEvents {
  /** A job may have changed. */
  changed: [job: WatchedJob, urgency: Urgency];
  /** The stream of anchors no longer has this one: it is gone (`anchorGone`), or has lost its labels (`anchorFound`). */
  unlisted: [anchor: AnchorFacts];
}

/** The state of all jobs, as far as the watch streams have been read. */
export class JobStore extends EventEmitter<JobStoreEvents> {
  readonly #jobs = new WatchedJobs();
  readonly #positions = new ReadPositions();
  readonly #nodeIndex = new NodeIndex();
  readonly nodes: NodeStore;

  /** `health`: what sources of health write on nodes; by default the known ones. */
  constructor(health?: HealthTable) {
    super();
    this.nodes = new NodeStore({
      ...(health ? { health } : {}),
      occupied: this.#nodeIndex.nodes,
      changed: (node, isNew) => {
        for (const job of this.#nodeIndex.jobsOn(node)) this.emit('changed', job, isNew ? 'now' : 'soon');
      },
    });
  }

  /** Up to where the streams were read that have objects of this namespace. */
  resourceVersionsIn(namespace: string): Digest['resourceVersions'] {
    const [pods, groups] = [this.#positions.podsIn(namespace), this.#positions.groupsIn(namespace)];
    return { pods, groups, nodes: this.nodes.resourceVersion };
  }

  get jobs(): Iterable<WatchedJob> {
    return this.#jobs;
  }

  get size() {
    return this.#jobs.size;
  }

  job(identity: JobIdentity): WatchedJob | undefined {
    return this.#jobs.find(identity);
  }

  digestOf(job: WatchedJob, anchor: AnchorFacts): Digest {
    const conditionOf = (node: string) => this.nodes.conditionOf(node);
    const noticesOf = (node: string) => this.nodes.noticesOf(node);
    const { capacity } = this.nodes;
    const jobOfGroup = (uid: string) => this.#jobs.withGroup(uid)?.anchor?.workflowId;
    return jobDigest(
      { ...job, anchor, conditionOf, noticesOf, capacity, jobOfGroup },
      this.resourceVersionsIn(job.namespace),
    );
  }

  /** Takes what was decided of the gated gang of a job. */
  setVerdict(job: WatchedJob, verdict: GangVerdict | undefined): void {
    if (isDeepStrictEqual(job.verdict, verdict)) return;
    job.verdict = verdict;
    this.emit('changed', job, verdict?.lift ? 'now' : 'soon');
  }

  /** Takes what was decided of a job of a lane. */
  setLaneVerdict(job: WatchedJob, verdict: LaneVerdict | undefined): void {
    if (isDeepStrictEqual(job.laneVerdict, verdict)) return;
    job.laneVerdict = verdict;
    this.emit('changed', job, urgencyOfVerdict(verdict));
  }

  /** Returns the anchors of jobs that have not ended. */
  openAnchors(): AnchorFacts[] {
    return this.#jobs.anchors(({ final }) => !final);
  }

  /** Returns the anchors of jobs that have ended, as they say. */
  endedAnchors(): AnchorFacts[] {
    return this.#jobs.anchors(({ final }) => final);
  }

  /** Follows a job on whose anchor says that it has ended. */
  refuteEnd(claimed: AnchorFacts): void {
    const job = this.job(claimed);
    if (!job) return;
    job.isEndRefuted = true;
    this.#setAnchor(job.anchor, { isNew: false });
  }

  /** The job of an anchor has ended after all. */
  believeEnd(ended: AnchorFacts): void {
    const job = this.job(ended);
    if (!job?.isEndRefuted) return;
    job.isEndRefuted = false;
    if (job.anchor) job.anchor = { ...job.anchor, final: isFinal(job.anchor.phase) };
  }

  /** Returns the handlers for the pods of one namespace; without it, for those of all. */
  podsIn(namespace?: string): ReflectorHandlers<Pod> {
    const read = (resourceVersion: number) => this.#positions.notePods(namespace, resourceVersion);
    return {
      replaced: (pods, resourceVersion) => {
        read(resourceVersion);
        for (const [job, uid] of this.#jobs.podsWithout(pods, namespace)) this.#remove('pods', job, uid);
        for (const pod of pods) this.#setPod(pod);
        this.#noteWithoutPods(namespace);
      },
      changed: (pod, resourceVersion) => {
        read(resourceVersion);
        this.#setPod(pod);
      },
      deleted: (pod, resourceVersion) => {
        read(resourceVersion);
        const job = this.#jobs.owning(pod);
        // The DELETED event may be the first to show how the pod ended.
        if (job?.pods.has(uidOf(pod))) this.#setPod(pod);
        this.#remove('pods', job, uidOf(pod));
      },
    };
  }

  /** A list says of a job without pods that it has none now: some may have come and gone since the stream read last. */
  #noteWithoutPods(namespace: string | undefined): void {
    for (const job of this.#jobs.in(namespace)) {
      if (job.pods.size > 0) continue;
      job.mayHaveHadPods = true;
      job.resourceVersion = this.#positions.podsIn(job.namespace);
      this.emit('changed', job, 'soon');
    }
  }

  /** Returns the handlers for the groups of one scheduler, of one namespace or of all. */
  groupsOf(adapter: GangAdapter, namespace?: string): ReflectorHandlers<KubeObject> {
    const read = (resourceVersion: number) =>
      this.#positions.noteGroups(adapter.provider, namespace, resourceVersion);
    return {
      replaced: (groups, resourceVersion) => {
        read(resourceVersion);
        this.#removeGroupsWithout(groups, adapter, namespace);
        for (const group of groups) this.#setGroup(group, adapter);
      },
      changed: (group, resourceVersion) => {
        read(resourceVersion);
        this.#setGroup(group, adapter);
      },
      deleted: (group, resourceVersion) => {
        read(resourceVersion);
        this.#remove('groups', this.#jobs.owning(group), uidOf(group));
      },
    };
  }

  /** Removes the groups of a scheduler whose API the cluster no longer serves. */
  forgetGroupsOf(adapter: GangAdapter, namespace?: string): void {
    this.#positions.forgetGroups(adapter.provider, namespace);
    this.#removeGroupsWithout([], adapter, namespace);
  }

  #removeGroupsWithout(
    present: readonly KubeObject[],
    { provider }: GangAdapter,
    namespace: string | undefined,
  ): void {
    const without = this.#jobs.groupsWithout(present, { provider, namespace });
    for (const [job, uid] of without) this.#remove('groups', job, uid);
  }

  /** Returns the handlers for the anchors of one namespace; without it, for those of all. */
  anchorsIn(namespace?: string): ReflectorHandlers<ConfigMap> {
    return {
      replaced: (anchors) => {
        const alive = new Set(anchors.map(uidOf));
        for (const { uid, anchor } of this.#jobs.in(namespace)) {
          if (anchor && !alive.has(uid)) this.emit('unlisted', anchor);
        }
        for (const anchor of anchors) this.#setAnchor(this.#factsOf(anchor), { isNew: false });
      },
      changed: (anchor) => this.#setAnchor(this.#factsOf(anchor), { isNew: true }),
      deleted: (anchor) => {
        const last = this.#factsOf(anchor);
        if (last) this.emit('unlisted', last);
      },
    };
  }

  /** Returns what is known of an anchor. */
  knownOf({ metadata: { namespace = '', uid = '' } }: ConfigMap): AnchorFacts | undefined {
    return this.job({ namespace, uid })?.anchor;
  }

  #factsOf = (anchor: ConfigMap) => anchorFacts(anchor, this.knownOf(anchor));

  /** Takes in an anchor that was read by its name. */
  anchorFound(anchor: AnchorFacts): void {
    this.#setAnchor(anchor, { isNew: false });
  }

  /** Records that the anchor is gone. The job may still have pods, and its workflow must learn of the deletion. */
  anchorGone(last: AnchorFacts): void {
    const job = this.#jobs.of(last);
    const known = job.anchor?.deleted;
    job.anchor = { ...last, deleted: true };
    job.anchorGone = true;
    if (!known) this.emit('changed', job, 'now');
    this.#jobs.forgetIfGone(job);
  }

  #setAnchor(facts: AnchorFacts | undefined, { isNew }: { readonly isNew: boolean }): void {
    if (!facts) return;
    const job = this.#jobs.of(facts);
    const anchor = job.isEndRefuted ? { ...facts, final: false } : facts;
    const before = job.anchor;
    job.anchor = anchor;
    if (!before && !isNew) job.mayHaveHadPods = true;
    if (anchor.final) job.vanished.clear();
    if (isDeepStrictEqual(before, anchor)) return;
    const urgency = this.#outlineAnew(job);
    const isOther = anchor.deleted || (before && !isSameRun(before, anchor));
    this.emit('changed', job, isOther ? 'now' : urgency);
  }

  #setPod(pod: Pod): void {
    const job = this.#jobs.ofOwner(pod);
    if (!job) return;
    if (isSpare(pod)) {
      this.#setSpare(job, pod);
      return;
    }
    const before = job.pods.get(uidOf(pod));
    const after = podFacts(pod, before);
    job.resourceVersion = this.#positions.podsIn(job.namespace);
    if (!isDeepStrictEqual(before, after)) {
      this.#nodeIndex.podChanged(job, before, after);
      storePod(job, uidOf(pod), after);
    }
    this.emit('changed', job, this.#outlineAnew(job));
  }

  #setSpare(job: WatchedJob, pod: Pod): void {
    const uid = uidOf(pod);
    const before = job.spares.get(uid);
    const after = podFacts(pod, before);
    if (isDeepStrictEqual(before, after)) return;
    job.resourceVersion = this.#positions.podsIn(job.namespace);
    this.#nodeIndex.podChanged(job, before, after);
    job.spares.set(uid, after);
    this.emit('changed', job, 'soon');
  }

  #removeSpare(job: WatchedJob, uid: string): void {
    this.#nodeIndex.podChanged(job, job.spares.get(uid), undefined);
    job.spares.delete(uid);
    job.resourceVersion = this.#positions.podsIn(job.namespace);
    this.emit('changed', job, 'soon');
    this.#jobs.forgetIfGone(job);
  }

  #outlineAnew(job: WatchedJob): Urgency {
    const before = job.outline;
    job.outline = outlineOf(job);
    return urgencyOf(before, job.outline);
  }

  #setGroup(group: KubeObject, adapter: GangAdapter): void {
    const job = this.#jobs.ofOwner(group);
    if (!job) return;
    const urgency = storeGroup(job, uidOf(group), groupFacts(group, adapter));
    if (urgency) this.emit('changed', job, urgency);
  }

  #remove(kind: 'pods' | 'groups', job: WatchedJob | undefined, uid: string): void {
    if (job?.spares.has(uid)) {
      this.#removeSpare(job, uid);
      return;
    }
    const pod = job?.pods.get(uid);
    if (!job?.[kind].delete(uid)) return;
    if (pod) {
      this.#nodeIndex.podChanged(job, pod, undefined);
      dropPod(job, uid, pod);
      job.resourceVersion = this.#positions.podsIn(job.namespace);
    }
    this.emit('changed', job, this.#outlineAnew(job));
    this.#jobs.forgetIfGone(job);
  }
}

/** A job that has taken what it was granted knows that: nothing more is told to it until it has pods. */
function urgencyOfVerdict(verdict: LaneVerdict | undefined): Urgency {
  if (!verdict) return 'later';
  return verdict.eviction || verdict.lane?.until !== undefined ? 'now' : 'soon';
}

const uidOf = ({ metadata }: KubeObject) => metadata.uid ?? '';
