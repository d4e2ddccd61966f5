import { failedStart } from '../../contracts/ends.ts';
import type {
  ContainerEvidence,
  EventEvidence,
  EvidenceRecord,
  LogExcerpt,
  NodeEvidence,
} from '../../contracts/types.ts';
import { formatDuration } from '../../language/duration.ts';
import { fieldsOf, indented } from './field.ts';
import { colours } from './output.ts';
import { formatTable } from './table.ts';
import { between } from './times.ts';

/** Prints a page for each failed pod: the failure first, the end of its log last, as that is the longest part. */
export async function evidencePages(records: readonly EvidenceRecord[]): Promise<string> {
  return (await Promise.all(records.map(pageOf))).join('\n\n\n');
}

async function pageOf(record: EvidenceRecord): Promise<string> {
  const { summary, job, failedAt } = record;
  const head = colours.bold(`${job.kind} ${job.namespace}/${job.name}  ${summary.pod}`);
  const sections = [
    [head, ...factsOf(record)],
    await containerSection(record.containers),
    record.node ? nodeSection(record.node) : [],
    await eventSection(record.events, failedAt),
    ...record.containers.flatMap(logSections),
  ];
  return sections
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function factsOf(record: EvidenceRecord): string[] {
  const { summary, failedAt, pod, steps, incomplete = [] } = record;
  const { exitCode, signal, reason, message, matches = [] } = summary;
  const code = [
    exitCode === undefined ? '' : `exit code ${exitCode}`,
    signal === undefined ? '' : `signal ${signal}`,
  ];
  const ended = [...code, reason].filter(Boolean).join(', ');
  return [
    field('failed', `${failedAt}  (${between(failedAt, undefined)} ago)`),
    field('attempt', `${summary.attempt}, ${summary.role} ${summary.index}`),
    field('where', [summary.node && `node ${summary.node}`, summary.container].filter(Boolean).join(', ')),
    field('how', ended),
    field('said', message?.trim()),
    field('steps', steps?.sentence),
    field('phase', [pod.phase, pod.reason].filter(Boolean).join(', ')),
    field('rules', matches.map((index) => `failures.rules[${index}]`).join(', ')),
    ...record.containers.flatMap(unstartedText),
    ...incomplete.map((what) => field('missing', what)),
    field('record', summary.ref),
  ].filter(Boolean);
}

/** Why there is no log of it. */
function unstartedText({ name, state, lastState }: ContainerEvidence): string[] {
  const remedy = failedStart(state?.terminated ?? lastState?.terminated, name);
  return remedy ? [field('log', `none: the program of ${name} never started. ${remedy}`)] : [];
}

async function containerSection(containers: readonly ContainerEvidence[]): Promise<string[]> {
  if (containers.length === 0) return [];
  const rows = containers.map(({ name, state, lastState, restarts }) => [
    `  ${name}`,
    stateText(state),
    String(restarts),
    lastState ? stateText(lastState) : '',
  ]);
  return [await formatTable(['  CONTAINER', 'STATE', 'RESTARTS', 'RUN BEFORE'], rows)];
}

function stateText(state: ContainerEvidence['state']): string {
  if (state?.terminated) {
    const { exitCode, reason, finishedAt } = state.terminated;
    return [`exit code ${exitCode}`, reason, finishedAt].filter(Boolean).join(', ');
  }
  if (state?.waiting) return ['waiting', state.waiting.reason].filter(Boolean).join(', ');
  return state?.running ? 'running' : '';
}

function nodeSection({ name, conditions, taints, unschedulable }: NodeEvidence): string[] {
  const troubles = [
    ...conditions
      .filter(isTrouble)
      .map(({ type, status, reason, message }) =>
        [`${type}=${status}`, reason, message].filter(Boolean).join('  '),
      ),
    ...(unschedulable ? ['cordoned'] : []),
    ...taints.map(({ key, value, effect }) => `taint ${key}${value ? `=${value}` : ''}:${effect ?? ''}`),
  ];
  const words = troubles.length > 0 ? troubles : ['no problem recorded'];
  return [colours.bold(`  Node ${name}`), ...words.map((line) => `  ${indented(line, 2)}`)];
}

/** Every node condition except Ready reports a problem when it is not False. */
const isTrouble = ({ type, status }: NodeEvidence['conditions'][number]) =>
  status !== (type === 'Ready' ? 'True' : 'False');

async function eventSection(events: readonly EventEvidence[], failedAt: string): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = events.map(({ type = '', reason = '', message = '', count = 1, lastAt }) => [
    `  ${lastAt ? whenFrom(lastAt, failedAt) : ''}`,
    type,
    reason,
    `${message.trim()}${count > 1 ? `  (${count} times)` : ''}`,
  ]);
  return [await formatTable(['  EVENT', 'TYPE', 'REASON', 'MESSAGE'], rows)];
}

/** Shows how long before or after the failure an event occurred. */
function whenFrom(at: string, failedAt: string): string {
  const seconds = Math.floor(Date.parse(at) / 1000) - Math.floor(Date.parse(failedAt) / 1000);
  if (seconds === 0) return 'at the failure';
  return seconds < 0
    ? `${formatDuration(-1000 * seconds)} before`
    : `${formatDuration(1000 * seconds)} after`;
}

const logSections = ({ name, previousLog, log }: ContainerEvidence): string[][] => [
  ...(previousLog ? [logSection(`the previous run of ${name}`, previousLog)] : []),
  ...(log ? [logSection(name, log)] : []),
];

function logSection(of: string, { lines, isCut }: LogExcerpt): string[] {
  if (lines.length === 0) return [`${colours.bold(`  Log of ${of}`)}: empty`];
  const cut = isCut ? ', truncated to the size limit' : '';
  return [colours.bold(`  Last ${lines.length} lines of ${of}${cut}`), ...lines.map((line) => `  ${line}`)];
}

const field = fieldsOf(9);
