import type { AnchorFacts } from './anchor-facts.ts';
import type { GroupFacts } from './group-facts.ts';
import type { PodFacts, PodState } from './pod-facts.ts';
import type { Speaker } from './speaker.ts';
import type { Words } from './words.ts';

/** All that is known of one job. Its pods may be heard of before its anchor: the streams race. */
export interface Job {
  /** Of the anchor. */
  readonly uid: string;
  anchor?: AnchorFacts;
  /** The anchor no longer exists: the job is forgotten with its last pod. */
  anchorGone: boolean;
  readonly pods: Map<string, PodFacts>;
  readonly groups: Map<string, GroupFacts>;
  /** Of the pods, those that may speak for the job. */
  readonly speakers: Map<string, Speaker>;
  /** What its program has said, if that is listened to. */
  words?: Words;
  readonly states: Record<PodState, number>;
  /**
   * How many pods came or went. A pod deleted and made anew may look as before, but whoever waits for a later
   * revision has to hear of it.
   */
  turnover: number;
  /** Up to which its own pods have been heard of: of the last event of one of them. */
  revision: number;
}

export function newJob(uid: string): Job {
  const states = { unplaced: 0, placed: 0, ready: 0, succeeded: 0, failed: 0, leaving: 0 };
  const pods: Job['pods'] = new Map();
  const more = { groups: new Map(), speakers: new Map(), states };
  return { uid, anchorGone: false, pods, ...more, turnover: 0, revision: 0 };
}
