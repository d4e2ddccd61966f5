import { isDeepStrictEqual } from 'node:util';
import type { Digest } from '../../contracts/digest.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { anchorUidOf } from '../../contracts/objects.ts';
import { givesQuota } from '../../contracts/training-job.ts';
import { isPassingWait } from '../../contracts/waits.ts';
import type { GangVerdict } from '../../queue/gang-verdicts.ts';
import type { LaneVerdict } from '../../queue/lanes/lane-verdict.ts';
import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import type { GroupFacts } from '../groups/group-facts.ts';
import type { PodFacts } from '../pods/pod-facts.ts';
import type { PodReport } from '../pods/pod-report.ts';
import type { PodState } from '../pods/pod-state.ts';
import { type VanishedPods, vanishedPod } from '../pods/vanished-pod.ts';
import type { ProgressTracker } from '../progress/progress-tracker.ts';
import type { StepWatch } from '../progress/step-watch.ts';
import { type Delivery, newDelivery, type Urgency } from './delivery.ts';
import { EMPTY, type Outline } from './outline.ts';

/** All that a watcher knows of one job, and what it has sent of it. Its pods may arrive before its anchor, because the streams race. */
export interface WatchedJob {
  /** The anchor's uid. */
  readonly uid: string;
  readonly namespace: string;
  anchor?: AnchorFacts;
  /** The name of the job on an object of it that has lost its owner. */
  labelledAs?: string;
  /** The anchor says that it has ended, and its workflow runs. */
  isEndRefuted?: boolean;
  /** False if its anchor was seen when it was created, and no pod before or since: the workflow knows that it has none. */
  mayHaveHadPods: boolean;
  /** The anchor no longer exists: the job is removed with its last pod. */
  anchorGone: boolean;
  readonly pods: Map<string, PodFacts>;
  /** Pods that hold places for its pods, by uid. */
  readonly spares: Map<string, PodFacts>;
  readonly groups: Map<string, GroupFacts>;
  readonly vanished: VanishedPods;
  /** Those of the pods that may report for the job. */
  readonly reportingPods: Map<string, MainPod>;
  /** What its program has reported, if the job asks for that. */
  progress?: ProgressTracker;
  /** Until this time, in epoch milliseconds, its digests wait for the last reports of a pod that has ended. */
  heldUntil?: number;
  /** Why its program's reports cannot be read. */
  progressFault?: string;
  /** What its log tells of steps, if its policy names nothing that reports progress. */
  steps?: StepWatch;
  /** The answer to its workflow's last question. */
  answer?: Answer;
  /** How often in a row an answer could not be proven by this stream. */
  unproven?: { readonly stream: string; readonly tries: number };
  /** Services of its pods that were gone when the watcher looked last. */
  missingServices?: Digest['missingServices'];
  /** What was decided of its gated gang last. */
  verdict?: GangVerdict;
  /** What was decided of it as a job of a lane. */
  laneVerdict?: LaneVerdict;
  readonly states: Record<PodState, number>;
  /** How often programs have ended that are restarted in place. */
  crashes: number;
  /** How many pods wait for what does not pass by itself. */
  stuck: number;
  /** What its pods were like at their last change. */
  outline: Outline;
  /**
   * Number of pods created and deleted. A recreated pod may look like the old one, but a workflow that waits for a
   * later resource version must receive it.
   */
  podChanges: number;
  /** Resource version of the last event of one of its pods. */
  resourceVersion: number;
  readonly delivery: Delivery;
}

/** The answer to a question of a workflow; see `Digest`. */
export interface Answer {
  readonly answers: number;
  readonly silentMs?: number;
  readonly silentPod?: Digest['silentPod'];
  readonly linesRead?: number;
  readonly progressFault?: string;
}

export type JobIdentity = Pick<WatchedJob, 'namespace' | 'uid'>;

export const keyOfJob = ({ namespace, uid }: JobIdentity) => `${namespace}/${uid}`;

/** Of the owner, or of the label if there is none. Ignores other namespaces, as Kubernetes' garbage collection does. */
export function identityOfOwner(object: KubeObject): JobIdentity | undefined {
  const uid = anchorUidOf(object);
  return uid === undefined ? undefined : { namespace: object.metadata.namespace ?? '', uid };
}

export function newJob({ namespace, uid }: JobIdentity): WatchedJob {
  return {
    uid,
    namespace,
    mayHaveHadPods: false,
    anchorGone: false,
    pods: new Map(),
    spares: new Map(),
    groups: new Map(),
    vanished: new Map(),
    reportingPods: new Map(),
    states: { unscheduled: 0, scheduled: 0, ready: 0, succeeded: 0, failed: 0, terminating: 0 },
    crashes: 0,
    stuck: 0,
    outline: EMPTY,
    podChanges: 0,
    resourceVersion: 0,
    delivery: newDelivery(),
  };
}

/** Stores a new or changed pod, and counts it. */
export function storePod(job: WatchedJob, uid: string, pod: PodFacts): void {
  const before = job.pods.get(uid);
  job.mayHaveHadPods = true;
  job.pods.set(uid, pod);
  job.states[pod.state]++;
  if (before) job.states[before.state]--;
  else {
    job.podChanges++;
    job.vanished.delete(pod.name);
  }
  job.crashes += crashesOf(pod) - crashesOf(before);
  job.stuck += Number(isStuck(pod)) - Number(isStuck(before));
  if (pod.report) job.reportingPods.set(uid, { ...pod, uid, report: pod.report });
}

const isStuck = (pod: PodFacts | undefined) =>
  pod?.waiting !== undefined && !isPassingWait(pod.waiting.reason);

const crashesOf = (pod: PodFacts | undefined) => pod?.programCrash?.ends ?? 0;

/** Counts a pod that was deleted from the job's pods, and keeps how it ended. */
export function dropPod(job: WatchedJob, uid: string, pod: PodFacts): void {
  job.reportingPods.delete(uid);
  job.states[pod.state]--;
  job.crashes -= crashesOf(pod);
  job.stuck -= Number(isStuck(pod));
  job.podChanges++;
  if (!job.anchor?.final) job.vanished.set(pod.name, { uid, pod: vanishedPod(pod) });
}

/**
 * Stores a new or changed group. Returns how urgent that is: a job without pods waits for nothing but its admission, and
 * usually its pods follow at once; what evicts it waits for its pods to go. The attempt of a group never changes, whatever is
 * written on it later, unless it gives quota to one attempt after the other.
 */
export function storeGroup(job: WatchedJob, uid: string, group: GroupFacts): Urgency | undefined {
  const before = job.groups.get(uid);
  const isKept = givesQuota(group.provider) && group.attempt > 0;
  const after = isKept ? group : { ...group, attempt: before?.attempt || group.attempt };
  if (isDeepStrictEqual(before, after)) return undefined;
  job.groups.set(uid, after);
  if (after.gang.admitted === true && !before?.gang.admitted) return 'now';
  if (after.eviction && !before?.eviction) return 'now';
  return job.pods.size > 0 ? 'soon' : 'later';
}

/** A pod that may report for its job; its log is the job's log. */
export interface MainPod extends PodFacts {
  readonly uid: string;
  readonly report: PodReport;
}
