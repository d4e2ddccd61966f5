import { shortRunLength } from '../../contracts/run-reference.ts';
import { formatDuration } from '../../language/duration.ts';
import { shorten } from '../../language/shorten.ts';
import type { AnswerCell } from '../../record/audit/answer-cell.ts';
import { colours, painted } from '../print/output.ts';
import { formatTable } from '../print/table.ts';
import { withoutMilliseconds } from '../print/times.ts';
import { fitColumns } from './fit-columns.ts';

export interface AnswerTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly AnswerCell[])[];
  readonly hasHeadings: boolean;
  /** How wide the terminal is; absent: everything is shown. */
  readonly width?: number;
  /** The question is about one name: each job that had it gets a title. */
  readonly isByRun: boolean;
  /** Values are shown as SQL has them. */
  readonly isSql: boolean;
}

interface AnswerText {
  readonly text: string;
  /** Headings of columns for which there was no room. */
  readonly hidden: readonly string[];
}

/** The text of each column. */
type Row = Readonly<Record<string, string>>;

/** Formats an answer as a table for people, without columns that no row has a value for. */
export async function answerText(answer: AnswerTable): Promise<AnswerText> {
  const { columns, hasHeadings, width = Number.POSITIVE_INFINITY } = answer;
  const groups = groupsOf(answer);
  const rows = [...groups.values()].flat();
  const inTitle = groups.has('') ? [] : IN_TITLE;
  const filled = columns.filter((name) => !inTitle.includes(name) && rows.some((row) => row[name] !== ''));
  const fitting = fitColumns(
    filled.map((name) => ({ name, width: widthOf(name, rows) })),
    width,
  );
  const cells = rows.map((row) =>
    fitting.map(({ name, width: most }) => shownCell(name, shorten(row[name]!, most))),
  );
  const table = await formatTable(
    fitting.map(({ name }) => headingOf(name)),
    cells,
  );
  const [head = '', ...lines] = table.split('\n');
  const hidden = filled.filter((name) => !fitting.some((column) => column.name === name)).map(headingOf);
  return { text: [...(hasHeadings ? [head] : []), ...withTitles(groups, lines)].join('\n'), hidden };
}

const RUN = 'first_run_id';
/** The columns that say which job a row is about. */
const IN_TITLE: readonly string[] = ['namespace', 'name', RUN];

/** The rows of each job by its title, or all of them without one. */
function groupsOf({ columns, rows, isByRun, isSql }: AnswerTable): ReadonlyMap<string, readonly Row[]> {
  const texts = withShortRuns(
    rows.map((row) => rowOfCells(columns, row)).map(isSql ? (row) => row : inWords),
  );
  const isTitled = isByRun && IN_TITLE.every((name) => columns.includes(name));
  return Map.groupBy(texts, ({ namespace, name, [RUN]: run }) =>
    isTitled ? `${namespace}/${name}@${run}` : '',
  );
}

const rowOfCells = (columns: readonly string[], row: readonly AnswerCell[]): Row =>
  Object.fromEntries(columns.map((name, index) => [name, cellText(name, row[index] ?? null)]));

/** What caused an entry, in words that need no glossary. */
const CAUSES: Readonly<Record<string, string>> = { digest: 'pods', effect: 'engine', closed: 'Temporal' };

const inWords = (row: Row): Row =>
  row.cause === undefined ? row : { ...row, cause: CAUSES[row.cause] ?? row.cause };

/** As NAME@RUN takes them. */
function withShortRuns(rows: readonly Row[]): readonly Row[] {
  const length = shortRunLength(rows.flatMap(({ [RUN]: run }) => run ?? []));
  return rows.map((row) => (row[RUN] === undefined ? row : { ...row, [RUN]: row[RUN].slice(0, length) }));
}

/** Each row is one line. */
function withTitles(
  groups: ReadonlyMap<string, readonly Row[]>,
  lines: readonly string[],
): readonly string[] {
  let at = 0;
  return [...groups].flatMap(([title, { length }]) => {
    const own = lines.slice(at, at + length);
    at += length;
    return title === '' ? own : ['', colours.bold(title), ...own];
  });
}

const SECONDS = /_seconds$/;

const headingOf = (column: string): string =>
  column === RUN ? 'RUN' : column.replace(SECONDS, '').replaceAll('_', ' ').toUpperCase();

const widthOf = (column: string, rows: readonly Row[]): number =>
  rows.reduce((most, row) => Math.max(most, row[column]!.length), headingOf(column).length);

/** One line for each row, whatever users wrote. */
function cellText(column: string, cell: AnswerCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number' && SECONDS.test(column)) return formatDuration(cell * 1000);
  const text = typeof cell === 'string' ? withoutMilliseconds(cell) : JSON.stringify(cell);
  return text.replaceAll(/\s+/g, ' ');
}

const shownCell = (column: string, text: string): string => (column === 'phase' ? painted(text) : text);
