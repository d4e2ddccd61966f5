import { z } from 'zod';
import { NODE_TROUBLES } from './policy.ts';
import { GROUP_PROVIDERS } from './training-job.ts';

/**
 * What the watcher says about a job: what is, not what happened. It stays small however many pods there are, and a
 * later one makes all earlier ones worthless.
 */

/** How many failures a digest describes; of the others it tells which pods they are of, and what they are like. */
export const MOST_FAILURES = 100;
export const MESSAGE_LENGTH = 256;
/** Volcano's word on a group comes to what a node lacks only after 200 characters. */
export const GANG_MESSAGE_LENGTH = 640;

/** Pods of a role by state; a pod is counted once. */
export const roleDigest = z.object({
  /** No node yet. */
  unscheduled: z.number().int(),
  /** On a node, not ready. */
  scheduled: z.number().int(),
  ready: z.number().int(),
  succeeded: z.number().int(),
  failed: z.number().int(),
  /** Being deleted and not finished. */
  terminating: z.number().int(),
  /** Indices that succeeded, as ranges: `0-2,5`. */
  succeededIndices: z.string(),
  /** Container restarts in place. */
  restarts: z.number().int().optional(),
});

/**
 * Who told a pod to stop: somebody who deleted it (by hand, by eviction, preemption, for a taint), so that it goes; or its
 * node (out of a resource, shutting down), where what is left of it stays.
 */
export const INTERRUPTED_BY = ['deletion', 'node'] as const;

export const podFailure = z.object({
  pod: z.string(),
  uid: z.string(),
  role: z.string(),
  index: z.number().int(),
  node: z.string().optional(),
  container: z.string().optional(),
  /** Absent where no container left one: evicted, node lost. */
  exitCode: z.number().int().optional(),
  signal: z.number().int().optional(),
  /** Kubernetes' word: Error, OOMKilled, Evicted, ...; `Deleted` where it does not say who deleted a pod. */
  reason: z.string(),
  message: z.string().optional(),
  /** It was told to stop before its program had ended: how that ended, even with 0, says nothing about it. */
  interruptedBy: z.enum(INTERRUPTED_BY).optional(),
});

/** Failed pods that are not described: one that is has the same role, exit code, reason and interruption. */
export const moreFailures = z.object({
  role: z.string(),
  exitCode: z.number().int().optional(),
  reason: z.string(),
  interruptedBy: z.enum(INTERRUPTED_BY).optional(),
  /** As ranges: `100-148,150`. */
  indices: z.string(),
});

const podOnNode = z.object({
  pod: z.string(),
  uid: z.string(),
  role: z.string(),
  index: z.number().int(),
  node: z.string().optional(),
});

/** An unfinished pod on a node that is in trouble. */
export const endangered = podOnNode.extend({
  trouble: z.enum(NODE_TROUBLES),
  /** Since when, in epoch milliseconds. */
  since: z.number(),
});

/** A pod whose containers were restarted in place, and that is not ready. */
export const restarted = podOnNode.extend({ restarts: z.number().int() });

/** Of the pods whose containers were restarted in place the one with most restarts, and how it ended last. */
export const crash = podOnNode.extend({
  container: z.string(),
  exitCode: z.number().int(),
  signal: z.number().int().optional(),
  reason: z.string().optional(),
  /** Of this container. */
  restarts: z.number().int(),
  /** How many pods of the attempt were restarted so. */
  pods: z.number().int(),
});

/** How far the job says that it has got. */
export const progress = z.object({
  value: z.string(),
  /**
   * Grows with each word although the value may stay the same. It is when the last word was said, in epoch
   * milliseconds as the cluster's clocks have it, or a little more: a later watcher that reads the same word gives the
   * same number.
   */
  count: z.number().int(),
});

/** Why pods wait: the reason that most of the waiting pods give, with one of them as an example. */
export const waiting = z.object({
  reason: z.string(),
  message: z.string().optional(),
  pod: z.string(),
  pods: z.number().int(),
});

export const gangDigest = z.object({
  scheduled: z.enum(['True', 'False', 'Unknown']),
  /** Pods may be created; false while a scheduler that wants the group first has not let it in. */
  admitted: z.boolean().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
});

export const digest = z.object({
  /** uid of the anchor: which job, and which run of it, this is about. */
  anchor: z.string(),
  /** The anchor is deleted, or being deleted. */
  anchorDeleted: z.boolean(),
  /** The highest attempt that has pods; 0 without pods. */
  attempt: z.number().int(),
  /**
   * Resource versions up to which pods and groups were read. They only grow, also across watchers, so they tell which
   * of two digests is the later one, and whether a digest has seen what an activity did.
   */
  revision: z.object({
    pods: z.number(),
    /** By scheduler; absent where the cluster does not serve its groups, or they cannot be read. */
    groups: z.partialRecord(z.enum(GROUP_PROVIDERS), z.number()),
    /** Absent where the watcher may not read nodes. */
    nodes: z.number().optional(),
    /** When the watcher last heard a word of the job's program, in epoch milliseconds; grows with each. */
    progress: z.number().optional(),
  }),
  /** Of the attempt, by role name in lower case as the labels have it. */
  roles: z.record(z.string(), roleDigest),
  /** Pods of earlier attempts that still exist. */
  earlier: z.number().int(),
  /** Container restarts in place, summed over the attempt's pods. */
  restarts: z.number().int(),
  /** The first, and the first of each role, exit code and reason. */
  failures: z.array(podFailure),
  moreFailures: z.array(moreFailures).optional(),
  /** Pods that are gone, and that no other has taken the place of, as far as it was seen how they ended; at most as many. */
  vanished: z.array(podFailure).optional(),
  /** Without pods: the attempt whose pods are gone, of which `roles` and `vanished` tell. */
  goneOf: z.number().int().optional(),
  /** At most MOST_FAILURES of each. */
  endangered: z.array(endangered).optional(),
  restarted: z.array(restarted).optional(),
  crash: crash.optional(),
  /** Pods that have the labels and the owner of one of the job's, and another name: the first by name. */
  strangers: z.object({ pods: z.number().int(), pod: z.string() }).optional(),
  /** Pods that are being deleted and have not ended; the first by name. */
  terminating: z.array(podOnNode).optional(),
  progress: progress.optional(),
  /**
   * Why the program's progress cannot be heard, in words; only of jobs that ask for it. Its silence means nothing then.
   */
  unheard: z.string().optional(),
  /** The question of the anchor (`signalbox.dev/asked`) after which all of this was seen. */
  answers: z.number().optional(),
  /** With the answer: for how many milliseconds the program was listened to and said nothing. */
  silentMs: z.number().optional(),
  /** The checkpoint that was asked for is written. */
  acknowledged: z.boolean().optional(),
  waiting: waiting.optional(),
  gang: gangDigest.optional(),
  /** When pods without a node may be placed where they may not be now, in epoch milliseconds: `LABELS.avoidsUntil`. */
  avoidsUntil: z.number().optional(),
  /** Of jobs that keep a list of their pods: how many it would have now, and a hash of it. */
  hostList: z.object({ pods: z.number().int(), hash: z.string() }).optional(),
});

export type Digest = z.infer<typeof digest>;
export type RoleDigest = z.infer<typeof roleDigest>;
export type InterruptedBy = (typeof INTERRUPTED_BY)[number];
export type PodFailure = z.infer<typeof podFailure>;
export type MoreFailures = z.infer<typeof moreFailures>;
export type Endangered = z.infer<typeof endangered>;
export type Crash = z.infer<typeof crash>;
export type Restarted = z.infer<typeof restarted>;
export type Progress = z.infer<typeof progress>;
export type Waiting = z.infer<typeof waiting>;
export type GangDigest = z.infer<typeof gangDigest>;
