import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import type { GroupFacts } from '../groups/group-facts.ts';
import type { PodFacts, PodState } from '../pods/pod-facts.ts';
import type { PodReport } from '../pods/pod-report.ts';
import type { VanishedPods } from '../pods/vanished-pod.ts';
import type { ProgressTracker } from '../progress/progress-tracker.ts';

/** All that is known of one job. Its pods may be heard of before its anchor: the streams race. */
export interface WatchedJob {
  /** Of the anchor. */
  readonly uid: string;
  readonly namespace: string;
  anchor?: AnchorFacts;
  /** The anchor no longer exists: the job is forgotten with its last pod. */
  anchorGone: boolean;
  readonly pods: Map<string, PodFacts>;
  readonly groups: Map<string, GroupFacts>;
  readonly vanished: VanishedPods;
  /** Of the pods, those that may speak for the job. */
  readonly reportingPods: Map<string, MainPod>;
  /** What its program has said, if that is listened to. */
  progress?: ProgressTracker;
  /** Why its program is not heard although it should be. */
  unheard?: string;
  /** To the last question of its workflow. */
  answer?: Answer;
  readonly states: Record<PodState, number>;
  /**
   * How many pods came or went. A pod deleted and made anew may look as before, but whoever waits for a later
   * revision has to hear of it.
   */
  podChanges: number;
  /** Up to which its own pods have been heard of: of the last event of one of them. */
  revision: number;
}

/** What was found out for a workflow that asked; see `Digest`. */
export interface Answer {
  readonly answers: number;
  readonly silentMs?: number;
  readonly unheard?: string;
}

/** A pod has come into this state: one more failure, or the last pod that was missing. */
export function isUrgent({ pods, states }: WatchedJob, state: PodState): boolean {
  if (state === 'failed') return true;
  return (state === 'ready' || state === 'succeeded') && states[state] === pods.size;
}

export type JobIdentity = Pick<WatchedJob, 'namespace' | 'uid'>;

export function newJob({ namespace, uid }: JobIdentity): WatchedJob {
  const states = { unscheduled: 0, scheduled: 0, ready: 0, succeeded: 0, failed: 0, terminating: 0 };
  const pods: WatchedJob['pods'] = new Map();
  const more = { groups: new Map(), vanished: new Map(), reportingPods: new Map(), states };
  return { uid, namespace, anchorGone: false, pods, ...more, podChanges: 0, revision: 0 };
}

/** The pod that speaks for its job: the one whose log is the job's. */
export interface MainPod extends PodFacts {
  readonly uid: string;
  readonly report: PodReport;
}
