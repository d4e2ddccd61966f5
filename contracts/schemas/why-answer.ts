import { z } from 'zod';
import { phase, reasonCode, sparesStatus } from './job-status.ts';
import { stepFields } from './job-steps.ts';

/** What `signalbox why -o json` prints. */

const amount = (what: string) => z.string().optional().describe(`${what}, as a quantity of Kubernetes.`);

const holder = z
  .object({
    who: z.string().describe('A job, an object or a namespace.'),
    amount: z.string().describe('How much, or how many pods.'),
  })
  .meta({ id: 'Holder', description: 'Who holds a part of what is missing.' });

const ahead = z
  .object({
    who: z.string().describe('The job, or an object of a queue.'),
    needs: z
      .record(z.string(), z.string())
      .optional()
      .describe('What all of its pods need together, by resource, if that is known.'),
  })
  .meta({ id: 'Ahead', description: 'Who comes first.' });

const place = z
  .object({
    queue: z
      .enum(['lane', 'gatedGangs', 'LocalQueue'])
      .describe('A lane, the gated gangs of the cluster, or a LocalQueue of Kueue.'),
    name: z.string().optional().describe('Name of the lane or the LocalQueue.'),
    position: z
      .int()
      .optional()
      .describe('From 1; absent for a job that could not start however much were free.'),
    of: z.int().describe('How many jobs have a position.'),
    inClusterQueue: z
      .int()
      .optional()
      .describe('The position among those of all queues of its ClusterQueue, if that is known.'),
    ahead: z.array(ahead).describe('Those that come first, the first first; at most 5.'),
    earliestStart: z
      .string()
      .optional()
      .describe('When it can start, if the ends of those that run are known; RFC 3339.'),
  })
  .meta({ id: 'QueuePlace', description: 'Where a job is in the order of a queue.' });

const reason = z
  .object({
    code: z.string().describe('The code; docs/states.md says what it means, and what to do.'),
    sentence: z.string().describe('Why it waits, in a sentence.'),
    who: z
      .enum(['you', 'administrator', 'either', 'nobody', 'unknown'])
      .describe(
        'Who can change it; either: you or an administrator; nobody: it passes by itself, if at all; unknown: it is not computed.',
      ),
    since: z.string().optional().describe('Since when, RFC 3339.'),
    resource: z.string().optional().describe('The resource that is missing.'),
    needs: amount('How much of it is needed'),
    has: amount('How much of it there is'),
    heldBy: z.array(holder).optional().describe('Who holds what is missing, the largest first.'),
    said: z.string().optional().describe('The words of the scheduler, the API server or a queue.'),
    place: place.optional().describe('Of a reason that is a turn: where the job is in the order.'),
    remedy: z.string().optional().describe('What to do about it; its commands can be typed as they stand.'),
  })
  .meta({ id: 'WaitReason', description: 'A reason why a job waits.' });

const nodeClass = z
  .object({
    class: z.string().describe('What the nodes are for the pods; docs/why.md has all classes.'),
    detail: z.string().optional().describe('The term that excludes the nodes, the taint, or the resource.'),
    nodes: z.int().describe('Number of nodes.'),
    examples: z.array(z.string()).describe('Some of them, at most 3.'),
  })
  .meta({ id: 'NodeClass', description: 'Nodes that are the same for the pods.' });

const excludingTerm = z
  .object({
    term: z.string().describe('What the pods demand of a node, or a taint that they do not tolerate.'),
    nodes: z.int().describe('How many nodes it alone excludes.'),
    hint: z.string().optional().describe('What nodes have, or pods tolerate, that comes nearest to it.'),
  })
  .meta({ id: 'ExcludingTerm', description: 'What keeps pods from nodes.' });

const shortNode = z
  .object({
    node: z.string().describe('Name of the node.'),
    room: z.int().describe('How many of the pods it has room for.'),
    resource: z.string().describe('The resource that lacks most.'),
    needs: z.string().describe('How much of it a pod needs.'),
    free: z.string().describe('How much of it is free.'),
    total: z.string().describe('How much of it the node has for pods.'),
  })
  .meta({ id: 'ShortNode', description: 'A node that matches and is too full.' });

const placement = z
  .object({
    roles: z.array(z.string()).describe('Roles of the pods.'),
    pods: z.int().describe('Pods without a node.'),
    requests: z.record(z.string(), z.string()).describe('What one pod requests, by resource.'),
    room: z
      .int()
      .optional()
      .describe(
        'How many of the pods find room now, if only these are placed; an upper bound, unless it is exact.',
      ),
    isExact: z.boolean().describe('Whether `room` is exact.'),
    nodes: z.int().describe('Number of nodes: the sum over the classes.'),
    classes: z.array(nodeClass).describe('Each node is in one class.'),
    excludedBy: z
      .array(excludingTerm)
      .describe('What keeps the pods from nodes, whatever else does; what excludes most first, at most 8.'),
    short: z.array(shortNode).describe('Nodes that match and are too full, the emptiest first; at most 20.'),
  })
  .meta({ id: 'ShapePlacement', description: 'Where pods of one shape find room.' });

const explanation = z
  .object({
    phase: phase.describe('The phase of the job.'),
    reason: reasonCode.optional().describe('Absent if there is nothing to explain.'),
    sentence: z.string().describe('What the job waits for, or why it ended.'),
    details: z.string().optional().describe('E.g. the words of the scheduler.'),
    since: z.string().optional().describe('Since when it is in this state, RFC 3339.'),
    remedy: z.string().optional().describe('What the user can do.'),
    pod: z.string().optional().describe('The pod that it is about.'),
    node: z.string().optional().describe('The node of that pod.'),
    container: z.string().optional().describe('The container that it is about.'),
    rule: z.string().optional().describe('The rule that decided.'),
    recordedIn: z
      .enum(['anchor', 'temporal'])
      .optional()
      .describe('Where it was read, if no worker answered.'),
  })
  .meta({ id: 'JobExplanation', description: 'What the engine says of a job.' });

const waited = z
  .object({
    reason: reasonCode.describe('What it waited for.'),
    seconds: z.number().describe('How long.'),
    times: z.int().describe('How often it began to wait for that.'),
    message: z.string().describe('What was known last.'),
    from: z.string().describe('When the first of these waits began, RFC 3339.'),
  })
  .meta({ id: 'Waited', description: 'What a job has waited for.' });

const spares = sparesStatus
  .extend({ said: z.string().optional().describe('The words of the scheduler about one without a node.') })
  .meta({
    id: 'SparesAnswer',
    description: 'Pods that hold places, and what the scheduler says of another.',
  });

const silence = z
  .object({
    pod: z.string().describe('The main pod.'),
    since: z.string().describe('When it wrote its last line, or started if it wrote none, RFC 3339.'),
    seconds: z.number().describe('For how long it has written none.'),
    line: z
      .string()
      .optional()
      .describe('That line, without what looks like a secret; absent if it has written none.'),
    remedy: z.string().describe('What makes a limit of it, or the limit that the policy has.'),
  })
  .meta({
    id: 'JobSilence',
    description: 'A running job whose main pod has written no line for longer than usual.',
  });

const steps = z.object({ pod: z.string().describe('The pod whose log tells them.'), ...stepFields }).meta({
  id: 'JobSteps',
  description: 'What the log of a running job tells of its steps, without configuration.',
});

export const whyAnswer = z.object({
  kind: z.string().describe('Kind of the job.'),
  namespace: z.string().describe('Its namespace.'),
  name: z.string().describe('Its name.'),
  asOf: z.string().describe('When it was computed, RFC 3339.'),
  warnings: z
    .array(z.string())
    .optional()
    .describe('Of a job that is not submitted: valid input that may not be what the user meant.'),
  workflowId: z.string().optional().describe('Absent before the job is submitted, as what follows.'),
  phase: phase.optional().describe('Its phase.'),
  explanation: explanation.optional().describe('What the engine says of it.'),
  spares: spares.optional().describe('Pods that hold places, if its policy asks for some.'),
  errorLine: z
    .string()
    .optional()
    .describe('Of a job that has failed: the line of its logs that says best what went wrong.'),
  advice: z.string().optional().describe('What its last failures have in common, if they were alike.'),
  silence: silence.optional().describe('Its main pod has written no line for longer than usual.'),
  steps: steps.optional().describe('What its log tells of its steps, if it runs.'),
  waited: z.array(waited).optional().describe('What it has waited for so far, the longest first.'),
  reasons: z
    .array(reason)
    .describe('The most important first: that one is the reason. Empty: nothing keeps the job from running.'),
  placements: z
    .array(placement)
    .describe(
      'Where the pods find room, for each shape of pods without a node. Empty where nodes cannot be read.',
    ),
  fits: z
    .enum(['yes', 'no', 'unknown'])
    .optional()
    .describe('Whether the pods find room now, together if they are a gang.'),
  notes: z
    .array(z.string())
    .optional()
    .describe('What keeps no pod from a node, but may not be what was meant, in sentences.'),
  unknown: z.array(z.string()).describe('What could not be read or is not computed, in sentences.'),
});
