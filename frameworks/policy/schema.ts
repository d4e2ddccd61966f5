import { z } from 'zod';
import { MAIL_ADDRESS } from '../../contracts/mail-address.ts';
import {
  CHECKPOINT_SIGNALS,
  GANG_ENDS,
  GANG_LIFTS,
  NODE_TROUBLES,
  ON_HANG,
  ON_NOTICE,
  RESTART_SCOPES,
} from '../../contracts/policy.ts';
import { durationSchema, someTime } from '../../contracts/schemas/duration.ts';
import { MOST_SPARES } from '../../contracts/spares.ts';
import { INT32 } from '../fields/manifest-schema.ts';
import { absolutePath, annotationKey, exitCodes, numberFrom, pattern, wordList } from './field-schemas.ts';

const rung = z
  .object({
    scope: z.enum(RESTART_SCOPES).describe('What restarts: the larger scopes include the smaller ones.'),
    times: z.int().min(1).max(INT32).optional().describe('Restarts on this rung; default: no limit.'),
    within: someTime
      .optional()
      .describe('A job that is not Running again after this time goes on to the next rung.'),
  })
  .meta({ id: 'Rung', description: 'What restarts, and how often before the next rung.' });

const backOff = z
  .object({
    firstAtOnce: z.boolean().optional().describe('The first restart is immediate; default: true.'),
    initial: durationSchema.optional().describe('The first wait; default: 10s.'),
    factor: numberFrom(1, 100).optional().describe('Each wait is this many times the last; default: 2.'),
    max: durationSchema.optional().describe('The longest wait; default: 5m, or initial if longer.'),
    jitter: numberFrom(0, 1)
      .optional()
      .describe('Random part of each wait; 0.2: up to a fifth more or less.'),
    resetAfter: someTime
      .optional()
      .describe('After this time without a restart, waits and ladder start over; default: 10m.'),
  })
  .meta({ id: 'BackOff', description: 'Waits between consecutive restarts.' });

/** The format of a class name. */
export const CLASS_NAME = {
  regex: /^[A-Za-z][A-Za-z0-9]*$/,
  error: 'letters and digits, starting with a letter',
};

const rule = z
  .object({
    class: z
      .string()
      .max(63)
      .regex(CLASS_NAME.regex, { error: CLASS_NAME.error })
      .describe('infrastructure, startUp, stalled, userCode, or a name of your own: letters and digits.'),
    exitCodes: z
      .array(exitCodes)
      .min(1)
      .max(50)
      .optional()
      .describe('Exit codes from 1 to 255 and ranges of them, e.g. [42, 100-120].'),
    pattern: pattern
      .optional()
      .describe('RE2, found in the termination message or in the last lines of the log.'),
    reasons: wordList.optional().describe('Reasons of Kubernetes, e.g. [OOMKilled, Evicted], or Deleted.'),
    roles: wordList.optional().describe('Roles of the job, in any case.'),
  })
  .meta({
    id: 'FailureRule',
    description: 'Gives a failure its class if all criteria hold; the first match wins.',
  });

const failureClass = z
  .object({
    final: z.boolean().optional().describe('The job fails without a restart.'),
    free: z.boolean().optional().describe('A restart costs nothing: backoffLimit does not count it.'),
    budget: z
      .int()
      .min(0)
      .max(INT32)
      .optional()
      .describe('Restarts of this class, which backoffLimit then does not count; one more fails the job.'),
    after: someTime.optional().describe('Only for startUp: how long pods may take to start.'),
  })
  .meta({
    id: 'FailureClass',
    description: 'What failures of a class cost; at most one of final, free, budget.',
  });

const restart = z
  .object({
    ladder: z
      .array(rung)
      .min(1)
      .max(RESTART_SCOPES.length)
      .optional()
      .describe('Rungs from the smallest to the largest scope; after the last, the job fails.'),
    backOff: backOff.optional().describe('Waits between consecutive restarts.'),
    refundOnProgress: z
      .boolean()
      .optional()
      .describe(
        'Budgets, ladder and waits start over when the job gets further than before. Needs progress.',
      ),
    survivorGrace: durationSchema
      .optional()
      .describe(
        'How long pods that have not failed may take to end when their gang or role restarts after a failure; default: 2s for pods with neither a grace period nor a preStop hook of their own, without checkpoint.',
      ),
  })
  .meta({ id: 'Restart', description: 'What restarts, how often, how soon.' });

const failures = z
  .object({
    rules: z.array(rule).max(50).optional().describe('They precede the built-in rules.'),
    classes: z.record(z.string(), failureClass).optional().describe('What failures cost, by class.'),
  })
  .meta({ id: 'Failures', description: 'What a failure is, and what it costs.' });

const progress = z
  .object({
    log: pattern
      .optional()
      .describe('RE2, searched in each log line of the main pod. Its first group is the progress.'),
    annotation: annotationKey
      .optional()
      .describe('Key of an annotation that the program sets on the main pod.'),
    stalledAfter: someTime.optional().describe('No report for this long is a failure of class stalled.'),
    onHang: z
      .enum(ON_HANG)
      .optional()
      .describe(
        'Without log and annotation: whether it is a failure of class stalled that the program makes no step for longer than usual; default: as the installation says, else tell.',
      ),
  })
  .meta({
    id: 'ProgressRules',
    description: 'How the job reports progress, log or annotation; or what follows without.',
  });

const nodes = z
  .object({
    lostAfter: durationSchema
      .optional()
      .describe(
        'Pods on a node that was in trouble for this long are lost; default: those that Kubernetes deletes from a silent node, where a new attempt of the gang is safe from them.',
      ),
    troubles: z
      .array(z.enum(NODE_TROUBLES))
      .min(1)
      .optional()
      .describe('What counts as trouble; default: NotReady and OutOfService.'),
    onSick: z
      .enum(ON_NOTICE)
      .optional()
      .describe(
        'What the job does on a node that a source of health calls sick, or that is repaired: go on and tell, restart elsewhere, or that after a checkpoint; default: tell.',
      ),
    onLeaving: z
      .enum(ON_NOTICE)
      .optional()
      .describe('The same on a node that goes away, before it does; default: tell.'),
    avoidFor: durationSchema
      .optional()
      .describe('How long new pods avoid a node after a failure of class infrastructure on it.'),
    avoidAtMost: z.int().min(1).max(100).optional().describe('How many nodes are avoided; default: 5.'),
    forceDeleteAfter: durationSchema
      .optional()
      .describe(
        'Deletes pods by force this long after they were told to stop. They may still run; default: only those of a gang on silent nodes, where a new attempt is safe from them.',
      ),
    waitForSilent: z
      .boolean()
      .optional()
      .describe('The job waits for its pods on silent nodes, unless a time above is over; default: false.'),
  })
  .meta({ id: 'NodeRules', description: 'What counts as trouble of a node, and what follows.' });

const gang = z
  .object({
    placedWithin: someTime
      .optional()
      .describe('How long an attempt may wait until its gang has nodes; default: for ever.'),
    otherwise: z
      .enum(GANG_ENDS)
      .optional()
      .describe('The job fails, or gives back what it holds and waits anew after a pause; default: fail.'),
    lift: z
      .enum(GANG_LIFTS)
      .optional()
      .describe(
        'When a gated gang is shown to its scheduler: when there is room for it, or as soon as all its pods exist, so that an autoscaler adds nodes for it; default: whenItFits.',
      ),
  })
  .meta({ id: 'GangRules', description: 'How a gang waits for its nodes, and how long.' });

const lane = z
  .object({
    name: z.string().max(63).optional().describe('The lane; default: the one of the configuration.'),
    priority: z.int().min(-INT32).max(INT32).optional().describe('The larger comes first; default: 0.'),
    runsFor: someTime
      .optional()
      .describe('How long it runs at most: then it may start before others that it does not delay.'),
  })
  .meta({ id: 'LaneRules', description: 'How the job waits in its lane.' });

const spares = z
  .object({
    count: z.int().min(0).max(MOST_SPARES).describe('How many pods hold a place.'),
    role: z
      .string()
      .min(1)
      .max(253)
      .optional()
      .describe('The role whose pods they are like, in any case; default: the one with the most pods.'),
    command: z
      .array(z.string().max(1024))
      .min(1)
      .max(50)
      .optional()
      .describe('What their containers run: something that waits; default: [sleep, infinity].'),
  })
  .meta({ id: 'SpareRules', description: 'Pods that hold a place for a pod that loses its own.' });

const refusals = z
  .object({
    failAfter: someTime.optional().describe('The job fails after being refused for this long; default: 7d.'),
  })
  .meta({ id: 'RefusalRules', description: 'What the API server does not take for now.' });

const evidence = z
  .object({
    logLines: z
      .int()
      .min(0)
      .max(1000)
      .optional()
      .describe('Last lines of the log of the failed container that are saved; default: 100.'),
  })
  .meta({ id: 'EvidenceRules', description: 'What is saved of a failed pod.' });

const acknowledgement = z
  .object({
    log: pattern.optional().describe('RE2, found in the log of the main pod when the checkpoint is written.'),
    annotation: annotationKey
      .optional()
      .describe('Key of an annotation that the program sets on the main pod.'),
  })
  .meta({
    id: 'Acknowledgement',
    description: 'What says that the checkpoint is written: log or annotation.',
  });

const checkpoint = z
  .object({
    file: absolutePath
      .optional()
      .describe('A file in every container, alone in its folder; empty until a checkpoint is requested.'),
    signal: z
      .enum(CHECKPOINT_SIGNALS)
      .optional()
      .describe('The signal that asks the program for a checkpoint.'),
    within: someTime.optional().describe('Time for the checkpoint; default: 5m.'),
    acknowledgedBy: acknowledgement
      .optional()
      .describe('With file: what says that the checkpoint is written.'),
  })
  .meta({ id: 'CheckpointRules', description: 'How the program is asked for a checkpoint: file or signal.' });

/** The YAML document in the annotation signalbox.dev/policy; durations are parsed to milliseconds. */
export const policySchema = z.object({
  restart: restart.optional().describe('What restarts, how often, how soon.'),
  failures: failures.optional().describe('What a failure is, and what it costs.'),
  progress: progress.optional().describe('How the job reports progress.'),
  nodes: nodes.optional().describe('What counts as trouble of a node, and what follows.'),
  gang: gang.optional().describe('How long a gang may wait for its nodes, and what follows.'),
  lane: lane.optional().describe('How the job waits in its lane.'),
  spares: spares.optional().describe('Pods that hold a place for a pod that loses its own.'),
  refusals: refusals.optional().describe('What the API server does not take for now.'),
  evidence: evidence.optional().describe('What is saved of a failed pod.'),
  holdOnFailure: durationSchema.optional().describe('Keeps failed pods this long for inspection.'),
  checkpoint: checkpoint.optional().describe('How the program is asked for a checkpoint.'),
  owner: z
    .string()
    .regex(MAIL_ADDRESS.regex, { error: MAIL_ADDRESS.error })
    .optional()
    .describe('Mail address of who owns the job: told what becomes of it, if the installation tells owners.'),
  scaleByRestart: z
    .boolean()
    .optional()
    .describe(
      'Scaling may restart the gang if the kind cannot change its size while it runs; default: false.',
    ),
  waitForSidecars: z
    .boolean()
    .optional()
    .describe(
      'A pod has its result when all its containers have ended, not with its main container; default: false.',
    ),
});
export type PolicyFields = z.infer<typeof policySchema>;
