import { formatDuration } from '../../contracts/duration.ts';
import { shortRunLength } from '../../contracts/run-reference.ts';
import type { AnswerCell } from '../../record/audit/answer-cell.ts';
import type { AuditAnswer } from '../../record/audit/audit-database.ts';
import { type DataFormat, dataText, note, painted, write, writeData } from '../print/output.ts';
import { formatTable } from '../print/table.ts';
import { withoutMilliseconds } from '../print/times.ts';
import type { AnswerFormat } from './question-flags.ts';

interface AnswerOptions {
  readonly format?: AnswerFormat;
  readonly limit?: number;
  readonly hasHeadings: boolean;
}

/** More on a terminal are of no use to anybody. */
const MOST_AS_TEXT = 1_000;

/** Prints an answer. Says on standard error if there are more rows than the limit. */
export async function printAnswer(
  { columns, rows }: AuditAnswer,
  { format, limit = format ? undefined : MOST_AS_TEXT, hasHeadings }: AnswerOptions,
): Promise<void> {
  const some = atMost(rows, limit);
  await PRINTERS[format ?? 'text']({ columns, rows: some.rows, hasHeadings });
  if (some.isCut()) note(`There are more than ${limit} rows; raise --limit to see them.`);
}

interface Printed {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly AnswerCell[]>;
  readonly hasHeadings: boolean;
}

const PRINTERS: Readonly<Record<AnswerFormat | 'text', (answer: Printed) => Promise<void>>> = {
  text: printText,
  json: async ({ columns, rows }) => {
    const objects: unknown[] = [];
    for await (const row of rows) objects.push(objectOf(columns, row));
    writeData(JSON.stringify(objects, null, 2), 'json');
  },
  jsonl: async ({ columns, rows }) => {
    for await (const some of batched(rows))
      await writeAll(some.map((row) => `${JSON.stringify(objectOf(columns, row))}\n`).join(''), 'jsonl');
  },
  csv: async ({ columns, rows, hasHeadings }) => {
    const { csvLines } = await import('./csv-lines.ts');
    if (hasHeadings) await writeAll(csvLines([columns]), 'csv');
    for await (const some of batched(rows)) await writeAll(csvLines(some), 'csv');
  },
};

/** Rows that are written at once. */
const BATCH = 2_000;

async function* batched(
  rows: AsyncIterable<readonly AnswerCell[]>,
): AsyncGenerator<readonly (readonly AnswerCell[])[]> {
  let batch: (readonly AnswerCell[])[] = [];
  for await (const row of rows) {
    if (batch.push(row) < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length) yield batch;
}

/** Waits for a slow reader, e.g. a pager, instead of keeping everything in memory. */
async function writeAll(text: string, format: DataFormat): Promise<void> {
  if (!process.stdout.write(dataText(text, format)))
    await new Promise((resolve) => process.stdout.once('drain', resolve));
}

const objectOf = (columns: readonly string[], row: readonly AnswerCell[]) =>
  Object.fromEntries(columns.map((name, index) => [name, row[index]]));

/** Leaves out columns that no row has a value for. */
async function printText({ columns, rows, hasHeadings }: Printed): Promise<void> {
  const all: (readonly AnswerCell[])[] = [];
  for await (const row of rows) all.push(row);
  if (all.length === 0) return note('Nothing found.');
  const shown = columns.map((_, index) => index).filter((index) => all.some((row) => row[index] !== null));
  const cells = all.map((row) => shown.map((index) => cellText(columns[index]!, row[index] ?? null)));
  abbreviateRuns(
    cells,
    shown.findIndex((index) => columns[index] === RUN),
  );
  write(await formatTable(hasHeadings ? shown.map((index) => headingOf(columns[index]!)) : undefined, cells));
}

const SECONDS = /_seconds$/;
const RUN = 'first_run_id';

/** As NAME@RUN takes them. */
function abbreviateRuns(rows: readonly string[][], at: number): void {
  if (at < 0) return;
  const length = shortRunLength(rows.map((row) => row[at]!));
  for (const row of rows) row[at] = row[at]!.slice(0, length);
}

const headingOf = (column: string): string =>
  column === RUN ? 'RUN' : column.replace(SECONDS, '').replaceAll('_', ' ').toUpperCase();

/** One line for each row, whatever users wrote. */
function cellText(column: string, cell: AnswerCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number' && SECONDS.test(column)) return formatDuration(cell * 1000);
  const text = typeof cell === 'string' ? withoutMilliseconds(cell) : JSON.stringify(cell);
  return column === 'phase' ? painted(text) : text.replaceAll(/\s+/g, ' ');
}

function atMost(rows: AsyncIterable<readonly AnswerCell[]>, limit: number | undefined) {
  let isCut = false;
  async function* some() {
    let left = limit ?? Number.POSITIVE_INFINITY;
    for await (const row of rows) {
      isCut = left-- <= 0;
      if (isCut) return;
      yield row;
    }
  }
  return { rows: some(), isCut: () => isCut };
}
