import type { ValueDifference } from '../../contracts/differences/structure.ts';
import { formatDuration } from '../../language/duration.ts';
import type { ComparedSide, JobComparison } from '../../record/compare/compare-jobs.ts';
import { whoText } from '../../record/ledger/who-text.ts';
import { colours, painted } from './output.ts';
import { restartsText } from './restarts.ts';
import { formatTable } from './table.ts';
import { isTextDifference, textDifference } from './text-difference.ts';

/** Without a terminal, e.g. in a file. */
const USUAL_WIDTH = 120;
const LEAST_WIDTH = 60;

/** Two jobs side by side, as wide as the terminal. */
export async function comparisonText(
  { a, b, isEqual, ran, fate: _, ...parts }: JobComparison,
  [nameA, nameB]: readonly [string, string],
): Promise<string> {
  const width = Math.max(process.stdout.columns ?? USUAL_WIDTH, LEAST_WIDTH);
  const sections = [
    ['MANIFEST', parts.manifest],
    ['POLICY', parts.policy],
    ['ENVIRONMENT', parts.environment],
    ['IMAGES', parts.images],
    ['IMAGES THAT RAN', ran],
  ] as const;
  const tables = sections
    .filter(([, differences]) => differences.length > 0)
    .flatMap(([title, differences]) => [
      table([title, nameA, nameB], differences.map(rowOfDifference), width),
      ...differences.filter(isTextDifference).map((text) => textDifference(text, [nameA, nameB])),
    ]);
  const facts = table(['', nameA, nameB], factRows(a, b), width);
  const end = isEqual ? ['The jobs are equal: what differs are names, times and nodes at most.'] : [];
  return [...(await Promise.all([facts, ...tables])), ...end].join('\n\n');
}

const table = (head: readonly string[], rows: readonly (readonly string[])[], width: number) => {
  const first = Math.min(Math.max(...rows.map(([name = '']) => name.length)) + 3, Math.floor(width * 0.44));
  const rest = Math.floor((width - first) / 2);
  return formatTable(head, rows, [first, rest, rest]);
};

const rowOfDifference = (difference: ValueDifference): string[] => {
  const show = isTextDifference(difference) ? below : shownValue;
  return [difference.path, show(difference.a), show(difference.b)];
};

/** A text of several lines follows below the table. */
const below = (text: unknown): string => (text === undefined ? ABSENT : '(see below)');

/** A cell loses white space at its ends. */
function shownValue(value: unknown): string {
  if (value === undefined) return ABSENT;
  return typeof value === 'string' && value.trim() === value ? value : JSON.stringify(value);
}

const ABSENT = colours.dim('-');

function factRows(a: ComparedSide, b: ComparedSide): string[][] {
  const both = (name: string, read: (side: ComparedSide) => string) => [name, read(a), read(b)];
  const keys = (read: (side: ComparedSide) => object) => [
    ...new Set([...Object.keys(read(a)), ...Object.keys(read(b))]),
  ];
  return [
    both('job', ({ workflowId }) => workflowId),
    both('run', ({ runId }) => runId),
    both('revision', revisionText),
    both('outcome', ({ phase, reason }) => `${painted(phase)}${reason ? `: ${reason}` : ''}`),
    both('', ({ message = '' }) => message),
    both('attempts', ({ attempts, restarts }) => `${attempts}, ${restartsText(restarts)}`),
    ...keys(({ failures }) => failures).map((how) =>
      both(how, ({ failures }) => `${failures[how] ?? 0} failed`),
    ),
    ...keys(({ timings }) => timings).map((doing) =>
      both(doing, ({ timings: { [doing]: ms } }) => (ms === undefined ? '' : formatDuration(ms))),
    ),
    both('nodes', ({ nodes }) => nodesText(nodes)),
  ].filter(([, left, right]) => left !== '' || right !== '');
}

const revisionText = ({ revision, revisionRequest: asked }: ComparedSide) =>
  asked ? `${revision}: ${asked.request} by ${whoText(asked.who)}` : String(revision);

const nodesText = (nodes: ComparedSide['nodes']) =>
  Object.entries(nodes)
    .map(([node, pods]) => (pods === 1 ? node : `${node} (${pods} pods)`))
    .join(', ');
