import { z } from 'zod';
import { REASON_CODES } from '../reasons.ts';
import { SIGNATURE_CLASSES } from '../signatures.ts';
import { FINAL_PHASES, PHASES } from '../status.ts';
import { evidenceSummary } from './evidence-summary.ts';

export const phase = z
  .enum(PHASES)
  .meta({ id: 'Phase', description: 'What a person reads first about a job.' });

export const reasonCode = z
  .enum(REASON_CODES)
  .meta({ id: 'ReasonCode', description: 'Why a job is not running or how it ended; docs/states.md.' });

const otherCause = z
  .object({
    reason: reasonCode.describe('The code; docs/states.md says what to do.'),
    message: z.string().describe('What happens, in a sentence.'),
    pod: z.string().optional().describe('The pod that it is about.'),
    node: z.string().optional().describe('The node that it is about.'),
  })
  .meta({ id: 'OtherCause', description: 'What a job waits for besides its cause.' });

const failureError = z
  .object({
    line: z
      .string()
      .describe('The line of a log that says best why the job failed, without what looks like a secret.'),
    pod: z.string().describe('The pod whose log it is.'),
    node: z.string().optional().describe('Its node.'),
    pods: z.int().describe('How many pods say the same, of at most 20 that are compared.'),
    signature: z
      .string()
      .optional()
      .describe('What kind of failure it tells of, e.g. GpuOutOfMemory; docs/evidence.md.'),
    class: z
      .enum(SIGNATURE_CLASSES)
      .optional()
      .describe('Where the cause lies; cascade: another pod ended first.'),
    means: z.string().optional().describe('What the line means, in a sentence.'),
  })
  .meta({ id: 'FailureError', description: 'What the logs of an attempt say of why it failed.' });

export const cause = z
  .object({
    reason: reasonCode.describe('The code; docs/states.md says what to do.'),
    message: z.string().describe('What happened, in a sentence.'),
    rule: z.string().optional().describe('The rule that decided, e.g. `spec.runPolicy.backoffLimit: 3`.'),
    pod: z.string().optional().describe('The pod that it is about.'),
    node: z.string().optional().describe('The node of that pod.'),
    container: z.string().optional().describe('The container that it is about.'),
    exitCode: z.int().optional().describe('Exit code of that container.'),
    signal: z.int().optional().describe('The signal that ended that container.'),
    podReason: z
      .string()
      .optional()
      .describe(
        'Reason that Kubernetes gives for how the container ended, or why the pod waits, e.g. OOMKilled.',
      ),
    memoryLimit: z
      .string()
      .optional()
      .describe('Limit of memory of a container that was killed, as a quantity.'),
    error: failureError.optional().describe('What the logs say of it, once evidence is taken.'),
    remedy: z.string().optional().describe('What helps, with names and commands filled in.'),
    by: z.string().optional().describe('Who requested a stop or a suspension; not verified.'),
    why: z.string().optional().describe('Why they requested it.'),
    also: z
      .array(otherCause)
      .optional()
      .describe('What else the job waits for, the most important first; at most four.'),
  })
  .meta({ id: 'Cause', description: 'Why a job is in its state, and which rule decided it.' });

const condition = z
  .object({
    type: z.string().describe('Created, Running, Restarting, Suspended, Succeeded or Failed.'),
    status: z.enum(['True', 'False', 'Unknown']).describe('Whether it holds.'),
    reason: z
      .string()
      .optional()
      .describe('Reason of the last change, as the operator of the kind words it.'),
    message: z
      .string()
      .optional()
      .describe('Message of the last change, as the operator of the kind words it.'),
    lastTransitionTime: z.string().optional().describe('When the status last changed, RFC 3339.'),
    lastUpdateTime: z.string().optional().describe('When reason or message last changed, RFC 3339.'),
  })
  .meta({ id: 'JobCondition', description: 'A condition as the operator of the kind shows it.' });

const count = z.int().optional();
const replicaStatus = z
  .object({
    active: count.describe('Pods that have started and have not ended.'),
    succeeded: count.describe('Pods that succeeded.'),
    failed: count.describe('Pods that failed.'),
    pending: count.describe('Pods without a node.'),
    starting: count.describe('Pods on a node that are not ready.'),
    running: count.describe('Pods that are ready.'),
    selector: z.string().optional().describe('Label selector of the pods of the role.'),
  })
  .meta({
    id: 'ReplicaStatus',
    description: 'Number of pods of a role by state. Kinds differ in what they count.',
  });

const replicaCount = z.enum(['active', 'succeeded', 'failed', 'pending', 'starting', 'running']);

const budget = z
  .object({
    used: z.int().describe('Restarts so far.'),
    allowed: z.int().describe('Restarts that the policy allows.'),
  })
  .meta({ id: 'Budget', description: 'Restarts that a failure class has used.' });

export const timelineEntry = z
  .object({
    at: z.string().describe('When the job entered the state, RFC 3339.'),
    phase: phase.describe('The phase.'),
    state: z.string().describe('State of the machine, e.g. Pending.Scheduling; docs/states.md.'),
    attempt: z.int().describe('The attempt, from 1.'),
    cause: z.string().describe('Why, in a sentence.'),
  })
  .meta({ id: 'TimelineEntry', description: 'One transition of a job.' });

export const sparesStatus = z
  .object({
    wanted: z.int().describe('How many the policy asks for.'),
    placed: z.int().describe('How many have a node, and the image there.'),
    why: z.string().optional().describe('Why not all, if it is known.'),
  })
  .meta({ id: 'SparesStatus', description: 'Pods that hold places for pods of a job.' });

const advice = z
  .object({
    sentence: z.string().describe('What the last failures have in common, and what follows.'),
    blames: z
      .enum(['program', 'data', 'node', 'surroundings'])
      .describe('What they point to; surroundings: what the nodes share, as network and storage.'),
    failures: z.int().describe('How many failures in a row it rests on.'),
    nodes: z.array(z.string()).describe('The nodes that they were on.'),
  })
  .meta({ id: 'FailureAdvice', description: 'What failures that are alike point to. Nothing acts on it.' });

export const jobStatus = z.object({
  kind: z.string().describe('Kind of the job.'),
  name: z.string().describe('Name of the job.'),
  namespace: z.string().describe('Kubernetes namespace of the job.'),
  phase: phase.describe('What a person reads first.'),
  state: z.string().describe('State of the machine, e.g. Pending.Scheduling; docs/states.md.'),
  since: z.string().optional().describe('Since when it is in this state, RFC 3339.'),
  attempt: z.int().describe('The attempt, from 1.'),
  restarts: z.int().describe('Restarts so far: of containers in place, and of pods by replacement.'),
  cause: cause.optional().describe('Why the job is in its state.'),
  conditions: z.array(condition).describe('Conditions as the operator of the kind shows them.'),
  replicaStatuses: z.record(z.string(), replicaStatus).describe('Number of pods by state, by role.'),
  terminated: z
    .record(z.string(), z.int())
    .optional()
    .describe('Pods that the clean-up ended, by role; replicaStatuses count them as succeeded.'),
  countedAt: z
    .string()
    .optional()
    .describe('When the watcher counted the pods, RFC 3339: the counts may be seconds old.'),
  replicaCounts: z
    .array(replicaCount)
    .optional()
    .describe('The counts that the kind has, if they are not active, succeeded and failed.'),
  mode: z.string().optional().describe('Only for kinds whose original operator shows one, e.g. Collective.'),
  startTime: z.string().optional().describe('When the job first started, or was last resumed, RFC 3339.'),
  completionTime: z.string().optional().describe('When the job ended, RFC 3339.'),
  warnings: z.array(z.string()).describe('Accepted settings that may not be what the user meant.'),
  progress: z.string().optional().describe('The last progress that the program reported.'),
  evidence: z.array(evidenceSummary).optional().describe('Failed pods, the latest first.'),
  owner: z
    .string()
    .optional()
    .describe('Mail address of who owns the job, as its policy says; not verified.'),
  spares: sparesStatus.optional().describe('Pods that hold places, if the policy asks for some.'),
  wanted: z.record(z.string(), z.int()).optional().describe('How many replicas each role should have.'),
  restartsAllowed: z
    .int()
    .optional()
    .describe('How many restarts the job may have (runPolicy.backoffLimit); absent if that is not limited.'),
  budgets: z
    .record(z.string(), budget)
    .optional()
    .describe('Restarts charged to the failure classes that have a budget, by class.'),
  avoided: z
    .record(z.string(), z.string())
    .optional()
    .describe('Nodes that new pods avoid, and until when (RFC 3339).'),
  advice: advice.optional().describe('What the last failures have in common, if they were alike.'),
  timeline: z.array(timelineEntry).describe('The latest transitions, the earliest of them first.'),
});

export const jobOutcome = jobStatus.extend({
  phase: z
    .enum(FINAL_PHASES)
    .meta({ id: 'FinalPhase', description: 'How a job ended.' })
    .describe('How the job ended.'),
});
