import { z } from 'zod';
import { FILTERS, type FilterValues, type JobFilterName } from '../filters.ts';
import { OVERLAP_POLICIES } from '../overlap-policies.ts';
import { REASON_CODES } from '../reasons.ts';
import { PHASES } from '../status.ts';

/** The methods of the workflow `rpc`: what each takes, and what it answers. */

const text = z.string().min(1);
const time = z.iso.datetime({ offset: true, error: 'a time as 2026-11-23T08:00:00Z' });
const attempt = z.int().min(1).optional().describe('Only of this attempt.');

const job = z
  .object({
    workflowId: text,
    runId: text.optional(),
    firstRunId: text.optional(),
  })
  .describe('`{workflowId, runId?, firstRunId?}`; without a run the last job of the workflow id.');

const firstRunId = text.describe('The first run of its workflow.');
const archived = z
  .object({ workflowId: text, firstRunId })
  .describe('`{workflowId, firstRunId}` of an archived job.');

const chosenEntries = {
  attempt,
  since: time.optional().describe('Only entries of then or later.'),
  start: z.int().min(1).optional().describe('Only entries from this sequence number on.'),
};

const named = {
  name: text.optional().describe('Name of the job, with `namespace`.'),
  namespace: text.optional().describe('Its Kubernetes namespace.'),
  workflowId: text.optional().describe('Instead of name and namespace.'),
  run: text
    .optional()
    .describe('One of several jobs: `-1` is the one before the newest, else the beginning of a run id.'),
};

const phase = z.enum(PHASES);

const FILTER_VALUES = {
  text,
  kind: text,
  phases: z.union([phase, z.array(phase)], { error: `one of ${PHASES.join(', ')}, or a list of them` }),
  reason: z.enum(REASON_CODES),
  labels: z.record(z.string(), z.string()),
  time,
} as const satisfies Readonly<Record<keyof FilterValues, z.ZodType>>;

type ChosenJobs = {
  readonly [K in JobFilterName]: z.ZodOptional<(typeof FILTER_VALUES)[(typeof FILTERS)[K]['takes']]>;
};

const chosenJobs = Object.fromEntries(
  Object.entries(FILTERS).map(([name, { takes, only }]) => [
    name,
    FILTER_VALUES[takes].optional().describe(`Only jobs ${only}.`),
  ]),
) as ChosenJobs;

const manifest = z.unknown().describe('The manifest.');
const namespace = text.describe('Namespace of a manifest that has none.');

const strict = z.boolean().optional().describe('Unknown fields are faults; default: true.');

const env = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .optional()
  .describe('Environment variables of every container.');

const overlap = z
  .enum(OVERLAP_POLICIES)
  .optional()
  .describe(
    `What happens while an earlier job runs: ${OVERLAP_POLICIES.map((one) => `\`${one}\``).join(', ')}.`,
  );

const aSchedule = {
  name: text.optional().describe('Name of the schedule.'),
  namespace: text.optional().describe('Namespace of its jobs.'),
  scheduleId: text.optional().describe('Instead of a name: the id that Temporal knows it by.'),
};

const milliseconds = z.int().min(0).optional();

const user = text.describe('The user, for the record.');

const prices = z
  .unknown()
  .optional()
  .describe('What an hour of a device costs: the content of a file of [prices](cost.md#prices).');

const period = {
  namespace: text.optional().describe('Only jobs of this Kubernetes namespace.'),
  since: time.optional().describe('From the day of this time on, in UTC.'),
  until: time.optional().describe('Before the day of this time, in UTC.'),
  prices,
};

interface RpcMethod {
  readonly arguments: z.ZodObject;
  /** For people, in Markdown. */
  readonly answer: string;
}

export const RPC_METHODS = {
  history: {
    arguments: z.object({ job, ...chosenEntries }),
    answer: 'pages of the [entries](../schemas/ledger-entry.json) of the ledger, with who asked',
  },
  outcome: {
    arguments: z.object({ job }),
    answer:
      'the [outcome](../schemas/outcome.json), also of a job whose workflow was terminated, cancelled or timed out',
  },
  evidence: {
    arguments: z.object({ job, pod: text.optional().describe('Only of this pod.'), attempt }),
    answer: 'pages of [records](../schemas/evidence-record.json) of failed pods',
  },
  find: {
    arguments: z.object(named),
    answer: '`{workflowId, runId, firstRunId}`',
  },
  why: {
    arguments: z.object({ job }),
    answer: 'why the job [waits](../schemas/why-answer.json), as `signalbox why`',
  },
  whyManifest: {
    arguments: z.object({ manifest, namespace, strict }),
    answer:
      'whether it would [wait](../schemas/why-answer.json) if it was submitted now, as `signalbox why -f`',
  },
  lanes: {
    arguments: z.object({}),
    answer:
      'pages of [lanes](../schemas/lanes-answer.json), as `signalbox queue`: each item has one lane, or a part of the jobs of one, and the lanes of all items are those of the installation',
  },
  planLane: {
    arguments: z.object({
      lane: text.describe('The lane.'),
      closing: z
        .object({ as: z.enum(['paused', 'drain']), why: text })
        .optional()
        .describe('`{as, why}`, where `as` is `paused` or `drain`; without it the lane is opened.'),
    }),
    answer:
      '`{namespace, name, patch}`: the merge patch of the ConfigMap with the lanes, to be sent to the cluster',
  },
  planRerun: {
    arguments: z.object({
      job: job.optional(),
      archived: archived
        .optional()
        .describe('Instead of `job`: `{workflowId, firstRunId}` of an archived one.'),
      set: z
        .array(z.tuple([z.string(), z.unknown()], { error: 'a path and a value' }))
        .optional()
        .describe('Pairs of a path or a variable and a value, as `rerun --set` has them; null removes.'),
      env,
      revision: z
        .int()
        .min(1)
        .optional()
        .describe('Manifest, sizes and policy of this revision; default: 1.'),
      name: text.optional().describe('Name of the new job.'),
      strict,
      runId: text.optional().describe('A run of the workflow id of `job`.'),
    }),
    answer: '`{manifest, namespace, parent, revision, revisions, warnings}`: what to submit',
  },
  planApply: {
    arguments: z.object({ manifest, namespace, strict }),
    answer:
      '`{result, workflowId, runId?, firstRunId?, manifest, changes, kept, isAdmitted, ended?}`: what the manifest means for the job; if `result` is `changed`, the update `apply` with it makes the job so',
  },
  differences: {
    arguments: z.object({ job, manifest }),
    answer:
      '`{text}`: the first fields in which the job was submitted with another manifest, as a sentence with a space before it; empty if they do not differ',
  },
  planSweep: {
    arguments: z.object({
      manifest: z.record(z.string(), z.unknown()).describe('The manifest of each trial, without its values.'),
      set: z.record(z.string(), z.array(z.unknown())).describe('The values of each parameter.'),
      env,
      strict,
      atMost: z.int().optional().describe('How many trials run at once; default: 50.'),
      rerun: z.boolean().optional().describe('Run completed trials again.'),
      stopOnFailure: z.boolean().optional().describe('Stop all when a trial has Failed.'),
      why: z.string().optional().describe('Recorded with each trial.'),
      submittedBy: user,
    }),
    answer:
      '`{workflowId, sweep, memo, summary}`: what to start as `parameterSweep`, once all trials are checked; `sweep` is the input',
  },
  sweepSummary: {
    arguments: z.object({ name: text.describe('Name of the sweep.'), namespace: text }),
    answer:
      '`{name, namespace, phase, trials, atMost, waiting, running, completed, failed, stopped, refused, failures, waits?, stop?}`',
  },
  sweepTrials: {
    arguments: z.object({ name: text.describe('Name of the sweep.'), namespace: text }),
    answer:
      'pages of `{index, name, workflowId, values, phase, reason?, why?, progress?, runId?, startTime?, endTime?}`, in the order of the trials',
  },
  schedules: {
    arguments: z.object({
      namespace: text.optional().describe('Only schedules of jobs of this Kubernetes namespace.'),
    }),
    answer:
      'pages of `{scheduleId, namespace, name, kind, when, paused, note?, nextRuns, lastRuns}`, as `signalbox schedule list -o json`',
  },
  schedule: {
    arguments: z.object(aSchedule),
    answer:
      'the same of one, with `{overlap, catchUp, pauseOnFailure, running, counts, submittedBy?, createdAt, manifest}`, as `signalbox schedule get -o json`',
  },
  planSchedule: {
    arguments: z.object({
      manifest: z.record(z.string(), z.unknown()).describe('The manifest of the jobs.'),
      namespace: text.optional().describe('Namespace of a manifest that has none.'),
      name: text.optional().describe('Name of the schedule; default: that of the manifest.'),
      cron: z.array(text).optional().describe('Cron expressions.'),
      every: milliseconds.describe('Interval in milliseconds.'),
      offset: milliseconds.describe('Shifts the interval, in milliseconds.'),
      timeZone: text.optional().describe('IANA name of the zone of `cron`; default: UTC.'),
      jitter: milliseconds.describe('Longest random delay of a start, in milliseconds.'),
      overlap,
      catchUp: milliseconds.describe('How late a missed start may be, in milliseconds.'),
      startAt: time.optional().describe('Nothing is due before this time.'),
      endAt: time.optional().describe('Nothing is due after this time.'),
      pauseOnFailure: z.boolean().optional().describe('Pause it when a job has Failed.'),
      paused: z.boolean().optional().describe('Create it paused.'),
      note: text.optional().describe('Shown with the schedule.'),
      labels: z.record(z.string(), z.string()).optional().describe('Added to the labels of the manifest.'),
      strict,
      submittedBy: user,
    }),
    answer:
      '`{scheduleId, action, spec, policies, state, memo}`: the schedule to create, once its jobs are checked; durations in milliseconds, `policies.overlap` as Temporal names it',
  },
  planScheduleChange: {
    arguments: z.object({
      ...aSchedule,
      change: z.enum(['pause', 'unpause', 'delete', 'trigger', 'backfill']).describe('What is to be done.'),
      why: text.optional().describe('Shown with the schedule.'),
      overlap,
      from: time.optional().describe('Of `backfill`: jobs that were due then or later.'),
      to: time.optional().describe('Of `backfill`: and until then.'),
      submittedBy: user,
    }),
    answer: '`{scheduleId, note?, overlap?, start?, end?}`: what to send to Temporal about which schedule',
  },
  validate: {
    arguments: z.object({ manifest, namespace, strict }),
    answer: '`{faults, warnings}`',
  },
  cost: {
    arguments: z.object({ job, prices }),
    answer: 'what the job held and what that cost, as `signalbox cost NAME -o json`',
  },
  costBy: {
    arguments: z.object({
      ...period,
      by: z
        .array(text)
        .describe(
          '`namespace`, `user`, `kind`, `job`, `day`, `use`, `cause`, `resource`, `product`, or labels of the jobs.',
        ),
    }),
    answer:
      'pages of `{by, jobs, resources}`, as `signalbox cost --by -o json`, of all jobs, archived and live',
  },
  report: {
    arguments: z.object(period),
    answer:
      'the figures of [a month on a page](cost.md#a-month-on-a-page), as `signalbox report --since -o json`',
  },
  clock: {
    arguments: z.object({}),
    answer: '`{at}`: what time it is for the worker that answers',
  },
  'archive.list': {
    arguments: z.object({
      ...chosenJobs,
      limit: z.int().min(0).optional().describe('At most so many, over all pages.'),
    }),
    answer: 'pages of `{workflowId, firstRunId, runIds, summary}`, the job that ended last first',
  },
  'archive.find': {
    arguments: z.object({ ...named, runId: text.optional().describe('A run of the job.') }),
    answer:
      '`{workflowId, firstRunId, runIds, summary, why, missing, status, manifest, revisions, policy, archivedAt, ref}`',
  },
  'archive.history': {
    arguments: z.object({ workflowId: text, firstRunId, ...chosenEntries }),
    answer: 'as `history`',
  },
  'archive.evidence': {
    arguments: z.object({ workflowId: text, firstRunId }),
    answer: 'as `evidence`',
  },
  'archive.why': {
    arguments: z.object({ workflowId: text, firstRunId }),
    answer: 'what it had [waited](../schemas/why-answer.json) for, as `why` of an ended job',
  },
  'archive.cost': {
    arguments: z.object({ workflowId: text, firstRunId, prices }),
    answer: 'as `cost`',
  },
  'archive.pods': {
    arguments: z.object({ workflowId: text, firstRunId }),
    answer: 'pages of pods that ran, as [records of pods](../schemas/pods-record.json) have them',
  },
} as const satisfies Readonly<Record<string, RpcMethod>>;

type RpcMethodName = keyof typeof RPC_METHODS;

/** The arguments of a method, once they are checked. */
export type RpcArguments<Name extends RpcMethodName> = z.infer<(typeof RPC_METHODS)[Name]['arguments']>;
