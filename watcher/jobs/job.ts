import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import type { GroupFacts } from '../groups/group-facts.ts';
import type { PodFacts, PodState } from '../pods/pod-facts.ts';
import type { Voice } from '../pods/pod-report.ts';
import type { Vanished } from '../pods/vanished-pod.ts';
import type { Words } from '../progress/progress-tracker.ts';

/** All that is known of one job. Its pods may be heard of before its anchor: the streams race. */
export interface Job {
  /** Of the anchor. */
  readonly uid: string;
  readonly namespace: string;
  anchor?: AnchorFacts;
  /** The anchor no longer exists: the job is forgotten with its last pod. */
  anchorGone: boolean;
  readonly pods: Map<string, PodFacts>;
  readonly groups: Map<string, GroupFacts>;
  readonly vanished: Vanished;
  /** Of the pods, those that may speak for the job. */
  readonly speakers: Map<string, Speaker>;
  /** What its program has said, if that is listened to. */
  words?: Words;
  /** Why its program is not heard although it should be. */
  unheard?: string;
  /** To the last question of its workflow. */
  answer?: Answer;
  readonly states: Record<PodState, number>;
  /**
   * How many pods came or went. A pod deleted and made anew may look as before, but whoever waits for a later
   * revision has to hear of it.
   */
  turnover: number;
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
export function isUrgent({ pods, states }: Job, state: PodState): boolean {
  if (state === 'failed') return true;
  return (state === 'ready' || state === 'succeeded') && states[state] === pods.size;
}

export type JobIdentity = Pick<Job, 'namespace' | 'uid'>;

export function newJob({ namespace, uid }: JobIdentity): Job {
  const states = { unplaced: 0, placed: 0, ready: 0, succeeded: 0, failed: 0, leaving: 0 };
  const pods: Job['pods'] = new Map();
  const more = { groups: new Map(), vanished: new Map(), speakers: new Map(), states };
  return { uid, namespace, anchorGone: false, pods, ...more, turnover: 0, revision: 0 };
}

/** The pod that speaks for its job: the one whose log is the job's. */
export interface Speaker extends PodFacts {
  readonly uid: string;
  readonly voice: Voice;
}
