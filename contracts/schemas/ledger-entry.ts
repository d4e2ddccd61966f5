import { z } from 'zod';
import { phase, reasonCode, cause as whyItEnds } from './job-status.ts';

const who = z
  .object({
    given: z.string().optional().describe('The name that the caller gave, e.g. by --by. Not checked.'),
    source: z.string().optional().describe('Where that name comes from, if not from the request itself.'),
    identity: z
      .string()
      .optional()
      .describe('How the Temporal client of the caller calls itself. Not checked.'),
    authenticated: z
      .object({
        type: z.string().describe('How the caller was authenticated, e.g. jwt.'),
        name: z.string().describe('The name of the caller, e.g. the subject of its token.'),
      })
      .meta({ id: 'LedgerPrincipal', description: 'A caller that a server has authenticated.' })
      .optional()
      .describe('The caller as the authorizer of the Temporal server knew it.'),
  })
  .meta({ id: 'LedgerWho', description: 'Who asked. Only `authenticated` was checked by a server.' });

const why = z.string().optional().describe('Why, in the caller’s words.');
const anything = z.record(z.string(), z.unknown());

const cause = z
  .discriminatedUnion('type', [
    z
      .object({
        type: z.literal('submitted').describe('The first entry: the submission.'),
        who: who.describe('Who submitted it.'),
        why,
        parent: z.string().optional().describe('The job that this one is a rerun of.'),
      })
      .meta({ id: 'LedgerSubmission', description: 'The job was submitted.' }),
    z
      .object({ type: z.literal('digest').describe('The watcher saw something new.') })
      .meta({ id: 'LedgerDigest', description: 'The watcher saw something new.' }),
    z
      .object({
        type: z.literal('timer').describe('A deadline passed.'),
        timer: z.string().describe('Name of the deadline, e.g. activeDeadline.'),
      })
      .meta({ id: 'LedgerTimer', description: 'A deadline passed.' }),
    z
      .object({
        type: z.literal('request').describe('A client asked for something.'),
        request: z.string().describe('Name of the update or signal; cancel for a cancelled workflow.'),
        through: z.enum(['update', 'signal', 'cancellation']).describe('How it reached the job.'),
        id: z.string().optional().describe('Id of the update.'),
        who: who.describe('Who asked.'),
        why,
        asked: anything.optional().describe('What was asked, beside who and why.'),
        refused: z.string().optional().describe('Why the job refused it; absent if it did not.'),
        madeRevision: z
          .int()
          .optional()
          .describe('The revision that it made. It may take effect later, see `revision` of the entries.'),
      })
      .meta({ id: 'LedgerRequestCause', description: 'A client asked for something.' }),
    z
      .object({
        type: z.literal('effect').describe('An effect ended, or is refused by the API server for now.'),
        effect: z.string().describe('Name of the effect, e.g. createAttempt.'),
        ended: z.enum(['done', 'failed', 'refused']).describe('How; a refused effect is tried again.'),
        began: z.int().optional().describe('Number of the entry in which it began.'),
        ms: z.int().optional().describe('How long it took, in milliseconds.'),
      })
      .meta({ id: 'LedgerEffectEnd', description: 'An effect ended.' }),
    z
      .object({
        type: z.literal('closed').describe('Temporal closed the workflow without the code of the job.'),
        how: z.enum(['terminated', 'timed out']).describe('How.'),
        who: who.describe('Who terminated it.'),
        why,
      })
      .meta({ id: 'LedgerClosing', description: 'Temporal closed the workflow.' }),
  ])
  .meta({ id: 'LedgerCause', description: 'Why an entry was written.' });

const effect = z
  .object({
    effect: z.string().describe('Name of the effect, e.g. createAttempt.'),
    what: anything.optional().describe('What it is about, e.g. the pods to replace.'),
  })
  .meta({ id: 'LedgerEffect', description: 'An effect that begins.' });

const count = z.int().optional();
const counts = z
  .object({
    wanted: z.int().describe('Pods that the role should have.'),
    unscheduled: count.describe('Pods without a node.'),
    scheduled: count.describe('Pods on a node that are not ready.'),
    ready: count.describe('Pods that are ready.'),
    succeeded: count.describe('Replicas that have succeeded.'),
    failed: count.describe('Pods that failed.'),
    terminating: count.describe('Pods that are being deleted and have not ended: they may still hold GPUs.'),
    placedMs: count.describe(
      'For how long pods of the role had a node so far, summed over its pods, in milliseconds; absent before the first one had one.',
    ),
    spareMs: count.describe('The same of spares that hold places for its pods.'),
  })
  .meta({ id: 'LedgerCounts', description: 'Pods of a role by state. Absent numbers are 0.' });

const pod = z
  .object({
    pod: z.string().describe('Name of the pod.'),
    uid: z.string().optional().describe('uid of the pod.'),
    role: z.string().optional().describe('Role of the pod, in lower case.'),
    node: z.string().optional().describe('Node of the pod.'),
    container: z.string().optional().describe('The container that failed.'),
    exitCode: z.int().optional().describe('Exit code of that container.'),
    signal: z.int().optional().describe('The signal that ended it.'),
    reason: z.string().optional().describe('As Kubernetes reports it, e.g. OOMKilled.'),
    errorLine: z
      .string()
      .optional()
      .describe('The line of its log that says best why, without what looks like a secret.'),
    signature: z.string().optional().describe('What kind of failure that line tells of; docs/evidence.md.'),
  })
  .meta({ id: 'LedgerPod', description: 'A failed, vanished or crashing pod.' });

const budget = z
  .object({
    used: z.int().describe('Restarts charged to the class.'),
    allowed: z.int().describe('Restarts that the policy allows it.'),
  })
  .meta({ id: 'LedgerBudget', description: 'The budget of a failure class.' });

const progress = z
  .object({
    value: z.string().describe('The progress as the program reported it.'),
    at: z.string().describe('When the job learned of it, RFC 3339, in milliseconds, UTC.'),
  })
  .meta({ id: 'LedgerProgress', description: 'How far the program is.' });

const at = z.string().describe('When the log told it, RFC 3339, by the clock of the node.');
const reached = z
  .object({ step: z.number().describe('The step, of the whole run.'), at })
  .meta({ id: 'LedgerStep', description: 'A step, and when it was.' });
const checkpoint = z
  .object({ step: z.number().optional().describe('Its step; absent if that is not known.'), at })
  .meta({ id: 'LedgerCheckpoint', description: 'A checkpoint, and when it was told.' });

const steps = z
  .object({
    pod: z.string().describe('The pod whose log tells it.'),
    attempt: z.int().describe('Its attempt.'),
    first: reached.describe('The first step that the log has.'),
    last: reached.describe('The last one.'),
    saved: checkpoint
      .optional()
      .describe('The last checkpoint that the log says is complete; absent if it tells of none.'),
    resumed: checkpoint
      .optional()
      .describe('The checkpoint that the attempt went on from, if the log tells it.'),
  })
  .meta({ id: 'LedgerSteps', description: 'How far an attempt came.' });

export const ledgerEntry = z.object({
  seq: z.int().describe('From 1, without gaps, over all runs of the workflow.'),
  at: z.string().describe('RFC 3339, in milliseconds, UTC.'),
  attempt: z.int().describe('Attempt, from 1.'),
  from: z.string().optional().describe('State before, e.g. Pending.Scheduling; absent in the first entry.'),
  to: z.string().describe('State after; the same as `from` if it did not change.'),
  phase: phase.describe('Phase after.'),
  cause: cause.describe('Why the entry was written.'),
  message: z.string().describe('What happened, in a sentence.'),
  minor: z
    .literal(true)
    .optional()
    .describe('Only details, e.g. that an effect ended: the timeline leaves it out.'),
  reason: reasonCode.optional().describe('What the job waits for, or why it ended; docs/states.md.'),
  decided: whyItEnds
    .optional()
    .describe('Why the job ends: in the entry that decides it, and in a later one that knows more.'),
  rule: z.string().optional().describe('The rule that decided, e.g. `spec.runPolicy.backoffLimit: 3`.'),
  revision: z.int().describe('Revision of the job in effect, from 1.'),
  effects: z.array(effect).optional().describe('Effects that begin with this entry.'),
  counts: z.record(z.string(), counts).optional().describe('Pods by role and state, as last counted.'),
  devices: z
    .record(z.string(), z.record(z.string(), z.int()))
    .optional()
    .describe(
      'Extended resources that a pod requests, by role, e.g. `{"Worker": {"nvidia.com/gpu": 8}}`: in the entry of the admission, and where another revision takes effect.',
    ),
  products: z
    .record(z.string(), z.record(z.string(), z.int()))
    .optional()
    .describe(
      'Of the pods that this effect has ended, or has found at the end: how many have had which GPUs, by role in lower case and the label nvidia.com/gpu.product of their nodes.',
    ),
  steps: steps
    .optional()
    .describe(
      'How far the attempt came whose pods this effect has ended, as its log tells without configuration.',
    ),
  restarts: z.int().optional().describe('Restarts so far.'),
  classes: z
    .array(z.string())
    .optional()
    .describe('Failure classes of the failures for which a restart begins, e.g. infrastructure.'),
  budgets: z.record(z.string(), budget).optional().describe('Budgets of failure classes.'),
  progress: progress.optional().describe('The last progress of the attempt.'),
  pods: z.array(pod).optional().describe('Pods that the entry is about.'),
  nodes: z
    .array(z.string())
    .optional()
    .describe('Nodes that it is about, or that new pods avoid from now on.'),
  evidence: z.array(z.string()).optional().describe('URLs of the evidence records that were written.'),
  prev: z.string().optional().describe('Only in archives: SHA-256 of the line before, in hex.'),
});
