import type { AnswerCell } from '../../record/audit/answer-cell.ts';
import type { AuditAnswer } from '../../record/audit/audit-database.ts';
import { type DataFormat, dataText, note, write, writeData } from '../print/output.ts';
import type { AnswerFormat } from './question-flags.ts';

interface AnswerOptions {
  readonly format?: AnswerFormat | 'text';
  readonly limit?: number;
  readonly hasHeadings: boolean;
  /** The question is about one name. */
  readonly isByRun?: boolean;
  /** The caller has named the columns, and sees them as SQL has them, whatever the terminal has room for. */
  readonly isSql?: boolean;
}

/** More on a terminal are of no use to any reader. */
const MOST_AS_TEXT = 1_000;

/** Prints an answer. Says on standard error if there are more rows than the limit. */
export async function printAnswer(
  { columns, rows }: AuditAnswer,
  { format = 'text', limit, hasHeadings, isByRun = false, isSql = false }: AnswerOptions,
): Promise<void> {
  const most = limit ?? (['text', 'wide'].includes(format) ? MOST_AS_TEXT : undefined);
  const some = atMost(rows, most);
  const width = isSql || format === 'wide' ? undefined : process.stdout.columns;
  await PRINTERS[format]({ columns, rows: some.rows, hasHeadings, isByRun, isSql, width });
  if (some.isCut()) note(`There are more than ${most} rows; raise --limit to see them.`);
}

interface Printed {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly AnswerCell[]>;
  readonly hasHeadings: boolean;
  readonly isByRun: boolean;
  readonly isSql: boolean;
  readonly width: number | undefined;
}

const PRINTERS: Readonly<Record<AnswerFormat | 'text', (answer: Printed) => Promise<void>>> = {
  text: printText,
  wide: printText,
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

async function printText(answer: Printed): Promise<void> {
  const rows: (readonly AnswerCell[])[] = [];
  for await (const row of answer.rows) rows.push(row);
  if (rows.length === 0) return note('Nothing found.');
  const { answerText } = await import('./answer-text.ts');
  const { text, hidden } = await answerText({ ...answer, rows });
  write(text);
  if (hidden.length > 0) note(`No room for ${hidden.join(', ')}: -o wide shows all.`);
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
