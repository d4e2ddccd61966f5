import type { KnownStatus } from '../../client/servers/recorded-status.ts';
import type { JobSummary } from '../../client/servers/summary.ts';
import type { RemainingPods } from '../../client/use-cases/pods/remaining-pods.ts';
import { errorText } from '../../contracts/error-text.ts';
import { jobArguments } from '../../contracts/job-arguments.ts';
import { logFields } from '../../contracts/log-words.ts';
import { messageOfCause } from '../../contracts/message-of-cause.ts';
import { parentText } from '../../contracts/parent-job.ts';
import { remedyOfCause } from '../../contracts/remedies.ts';
import { DEFAULT_REPLICA_COUNTS, isFinal, type ReplicaCount } from '../../contracts/status.ts';
import type {
  Cause,
  JobSilence,
  JobStatus,
  JobSteps,
  ReplicaStatus,
  TimelineEntry,
} from '../../contracts/types.ts';
import { ownValue } from '../../language/fields.ts';
import { amountsText } from './amounts-text.ts';
import { evidenceLines } from './evidence-lines.ts';
import { fieldsOf, indented } from './field.ts';
import { type Lifetime, lifetimeText } from './lifetime.ts';
import { colours, painted } from './output.ts';
import { restartsText } from './restarts.ts';
import { formatTable } from './table.ts';
import { between, clock } from './times.ts';

/** A status, and what is on record of the job's submission: when, by whom, why, and of which job it is a rerun. */
export type SubmittedStatus = KnownStatus &
  Lifetime &
  Pick<JobSummary, 'submittedBy' | 'why' | 'rerunOf'> & {
    /** When it was archived, RFC 3339; absent if it is not, or if the archive could not be read. */
    readonly archivedAt?: string;
    /** What keeps it from the archive. */
    readonly notArchived?: string;
    /** The address of its page, where the settings have that of the console. */
    readonly console?: string;
    /** Pods that still run although it has ended; absent if none does, or the cluster could not be read. */
    readonly remainingPods?: RemainingPods;
    /** Its main pod has written no line for longer than usual. */
    readonly silence?: JobSilence;
    /** What its log tells of its steps. */
    readonly steps?: JobSteps;
  };

/** Formats a job for people. */
export async function jobText(status: SubmittedStatus, workflowId: string): Promise<string> {
  const lines = [
    `${colours.bold(`${status.kind} ${status.namespace}/${status.name}`)}  ${painted(status.phase)}`,
    field('state', status.state),
    field('workflow', workflowId),
    field('console', status.console),
    field('submitted', submittedText(status)),
    field('rerun of', status.rerunOf && parentText(status.rerunOf)),
    field('attempt', `${status.attempt}, ${textOfRestarts(status)}`),
    field('started', status.startTime),
    field(isFinal(status.phase) ? 'took' : 'for', lifetimeText(status)),
    field('archived', status.archivedAt ?? (status.notArchived && `not yet: ${status.notArchived}`)),
    field('pods left', remainingText(status)),
    field('progress', status.progress),
    ...logFields(status).map(([name, text]) => field(name, text)),
    ...(status.cause ? causeLines(status.cause, status) : []),
    field('advice', status.advice?.sentence),
    ...budgetLines(status),
    ...avoidedLines(status),
    ...status.warnings.map((warning) => field('warning', warning)),
  ];
  return [
    ...lines.filter(Boolean),
    ...(await replicaLines(status)),
    ...(await evidenceLines(status, workflowId)),
  ].join('\n');
}

const submittedText = ({ submittedBy, why }: SubmittedStatus): string | undefined =>
  submittedBy === undefined && why === undefined
    ? undefined
    : `by ${submittedBy ?? 'unknown'}${why === undefined ? '' : `: ${why}`}`;

function remainingText({ remainingPods }: SubmittedStatus): string | undefined {
  if (!remainingPods) return undefined;
  const { pods, holds } = remainingPods;
  const who = pods === 1 ? '1 still runs and holds' : `${pods} still run and hold`;
  return `${who} ${amountsText(holds)}; with cleanPodPolicy Running a job ends its pods`;
}

/** The conditions, as the original operators have them. */
export function conditionsText({ conditions }: JobStatus): Promise<string> {
  const rows = conditions.map(({ type, status, lastTransitionTime = '', reason = '', message = '' }) => [
    `  ${type}`,
    status,
    lastTransitionTime,
    reason,
    message,
  ]);
  return formatTable(['  CONDITION', 'STATUS', 'SINCE', 'REASON', 'MESSAGE'], rows);
}

/** Below the phase. */
const STEP_COLUMN = 10;

/** Formats one step for people who follow a job. */
export function stepText(entry: TimelineEntry): string {
  const attempt = entry.attempt > 1 ? colours.dim(` (attempt ${entry.attempt})`) : '';
  return `${colours.dim(clock(entry.at))}  ${painted(entry.phase)}${attempt}  ${indented(entry.cause, STEP_COLUMN)}`;
}

/** Formats the outcome: the result, the duration, the cause and a remedy. */
export function outcomeText(outcome: JobStatus & Lifetime): string {
  const took = lifetimeText(outcome);
  const head = `${outcome.kind} ${outcome.namespace}/${outcome.name} ${painted(outcome.phase)}${took && ` after ${took}`}`;
  if (!outcome.cause || outcome.phase === 'Completed') return head;
  return [head, ...causeLines(outcome.cause, outcome), field('advice', outcome.advice?.sentence)]
    .filter(Boolean)
    .join('\n');
}

function causeLines(cause: Cause, job: JobStatus): string[] {
  const message = messageOfCause(cause);
  return [
    field('cause', `${cause.reason}: ${message}`),
    field('error', errorText(cause)),
    field('where', whereText(cause, message)),
    field('rule', cause.rule),
    field('remedy', cause.remedy ?? remedyOfCause(cause, jobArguments(job))),
    ...(cause.also ?? []).map((other) => field('also', `${other.reason}: ${other.message}`)),
  ].filter(Boolean);
}

/** What the message does not name itself. */
function whereText({ pod, container, node, exitCode, signal }: Cause, message: string): string {
  const words = ` ${message.replaceAll(/[:;,()]/g, ' ')} `;
  const parts = [
    { value: pod, text: `pod ${pod}`, said: pod },
    { value: container, text: container, said: container },
    { value: node, text: `on ${node}`, said: node },
    { value: exitCode, text: `exit code ${exitCode}`, said: `code ${exitCode}` },
    { value: signal, text: `signal ${signal}`, said: `signal ${signal}` },
  ];
  return parts
    .filter(({ value, said }) => value !== undefined && !words.includes(` ${said} `))
    .map(({ text }) => text)
    .join(', ');
}

function textOfRestarts({ restarts, restartsAllowed }: JobStatus): string {
  if (restartsAllowed === undefined) return restartsText(restarts);
  // The kubelet may restart a container once more before the job can be stopped.
  return restarts > restartsAllowed
    ? `${restartsText(restarts)}, more than the ${restartsAllowed} allowed`
    : `${restarts} of ${restartsAllowed} restarts`;
}

const budgetLines = ({ budgets = {} }: JobStatus): string[] =>
  Object.entries(budgets).map(([name, { used, allowed }]) =>
    field('budget', `${name}: ${used} of ${allowed} used${used >= allowed ? ', none left' : ''}`),
  );

const avoidedLines = ({ avoided = {} }: JobStatus): string[] =>
  Object.entries(avoided).map(([node, until]) => field('avoids', `${node} until ${until}`));

async function replicaLines({
  phase,
  countedAt,
  wanted,
  replicaStatuses,
  terminated,
  replicaCounts = DEFAULT_REPLICA_COUNTS,
}: JobStatus): Promise<string[]> {
  const roles = Object.entries(replicaStatuses);
  if (roles.length === 0) return [];
  const rows = roles.map(([role, status]) => [
    `  ${role}`,
    ...(wanted ? [String(ownValue(wanted, role) ?? '')] : []),
    ...replicaCounts.map((name) => String(countOf(name, status, ownValue(terminated ?? {}, role)))),
    ...(terminated ? [String(ownValue(terminated, role) ?? 0)] : []),
  ]);
  const age = countedAt && !isFinal(phase) ? between(countedAt, undefined) : '';
  const counted = age ? [field('counted', `${age} ago`)] : [];
  const names = [...(wanted ? ['wanted'] : []), ...replicaCounts, ...(terminated ? ['terminated'] : [])];
  const head = ['  ROLE', ...names.map((name) => name.toUpperCase())];
  return [...counted, '', await formatTable(head, rows)];
}

/** Kubeflow counts pods as succeeded that the clean-up of a completed job ended. */
const countOf = (name: ReplicaCount, status: ReplicaStatus, terminated = 0): number =>
  (status[name] ?? 0) - (name === 'succeeded' ? terminated : 0);

const field = fieldsOf(9);
