import { workflowInfo } from '@temporalio/workflow';
import { consoleAddress } from '../contracts/console-address.ts';
import { errorText } from '../contracts/error-text.ts';
import { inShell, jobArguments } from '../contracts/job-arguments.ts';
import { messageOfCause } from '../contracts/message-of-cause.ts';
import { remedyOfCause } from '../contracts/remedies.ts';
import { isFinal } from '../contracts/status.ts';
import type { PlannedRole } from '../contracts/training-job.ts';
import type { JobStatus, TimelineEntry } from '../contracts/types.ts';
import { codeInMarkdown, plainInMarkdown } from '../language/markdown-text.ts';
import { DETAILS_BYTES, shorten, shortenToBytes } from '../language/shorten.ts';
import type { JobContext } from '../machines/model/job-context.ts';
import { countDone, digestOf } from '../machines/model/role-counts.ts';
import { INTERVENTIONS, type JobView, refusalOf } from './interventions.ts';

/** Describes a job for the Temporal UI: a page in Markdown. What users have written is shown as it is. */
export function describeJob(view: JobView): string {
  const { status, consoleUrl } = view;
  const parts = [
    headOf(status),
    textOfConsole(consoleAddress(consoleUrl, status)),
    textOfCause(status),
    textOfRoles(view),
    decidedLast(status),
    textOfWarnings(status),
    commandsFor(view),
    timelineOf(status),
  ];
  return shortenToBytes(parts.filter(Boolean).join('\n\n'), DETAILS_BYTES);
}

function headOf({ phase, kind, namespace, name, attempt, restarts, ...times }: JobStatus): string {
  const { startTime, completionTime, progress } = times;
  const facts = [
    `attempt ${attempt}`,
    restarts === 1 ? '1 restart' : `${restarts} restarts`,
    ...(startTime ? [`started ${startTime}`] : []),
    ...(completionTime ? [`ended ${completionTime}`] : []),
    ...(progress ? [`progress ${plainInMarkdown(progress)}`] : []),
  ];
  return `## ${phase}: ${plainInMarkdown(kind) || 'a job'} ${codeInMarkdown(`${namespace}/${name}`)}\n\n${facts.join(', ')}`;
}

const textOfConsole = (address: string | undefined): string =>
  address === undefined ? '' : `[The job in the console](${address})`;

/** Why the job waits, or has ended, and what to do about it. */
function textOfCause({ phase, cause, ...job }: JobStatus): string {
  if (!cause) return '';
  const { reason, rule, pod, node, exitCode } = cause;
  const remedy = cause.remedy ?? remedyOfCause(cause, jobArguments(job, workflowInfo().workflowId));
  const error = errorText(cause);
  const where = [
    ...(pod ? [`pod ${codeInMarkdown(pod)}`] : []),
    ...(node ? [`node ${codeInMarkdown(node)}`] : []),
    ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
  ];
  return [
    `**${isFinal(phase) ? 'Why it ended' : 'What it waits for'}:** ${codeInMarkdown(reason)}: ${plainInMarkdown(messageOfCause(cause))}`,
    ...(error === undefined ? [] : [`**Error:** ${plainInMarkdown(error)}`]),
    ...(where.length > 0 ? [`**Where:** ${where.join(', ')}`] : []),
    ...(rule ? [`**Rule:** ${codeInMarkdown(rule)}`] : []),
    `**What helps:** ${plainInMarkdown(remedy)}`,
  ].join('\n\n');
}

interface CountColumn {
  readonly title: string;
  /** Pods that are over are not counted as ready or on their way. */
  readonly isOfLive?: true;
  readonly count: (context: JobContext, role: PlannedRole) => number;
}

const COUNTS: readonly CountColumn[] = [
  { title: 'Wanted', count: (_, role) => role.replicas },
  { title: 'Ready', isOfLive: true, count: (context, role) => digestOf(context, role).ready },
  { title: 'Starting', isOfLive: true, count: (context, role) => digestOf(context, role).scheduled },
  { title: 'Without a node', isOfLive: true, count: (context, role) => digestOf(context, role).unscheduled },
  { title: 'Succeeded', count: countDone },
  { title: 'Failed', count: (context, role) => digestOf(context, role).failed },
];

function textOfRoles({ position, status }: JobView): string {
  if (!position) return '';
  const { context } = position;
  const columns = COUNTS.filter(({ isOfLive }) => !isOfLive || !isFinal(status.phase));
  const rows = context.plan.roles.map((role) => [
    role.name,
    ...columns.map(({ count }) => count(context, role)),
  ]);
  const head = ['Role', ...columns.map(({ title }) => title)];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function decidedLast({ timeline }: JobStatus): string {
  const last = timeline.at(-1);
  return last ? `**Decided last:** ${codeInMarkdown(last.state)} at ${last.at}: ${brief(last)}` : '';
}

const textOfWarnings = ({ warnings }: JobStatus): string =>
  warnings.map((warning) => `> **Warning:** ${plainInMarkdown(warning)}`).join('\n>\n');

/** The requests that the job accepts now. */
function commandsFor(view: JobView): string {
  const { namespace, name, evidence = [] } = view.status;
  const { workflowId } = workflowInfo();
  const job = jobArguments({ namespace, name }, workflowId);
  const open = INTERVENTIONS.filter((spec) => refusalOf(spec, view, spec.example) === undefined);
  const read = [`signalbox history ${job}`, ...(evidence.length > 0 ? [`signalbox evidence ${job}`] : [])];
  const asked = open.map(({ command: [command, ...options] }) =>
    ['signalbox', command, job, ...options].join(' '),
  );
  const parts = [`### What you can do\n\n${block([...read, ...asked])}`];
  const [first] = open;
  if (first) {
    const input = JSON.stringify({ ...first.example, by: 'YOU', why: 'WHY' });
    const command = `temporal workflow update execute --workflow-id ${inShell(workflowId)} --name ${first.update} --input '${input}'`;
    const names = open.map(({ update }) => codeInMarkdown(update)).join(', ');
    parts.push(`With Temporal's own tools, send an update (${names}):\n\n${block([command])}`);
  }
  return parts.join('\n\n');
}

/** The workflow's history has the earlier entries. */
const LATEST = 10;

function timelineOf({ timeline }: JobStatus): string {
  const entries = timeline.slice(-LATEST).toReversed();
  const lines = entries.map((entry) => {
    const attempt = entry.attempt > 1 ? `, attempt ${entry.attempt}` : '';
    return `- ${entry.at} **${entry.state}**${attempt}: ${brief(entry)}`;
  });
  return `### Timeline, latest first\n\n${lines.join('\n')}`;
}

const CAUSE_LENGTH = 400;

const brief = ({ cause }: TimelineEntry) => plainInMarkdown(shorten(cause, CAUSE_LENGTH));

const block = (lines: readonly string[]) => ['```sh', ...lines, '```'].join('\n');
