import { isDeepStrictEqual } from 'node:util';
import { inShell } from '../../contracts/job-arguments.ts';
import { remedyOfCause } from '../../contracts/remedies.ts';
import type { Cause, LedgerEntry, LedgerPod } from '../../contracts/types.ts';
import { podEndWords } from '../../record/ledger/pod-end-words.ts';
import { whoText } from '../../record/ledger/who-text.ts';
import { indented } from './field.ts';
import { colours, painted } from './output.ts';
import { withoutMilliseconds } from './times.ts';

/** Widths of columns. Fixed, so that an entry can be printed before the next one is known. Jobs last years: `1111d18h`. */
const WIDTHS = { at: 22, stayed: 10, attempt: 9, state: 24 } as const;
const GAP = 2;

const cell = (text: string, column: keyof typeof WIDTHS): string =>
  `${text.padEnd(WIDTHS[column] - GAP)}${' '.repeat(GAP)}`;

const DETAILS_COLUMN = WIDTHS.at + 2;

export const LEDGER_HEAD = colours.bold(
  `${cell('AT', 'at')}${cell('FOR', 'stayed')}${cell('ATTEMPT', 'attempt')}${cell('STATE', 'state')}WHAT`,
);

/** What is known of an entry from those around it. */
interface Surroundings {
  /** How long the job stayed in the state that it leads to. */
  readonly stay?: string;
  /** The entry before, if it is printed, too. */
  readonly before?: LedgerEntry;
}

/** Formats an entry as a line, and a second one with who asked, the reason, the rule, and what it is about. */
export function entryText(entry: LedgerEntry, { stay = '', before }: Surroundings = {}): string {
  const line = [
    colours.dim(cell(withoutMilliseconds(entry.at), 'at')),
    cell(stay, 'stayed'),
    cell(String(entry.attempt), 'attempt'),
    stateOfEntry(entry),
    indented(`${headOf(entry)}${entry.message}`, DETAILS_COLUMN),
  ].join('');
  const details = detailsOf(entry, before).join('; ');
  if (!details) return line;
  return `${line}\n${' '.repeat(DETAILS_COLUMN)}${colours.dim(indented(details, DETAILS_COLUMN))}`;
}

/** An entry that does not change the state does not repeat it. */
const stateOfEntry = ({ from, to, phase }: LedgerEntry): string =>
  from === to ? cell('', 'state') : painted(phase, cell(to, 'state'));

/** What the message does not say: which timer, or which effect failed. */
function headOf({ cause, message }: LedgerEntry): string {
  if (cause.type === 'timer') return `timer ${cause.timer}: `;
  if (cause.type !== 'effect' || cause.ended === 'done' || message.startsWith(cause.effect)) return '';
  return `${cause.effect} ${cause.ended}: `;
}

function detailsOf(entry: LedgerEntry, before: LedgerEntry | undefined): string[] {
  const { cause, message, reason, rule, pods = [], nodes = [], evidence = [] } = entry;
  const isKnown = isDeepStrictEqual(pods, before?.pods ?? []);
  const others = nodes.filter((node) => !pods.some((pod) => pod.node === node));
  return [
    ...('who' in cause ? [`by ${whoText(cause.who)}`] : []),
    ...('why' in cause && cause.why && !message.endsWith(cause.why) ? [`why: ${cause.why}`] : []),
    ...('parent' in cause && cause.parent !== undefined ? [`rerun of ${cause.parent}`] : []),
    ...(reason === undefined || reason === before?.reason ? [] : [`reason ${reason}`]),
    ...(rule === undefined || message.includes(rule) ? [] : [`rule ${rule}`]),
    ...(isKnown ? [] : some('pod', pods.map(podText))),
    ...some('node', others),
    ...(isDeepStrictEqual(evidence, before?.evidence ?? []) ? [] : some('evidence', evidence)),
  ];
}

/** As many as fit on a line that people read. */
const SHOWN = 3;

function some(what: string, things: readonly string[]): string[] {
  if (things.length === 0) return [];
  const shown = things.slice(0, SHOWN).join(', ');
  return [`${what} ${shown}${things.length > SHOWN ? ` and ${things.length - SHOWN} more` : ''}`];
}

function podText(pod: LedgerPod): string {
  const how = [...(pod.node ? [`on ${pod.node}`] : []), ...podEndWords(pod)];
  const named = how.length > 0 ? `${pod.pod} (${how.join(', ')})` : pod.pod;
  return pod.errorLine === undefined ? named : `${named}: ${pod.errorLine}`;
}

/** What to do, below the last entry. `decided`: why the job ended, as an earlier entry may say. */
export function remedyText(
  workflowId: string,
  last: LedgerEntry | undefined,
  decided: Cause | undefined,
): string | undefined {
  if (!last?.reason || last.phase === 'Completed') return undefined;
  const { reason, message } = last;
  const cause = decided?.reason === reason ? decided : { reason, message };
  const job = workflowId.startsWith('job/') ? inShell(workflowId) : `--workflow-id ${inShell(workflowId)}`;
  return `remedy: ${remedyOfCause(cause, job, { inHistory: true })}`;
}
