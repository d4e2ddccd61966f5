import { z } from 'zod';
import { VERDICTS } from './node-notice.ts';
import { NODE_TROUBLES } from './policy.ts';
import { MOST_SPARES } from './spares.ts';
import { GROUP_PROVIDERS } from './training-job.ts';

/**
 * The state of a job as the watcher sees it: what is, not what happened. Its size is bounded, however many pods there
 * are. A later digest replaces all earlier ones.
 */

/** How many failures a digest describes in full. `moreFailures` lists the indices of the others. */
export const MOST_FAILURES = 100;
export const MESSAGE_LENGTH = 256;
/** How many reasons of waiting pods a digest names. */
export const MOST_WAITING = 5;
/** How many nodes it names that are not well, and how many pods on each. */
export const MOST_NOTICED_NODES = 20;
export const MOST_NOTICED_PODS = 32;
/** A Volcano group message names what a node lacks only after 200 characters. */
export const GANG_MESSAGE_LENGTH = 640;

const SPARE_STATES = ['waiting', 'ready', 'leaving', 'ended'] as const;

const spare = z
  .object({
    pod: z.string().describe('Name of the pod.'),
    uid: z.string().describe('uid of the pod.'),
    node: z.string().optional().describe('Its node; absent before it is placed.'),
    state: z
      .enum(SPARE_STATES)
      .describe('Whether it holds its place (`ready`), does not yet, is being deleted, or has ended.'),
    isEndangered: z.boolean().optional().describe('Its node is in trouble.'),
  })
  .meta({ id: 'SpareDigest', description: 'A pod that holds a place for a pod of the job.' });

const roleDigest = z
  .object({
    unscheduled: z.number().int().describe('Pods without a node.'),
    scheduled: z.number().int().describe('Pods on a node that are not ready.'),
    ready: z.number().int().describe('Pods that are ready.'),
    succeeded: z.number().int().describe('Pods that succeeded.'),
    failed: z.number().int().describe('Pods that failed.'),
    terminating: z.number().int().describe('Pods that are being deleted and have not ended.'),
    succeededIndices: z.string().describe('Indices of the pods that succeeded, as ranges: `0-2,5`.'),
    restarts: z.number().int().optional().describe('Container restarts in place.'),
  })
  .meta({ id: 'RoleDigest', description: 'Number of pods of a role by state; each pod is counted once.' });

/**
 * What interrupted a pod. A deletion (by hand, eviction, preemption, taint) removes the pod; a node (out of a resource,
 * shutting down) leaves the finished pod behind.
 */
const INTERRUPTED_BY = ['deletion', 'node'] as const;

const exitCode = z.number().int().optional().describe('Exit code of the container; absent if it has none.');
const memoryLimit = z
  .string()
  .optional()
  .describe('Limit of memory of the container, as a quantity; only if it was killed.');
const interruptedBy = z
  .enum(INTERRUPTED_BY)
  .optional()
  .describe(
    'Set if the pod was told to stop before its program had ended: the exit code then means nothing.',
  );
const REASON =
  'As Kubernetes reports it: Error, OOMKilled, Evicted, ...; Deleted if it does not say who deleted it.';

const podOnNode = z
  .object({
    pod: z.string().describe('Name of the pod.'),
    uid: z.string().describe('uid of the pod.'),
    role: z.string().describe('Role of the pod, in lower case.'),
    index: z.number().int().describe('Index of the pod in its role, from 0.'),
    node: z.string().optional().describe('Node of the pod; absent before it is placed.'),
  })
  .meta({ id: 'PodOnNode', description: 'What identifies a pod of the job.' });

const podFailure = podOnNode
  .extend({
    container: z.string().optional().describe('The container that failed.'),
    exitCode,
    signal: z.number().int().optional().describe('The signal that ended the container.'),
    reason: z.string().describe(REASON),
    message: z.string().optional().describe('Termination message, or what Kubernetes says.'),
    memoryLimit,
    interruptedBy,
    stillRunning: z
      .array(z.string())
      .optional()
      .describe('Containers that still run although the program has ended; at most 5.'),
  })
  .meta({ id: 'PodFailure', description: 'A pod that failed, or that is gone.' });

/** Failed pods that are not described. One described failure has the same role, exit code, reason and interruption. */
const moreFailures = z
  .object({
    role: z.string().describe('Role of the pods, in lower case.'),
    exitCode,
    reason: z.string().describe(REASON),
    interruptedBy,
    indices: z.string().describe('Indices of the pods, as ranges: `100-148,150`.'),
  })
  .meta({
    id: 'MoreFailures',
    description: 'Failed pods that are not described: one of `failures` is like them.',
  });

const endangered = podOnNode
  .extend({
    trouble: z.enum(NODE_TROUBLES).describe('What is wrong with the node.'),
    since: z.number().describe('Since when, in epoch milliseconds.'),
    isSilent: z
      .boolean()
      .optional()
      .describe('Set if nothing is heard of the kubelet of the node: nobody ends what runs there.'),
  })
  .meta({ id: 'EndangeredPod', description: 'An unfinished pod on a node that is in trouble.' });

const noticed = z
  .object({
    node: z.string().describe('Name of the node.'),
    verdict: z.enum(VERDICTS).describe('Whether it is sick, is being repaired, or goes away.'),
    source: z.string().describe('Who says so, e.g. `NVSentinel`.'),
    key: z.string().describe('What that has written on the node: type of a condition, key of a label.'),
    reason: z.string().optional().describe('Its value, or reason and message; a line without secrets.'),
    since: z.number().describe('Since when, in epoch milliseconds.'),
    deadline: z.number().optional().describe('When the node goes, in epoch milliseconds.'),
    isAssumed: z
      .boolean()
      .optional()
      .describe('Set if nobody has said when it goes: `deadline` is what such a source usually leaves.'),
    pods: z
      .array(
        podOnNode
          .omit({ node: true })
          .meta({ id: 'PodOnNoticedNode', description: 'What identifies a pod of the job on such a node.' }),
      )
      .describe(
        'Unfinished pods of the job on it, first by name; at most 32; none where it has only spares.',
      ),
  })
  .meta({ id: 'NoticedNode', description: 'A node of the job of which a source of health says something.' });

const restarted = podOnNode
  .extend({ restarts: z.number().int().describe('Container restarts in place.') })
  .meta({
    id: 'RestartedPod',
    description: 'A pod that is not ready after its containers were restarted in place.',
  });

const crash = podOnNode
  .extend({
    container: z.string().describe('The container that was restarted.'),
    exitCode: z.number().int().describe('Its last exit code.'),
    signal: z.number().int().optional().describe('The signal that ended it.'),
    reason: z.string().optional().describe('Reason that Kubernetes gives.'),
    message: z.string().optional().describe('Termination message, or what Kubernetes says.'),
    memoryLimit,
    restarts: z.number().int().describe('Restarts of this container.'),
    pods: z.number().int().describe('Number of pods of the attempt with container restarts.'),
  })
  .meta({ id: 'Crash', description: 'The pod with the most container restarts in place.' });

const programCrash = podFailure
  .omit({ interruptedBy: true, stillRunning: true })
  .extend({
    ends: z.number().int().describe('How often the program has ended in this pod.'),
    restarts: z.number().int().describe('How often it was restarted: after the last end perhaps not yet.'),
  })
  .meta({
    id: 'ProgramCrash',
    description: 'A program that ended with an error and that the kubelet restarts in place.',
  });

const outlived = podOnNode
  .extend({
    container: z.string().describe('The main container.'),
    exitCode: z.number().int().describe('Its exit code.'),
    running: z.array(z.string()).describe('Containers that still run; at most 5.'),
    pods: z.number().int().describe('Number of such pods.'),
  })
  .meta({
    id: 'OutlivedProgram',
    description: 'A pod whose program has ended for good while other containers run.',
  });

const progress = z
  .object({
    value: z.string().describe('The progress as the program reported it.'),
    /**
     * It is the time of the report by the cluster's clocks in epoch milliseconds, or slightly more. A new watcher that
     * reads the same report gets the same number.
     */
    count: z.number().int().describe('Increases with each report, even if the value stays the same.'),
    ageMs: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe(
        'How many milliseconds before this digest the watcher received the report, by its own clock; absent if an older watcher sends it.',
      ),
  })
  .meta({ id: 'Progress', description: 'The progress that the job reports.' });

const waiting = z
  .object({
    reason: z.string().describe('The reason, as the scheduler or the kubelet gives it.'),
    message: z.string().optional().describe('The words of the scheduler or the kubelet.'),
    hasNode: z
      .boolean()
      .describe('Whether the pods have a node: the kubelet gives the reason, else the scheduler.'),
    pod: z.string().describe('One of the pods, as an example.'),
    pods: z.number().int().describe('Number of pods that wait for this reason.'),
  })
  .meta({ id: 'Waiting', description: 'A reason why pods wait.' });

const shortage = z
  .object({
    resource: z.string().describe('Name of the resource, e.g. `nvidia.com/gpu`.'),
    needs: z
      .string()
      .describe(
        'What the pods of the attempt request together that are neither ended nor being deleted, as a quantity.',
      ),
    has: z.string().describe('What all nodes have for pods together, rounded down if it is above 1Gi.'),
    role: z
      .string()
      .optional()
      .describe(
        'Roles each of whose pods requests more than any node has, e.g. `worker` or `master and worker`: then `needs` is what one pod requests, and `has` what the largest node has.',
      ),
  })
  .meta({ id: 'Shortage', description: 'A resource of which a job requests more than the cluster has.' });

const gateLift = z
  .object({
    attempt: z.number().int().describe('The attempt whose pods it is for.'),
    until: z
      .number()
      .int()
      .describe('When the turn passes if no gate has been lifted by then, in epoch milliseconds; unique.'),
    roles: z.array(z.string()).describe('Roles in lower case, the most demanding first.'),
    onQuota: z
      .boolean()
      .optional()
      .describe('Set if there is no room for the gang, and its policy wants its gates lifted all the same.'),
  })
  .meta({ id: 'GateLift', description: 'The turn of a gated gang.' });

const gangDigest = z
  .object({
    scheduled: z
      .enum(['True', 'False', 'Unknown'])
      .describe('Whether the gang scheduler has placed the group.'),
    admitted: z
      .boolean()
      .optional()
      .describe(
        'Whether pods may be created; false until a scheduler that must see the group first admits it.',
      ),
    reason: z.string().optional().describe('Reason of the condition of the group.'),
    message: z.string().optional().describe('Message of the condition of the group.'),
    lift: gateLift
      .optional()
      .describe('Set when it is the turn of a gated gang: its gates are to be lifted now.'),
  })
  .meta({ id: 'GangDigest', description: 'What the gang scheduler says about the group of the job.' });

const laneDigest = z
  .object({
    attempt: z.number().int().describe('The attempt that waits.'),
    at: z.number().describe('When this was decided, in epoch milliseconds; it only increases.'),
    reason: z.string().describe('Why the attempt waits, as a code; `Granted` if it may start.'),
    message: z.string().describe('The same in words.'),
    until: z
      .number()
      .optional()
      .describe('It may start; by when it has to take that, in epoch milliseconds; unique.'),
  })
  .meta({ id: 'LaneDigest', description: 'The standing of a job in its lane.' });

/** Why the admission of a job is taken back. Reason codes of the job as well. */
export const EVICTIONS = ['Evicted', 'Preempted', 'Reclaimed'] as const;

const eviction = z
  .object({
    attempt: z.number().int().describe('The attempt whose pods have to go.'),
    reason: z.enum(EVICTIONS).describe('Reason code.'),
    message: z.string().describe('Who takes it back, and for whom.'),
    to: z.string().optional().describe('uid of the anchor of the job for which a lane takes it back.'),
  })
  .meta({ id: 'Eviction', description: 'A queue takes back that it has admitted the job.' });

const resourceVersions = z
  .object({
    pods: z.number().describe('Up to which resource version pods were read.'),
    groups: z
      .partialRecord(z.enum(GROUP_PROVIDERS), z.number())
      .describe('The same for groups, by scheduler; absent if they are not served or cannot be read.'),
    nodes: z.number().optional().describe('The same for nodes; absent where the watcher may not read them.'),
  })
  .meta({ id: 'ResourceVersions', description: 'How far the watcher had read.' });

const strangers = z
  .object({
    pods: z.number().int().describe('Their number.'),
    pod: z.string().describe('The first of them by name.'),
  })
  .meta({
    id: 'Strangers',
    description: 'Foreign pods: they have the labels and owner of the job, but a name that no replica has.',
  });

const missingServices = z
  .object({
    at: z.number().int().describe('When the watcher found that they are gone, in epoch milliseconds.'),
    names: z.array(z.string()).describe('Their names, which are those of their pods; at most 20.'),
  })
  .meta({
    id: 'MissingServices',
    description:
      'Services that pods of the job need, and that are gone; and what has lost the reference to its owner.',
  });

const hostList = z
  .object({
    pods: z.number().int().describe('Number of pods that it would have now.'),
    hash: z.string().describe('Hash of its content.'),
  })
  .meta({ id: 'HostListDigest', description: 'The host list that the job would have now.' });

export const digest = z.object({
  anchor: z.string().describe('uid of the anchor: identifies the job and its run.'),
  hash: z
    .string()
    .optional()
    .describe(
      'Of the facts in this digest, without resource versions, progress, and messages that often change.',
    ),
  anchorDeleted: z.boolean().describe('Whether the anchor is gone or is being deleted.'),
  attempt: z.number().int().describe('The highest attempt that has pods or a group; 0 without either.'),
  resourceVersions: resourceVersions.describe(
    'They only increase, also across watchers: they order digests, and show which changes one includes.',
  ),
  roles: z
    .record(z.string(), roleDigest)
    .describe('Pods of the attempt, by the name of the role in lower case, as in the labels.'),
  earlier: z.number().int().describe('Pods of earlier attempts that still exist.'),
  restarts: z.number().int().describe('Container restarts in place, summed over the pods of the attempt.'),
  failures: z
    .array(podFailure)
    .describe(
      'The first failure of each role, exit code, reason and interruption, then the earliest others.',
    ),
  moreFailures: z.array(moreFailures).optional().describe('Failed pods that `failures` does not describe.'),
  vanished: z
    .array(podFailure)
    .optional()
    .describe('Pods that are gone without a replacement, as last seen.'),
  goneOf: z
    .number()
    .int()
    .optional()
    .describe('Set if `attempt` is 0: the attempt that `roles` and `vanished` describe.'),
  endangered: z.array(endangered).optional().describe('Unfinished pods on nodes in trouble; at most 100.'),
  noticed: z
    .array(noticed)
    .optional()
    .describe('Nodes of which sources of health say that they are not well or go away; at most 20.'),
  restarted: z.array(restarted).optional().describe('Pods that are not ready after a restart in place.'),
  crash: crash.optional().describe('The pod with the most container restarts in place.'),
  programCrashes: z
    .array(programCrash)
    .optional()
    .describe('Programs that the kubelet restarts in place, with how each ended last; at most 100.'),
  outlived: outlived
    .optional()
    .describe('Pods whose program has ended for good while other containers run: the first by name.'),
  strangers: strangers.optional().describe('Foreign pods with the labels and owner of the job.'),
  terminating: z
    .array(podOnNode)
    .optional()
    .describe('Pods that are being deleted and have not ended, first by name.'),
  progress: progress.optional().describe('The last progress that the program reported.'),
  lastReportAt: z
    .number()
    .optional()
    .describe('When the watcher last received a report of the program, in epoch milliseconds.'),
  progressFault: z
    .string()
    .optional()
    .describe(
      'Why the watcher cannot receive the progress that the policy asks for. Silence is then no stall.',
    ),
  noSteps: z
    .string()
    .optional()
    .describe(
      'Set while the program makes no steps for longer than usual, as its log tells without configuration: since when.',
    ),
  answers: z
    .number()
    .optional()
    .describe('The value of the annotation signalbox.dev/asked of the anchor that this digest answers.'),
  silentMs: z
    .number()
    .optional()
    .describe('Part of an answer: for how many milliseconds the watcher has received no report.'),
  silentPod: z
    .object({
      pod: z.string().describe('Name of the pod.'),
      node: z.string().optional().describe('Its node.'),
    })
    .meta({ id: 'SilentPod', description: 'The pod whose reports were awaited.' })
    .optional()
    .describe('Part of an answer: the pod whose reports were awaited.'),
  linesRead: z
    .number()
    .int()
    .optional()
    .describe('Part of an answer: how many lines of the log that should report progress were read.'),
  acknowledged: z.boolean().optional().describe('The requested checkpoint is written.'),
  waiting: z
    .array(waiting)
    .optional()
    .describe('Why pods wait: the most important reasons, at most 5, in order of rank.'),
  shortages: z
    .array(shortage)
    .optional()
    .describe(
      'Resources of which the cluster has too little for the job; only while a pod has no node, and where the watcher may read nodes.',
    ),
  gang: gangDigest.optional().describe('What the gang scheduler says about the group.'),
  lane: laneDigest.optional().describe('Of a job that waits in its lane.'),
  eviction: eviction
    .optional()
    .describe('Set while the job has to give back what its queue admitted it for.'),
  /** `LABELS.avoidsUntil` */
  avoidsUntil: z
    .number()
    .optional()
    .describe('When pods without a node may first use a node that they avoid now, in epoch milliseconds.'),
  hostList: hostList.optional().describe('Only for jobs that keep a host list.'),
  missingServices: missingServices
    .optional()
    .describe('Services that were deleted, and pods and Services that lost their owner.'),
  spares: z
    .array(spare)
    .optional()
    .describe(`Pods that hold a place for others of the job, first by name; at most ${MOST_SPARES}.`),
  isUnrecorded: z
    .boolean()
    .optional()
    .describe('All pods have been ready for a while, and the anchor does not say Running.'),
});

export type Digest = z.infer<typeof digest>;
export type SpareDigest = z.infer<typeof spare>;
export type RoleDigest = z.infer<typeof roleDigest>;
export type InterruptedBy = (typeof INTERRUPTED_BY)[number];
export type PodFailure = z.infer<typeof podFailure>;
export type Noticed = z.infer<typeof noticed>;
export type Endangered = z.infer<typeof endangered>;
export type Crash = z.infer<typeof crash>;
export type Restarted = z.infer<typeof restarted>;
export type ProgramCrash = z.infer<typeof programCrash>;
export type Progress = z.infer<typeof progress>;
export type Waiting = z.infer<typeof waiting>;
export type Shortage = z.infer<typeof shortage>;
export type GangDigest = z.infer<typeof gangDigest>;
export type LaneDigest = z.infer<typeof laneDigest>;
export type GateLift = z.infer<typeof gateLift>;
