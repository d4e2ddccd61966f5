import { z } from 'zod';
import { NODE_TROUBLES } from './policy.ts';
import { GROUP_PROVIDERS } from './training-job.ts';

/**
 * The state of a job as the watcher sees it: what is, not what happened. Its size is bounded, however many pods there
 * are. A later digest replaces all earlier ones.
 */

/** How many failures a digest describes in full. `moreFailures` lists the indices of the others. */
export const MOST_FAILURES = 100;
export const MESSAGE_LENGTH = 256;
/** A Volcano group message names what a node lacks only after 200 characters. */
export const GANG_MESSAGE_LENGTH = 640;

/** Number of pods of a role by state; each pod is counted once. */
export const roleDigest = z.object({
  /** No node yet. */
  unscheduled: z.number().int(),
  /** On a node, not ready. */
  scheduled: z.number().int(),
  ready: z.number().int(),
  succeeded: z.number().int(),
  failed: z.number().int(),
  /** Being deleted, not finished. */
  terminating: z.number().int(),
  /** Indices that succeeded, as ranges: `0-2,5`. */
  succeededIndices: z.string(),
  /** Container restarts in place. */
  restarts: z.number().int().optional(),
});

/**
 * What interrupted a pod. A deletion (by hand, eviction, preemption, taint) removes the pod; a node (out of a resource,
 * shutting down) leaves the finished pod behind.
 */
export const INTERRUPTED_BY = ['deletion', 'node'] as const;

export const podFailure = z.object({
  pod: z.string(),
  uid: z.string(),
  role: z.string(),
  index: z.number().int(),
  node: z.string().optional(),
  container: z.string().optional(),
  /** Absent if no container has one: evicted, node lost. */
  exitCode: z.number().int().optional(),
  signal: z.number().int().optional(),
  /** As Kubernetes reports it: Error, OOMKilled, Evicted, ...; `Deleted` if it does not report who deleted a pod. */
  reason: z.string(),
  message: z.string().optional(),
  /** Set if the pod was asked to stop before its program had ended: the exit code, even 0, then means nothing. */
  interruptedBy: z.enum(INTERRUPTED_BY).optional(),
});

/** Failed pods that are not described. One described failure has the same role, exit code, reason and interruption. */
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

/** A pod that is not ready after its containers were restarted in place. */
export const restarted = podOnNode.extend({ restarts: z.number().int() });

/** The pod with the most container restarts in place, and how its container last ended. */
export const crash = podOnNode.extend({
  container: z.string(),
  exitCode: z.number().int(),
  signal: z.number().int().optional(),
  reason: z.string().optional(),
  /** Restarts of this container. */
  restarts: z.number().int(),
  /** Number of pods of the attempt with container restarts. */
  pods: z.number().int(),
});

/** The progress that the job reports. */
export const progress = z.object({
  value: z.string(),
  /**
   * Increases with each report, even if the value stays the same. It is the time of the report by the cluster's clocks
   * in epoch milliseconds, or slightly more. A new watcher that reads the same report gets the same number.
   */
  count: z.number().int(),
});

/** Why pods wait: the most frequent reason, with one of the pods as an example. */
export const waiting = z.object({
  reason: z.string(),
  message: z.string().optional(),
  pod: z.string(),
  pods: z.number().int(),
});

export const gangDigest = z.object({
  scheduled: z.enum(['True', 'False', 'Unknown']),
  /** Whether pods may be created; false until a scheduler that must see the group first has admitted it. */
  admitted: z.boolean().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
});

export const digest = z.object({
  /** uid of the anchor: identifies the job and its run. */
  anchor: z.string(),
  /** Of the facts in this digest: without resource versions, progress, and messages that change all the time. */
  hash: z.string().optional(),
  /** Also true while the anchor is being deleted. */
  anchorDeleted: z.boolean(),
  /** The highest attempt that has pods or a group; 0 without either. */
  attempt: z.number().int(),
  /**
   * Resource versions up to which the watcher had read pods and groups. They only increase, also across watchers. They
   * order digests and show whether a digest includes the changes of an activity.
   */
  resourceVersions: z.object({
    pods: z.number(),
    /** By scheduler; absent if the cluster does not serve its groups or they cannot be read. */
    groups: z.partialRecord(z.enum(GROUP_PROVIDERS), z.number()),
    /** Absent where the watcher may not read nodes. */
    nodes: z.number().optional(),
  }),
  /** Pods of the attempt, by the role's name in lower case, as in the labels. */
  roles: z.record(z.string(), roleDigest),
  /** Pods of earlier attempts that still exist. */
  earlier: z.number().int(),
  /** Container restarts in place, summed over the attempt's pods. */
  restarts: z.number().int(),
  /** The first failure of each role, exit code, reason and interruption, then the earliest others. */
  failures: z.array(podFailure),
  moreFailures: z.array(moreFailures).optional(),
  /** Pods that are gone without a replacement, as last seen; at most MOST_FAILURES. */
  vanished: z.array(podFailure).optional(),
  /** Set if `attempt` is 0: the attempt that `roles` and `vanished` describe. */
  goneOf: z.number().int().optional(),
  /** At most MOST_FAILURES of each. */
  endangered: z.array(endangered).optional(),
  restarted: z.array(restarted).optional(),
  crash: crash.optional(),
  /** Foreign pods: they have the job's labels and owner, but a name that no replica has. `pod` is the first by name. */
  strangers: z.object({ pods: z.number().int(), pod: z.string() }).optional(),
  /** Pods that are being deleted and have not ended, first by name. */
  terminating: z.array(podOnNode).optional(),
  progress: progress.optional(),
  /** When the watcher last received a report of the program, in epoch milliseconds; increases with each report. */
  lastReportAt: z.number().optional(),
  /** Why the watcher cannot receive the program's progress, if the job asks for it. Silence is then no stall. */
  progressFault: z.string().optional(),
  /** The value of the anchor's annotation `signalbox.dev/asked` that this digest answers. */
  answers: z.number().optional(),
  /** Part of an answer: for how many milliseconds the watcher has received no report. */
  silentMs: z.number().optional(),
  /** The requested checkpoint is written. */
  acknowledged: z.boolean().optional(),
  waiting: waiting.optional(),
  gang: gangDigest.optional(),
  /** When pods without a node may first use a node that they avoid now, in epoch milliseconds: `LABELS.avoidsUntil`. */
  avoidsUntil: z.number().optional(),
  /** Only for jobs that keep a host list: the number of pods that it would have now, and its hash. */
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
