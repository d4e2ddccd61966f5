import type { ReasonCode } from '../contracts/reasons.ts';

/**
 * Who can end a wait. `nobody`: it passes by itself, if at all.
 *
 * @public
 */
export type Who = 'you' | 'administrator' | 'nobody';

/**
 * What a code of a wait means.
 *
 * @public
 */
export interface WaitCodeEntry {
  readonly who: Who;
  /** What it means, for docs/why.md. */
  readonly meaning: string;
}

/**
 * Why a job waits, in order of rank: first what no waiting can cure, then what somebody must do, then whose turn it is, then
 * room. The first that applies is the reason of a job. Codes that the status of a job has, too, mean the same there.
 *
 * @public
 */
export const WAIT_CODES = {
  Suspended: { who: 'you', meaning: 'The job is suspended until somebody resumes it.' },
  HeldForDebugging: { who: 'you', meaning: 'The failed pods are kept for inspection.' },
  CheckpointRequested: { who: 'nobody', meaning: 'The job writes a checkpoint before it stops.' },
  ReplacingPods: { who: 'nobody', meaning: 'Failed pods are replaced, perhaps after a back-off.' },
  RestartingGang: { who: 'nobody', meaning: 'The next attempt begins when all pods of the last are gone.' },
  CapacityTaken: {
    who: 'nobody',
    meaning:
      'Others took the room of a gated gang before all its pods had a node; they are made anew after a back-off.',
  },
  TooFewNewNodes: {
    who: 'nobody',
    meaning:
      'A gated gang was lifted before there was room, and only some of its pods got new nodes in time; they are made anew after a back-off.',
  },
  Scaling: { who: 'nobody', meaning: 'Pods are added or removed.' },
  NeverFits: {
    who: 'you',
    meaning:
      'A pod is larger than every node, the pods that must start together are more than all nodes hold when they are empty, or the job needs more than a quota or queue allows.',
  },
  Forbidden: { who: 'administrator', meaning: 'signalbox lacks a permission that the job needs.' },
  NamespaceMissing: { who: 'you', meaning: 'The namespace does not exist, or is being deleted.' },
  WebhookAway: { who: 'administrator', meaning: 'An admission webhook does not answer.' },
  ClusterAway: { who: 'administrator', meaning: 'The API server does not answer, or with an error.' },
  ClusterRefused: {
    who: 'you',
    meaning: 'The API server refuses a pod: invalid, against a policy of the namespace, or by a webhook.',
  },
  DependencyMissing: {
    who: 'you',
    meaning:
      'A ConfigMap, Secret, PersistentVolumeClaim, service account, class or claim that the pods name does not exist.',
  },
  QueueClosed: {
    who: 'administrator',
    meaning: 'The queue does not exist, or takes no such jobs; or the job is deactivated in it.',
  },
  LaneFaulty: {
    who: 'administrator',
    meaning: 'The configuration of lanes, or of the job’s lane, is missing or has a fault.',
  },
  GroupMissing: { who: 'administrator', meaning: 'The group that makes the pods a gang does not exist.' },
  MixedSchedulers: { who: 'you', meaning: 'Pods of a gang name another scheduler than the one of the gang.' },
  SchedulerSilent: {
    who: 'administrator',
    meaning: 'No scheduler has said anything of the pods, e.g. because none of that name runs.',
  },
  SchedulingGated: {
    who: 'administrator',
    meaning: 'A scheduling gate holds pods back until its owner lifts it.',
  },
  WaitingInLane: {
    who: 'nobody',
    meaning:
      'The job waits for its turn in its lane; `signalbox queue` shows who is ahead and who holds what.',
  },
  WaitingForQueue: { who: 'nobody', meaning: 'A queue has not admitted the job yet; its own words say why.' },
  QuotaExceeded: { who: 'nobody', meaning: 'Others use so much of a ResourceQuota that too little is left.' },
  NoNodeMatches: {
    who: 'you',
    meaning:
      'Too few nodes match selector, affinity and tolerations of the pods, or are in service, even if they were empty.',
  },
  NotEnoughRoom: { who: 'nobody', meaning: 'Nodes match, but too little of them is free.' },
  CapacityBeingFreed: {
    who: 'nobody',
    meaning: 'There is room once pods are gone that are being deleted, or placed that have room reserved.',
  },
  WaitingForTurn: {
    who: 'nobody',
    meaning: 'Gated gangs are placed one at a time; others are ahead, or this one is next.',
  },
  PodsTerminating: { who: 'administrator', meaning: 'Pods of this job that are being deleted do not go.' },
  NotComputed: {
    who: 'nobody',
    meaning:
      'There is room, but pods also need what is not computed here: spread, affinity between pods, devices by claims, or ports of nodes.',
  },
  VolumePending: { who: 'administrator', meaning: 'A PersistentVolumeClaim is not bound.' },
  WaitingForNodes: { who: 'nobody', meaning: 'The autoscaler adds nodes, or says why it does not.' },
  NodeNotReady: { who: 'administrator', meaning: 'A node that runs pods of the job is not ready.' },
  ContainersRestarting: { who: 'you', meaning: 'A container fails again and again.' },
  ContainersNotReady: { who: 'you', meaning: 'Pods have nodes, but do not start: image, volume, probe.' },
  CreatingObjects: { who: 'nobody', meaning: 'The objects of the job are being created.' },
  AwaitingWatcher: {
    who: 'administrator',
    meaning: 'No watcher has reported the pods yet, or decides about lanes.',
  },
  CleaningUp: { who: 'nobody', meaning: 'The job has its outcome; its objects are being deleted.' },
  Unknown: {
    who: 'nobody',
    meaning:
      'All of this finds no reason, and the job still waits. The scheduler’s own words are all there is.',
  },
} as const satisfies Readonly<Record<string, WaitCodeEntry>>;

/** @public */
export type WaitCode = keyof typeof WAIT_CODES;

const RANKS = new Map<string, number>(Object.keys(WAIT_CODES).map((code, rank) => [code, rank]));

export const rankOf = (code: WaitCode): number => RANKS.get(code)!;

/** Whether a code of a job's status is one of a wait. What schedulers say in general is computed here in detail. */
export const isWaitCode = (code: ReasonCode | WaitCode): code is WaitCode => RANKS.has(code);
