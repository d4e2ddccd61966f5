import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { formatted, type TableFormat, write, writeData } from '../print/output.ts';
import { terminalText } from '../print/terminal-text.ts';

/** One thing that is watched: its data, whose change is worth a line, and its row in a table. */
interface WatchedRow {
  readonly key: string;
  /** For `-o name`. */
  readonly name: string;
  readonly data: unknown;
}

interface WatchedTable {
  readonly rows: readonly WatchedRow[];
  /** A line of headings, unless there are none, then a line for each row. */
  text(): Promise<string>;
  readonly hasHeadings: boolean;
}

/** Prints tables as they arrive: redrawn in place on a terminal; elsewhere the lines of rows that changed. */
export async function printTables(tables: AsyncIterable<WatchedTable>, format: TableFormat): Promise<void> {
  const changed = changesOf();
  const isTable = format === undefined || format === 'wide';
  const redraw = isTable && process.stdout.isTTY ? redrawing(process.stdout) : undefined;
  let isFirst = true;
  for await (const table of tables) {
    const indices = changed(table.rows);
    if (redraw) redraw(await table.text());
    else if (isTable) printLines(await table.text(), { ...table, indices, isFirst });
    else for (const index of indices) await printDocument(table.rows[index]!, format);
    isFirst = false;
  }
}

/** Calls `read` every two seconds, until its result is the last or the process is interrupted. */
export async function* everyTwoSeconds<T>(
  read: () => Promise<T>,
  isLast: (value: T) => boolean = () => false,
): AsyncGenerator<T> {
  for (;;) {
    const value = await read();
    yield value;
    if (isLast(value)) return;
    await delay(INTERVAL_MS);
  }
}

/** One query of the visibility store, whose records may be a second late anyway. */
const INTERVAL_MS = 2_000;

function changesOf(): (rows: readonly WatchedRow[]) => number[] {
  let known = new Map<string, string>();
  return (rows) => {
    const now = new Map(rows.map(({ key, data }) => [key, JSON.stringify(data)]));
    const changed = rows.flatMap(({ key }, index) => (known.get(key) === now.get(key) ? [] : [index]));
    known = now;
    return changed;
  };
}

interface Lines {
  readonly indices: readonly number[];
  readonly isFirst: boolean;
  readonly hasHeadings: boolean;
}

function printLines(text: string, { indices, isFirst, hasHeadings }: Lines): void {
  const lines = text.split('\n');
  const [headings, rows] = hasHeadings ? [lines.slice(0, 1), lines.slice(1)] : [[], lines];
  if (isFirst) headings.forEach(write);
  for (const index of indices) write(rows[index] ?? '');
}

async function printDocument({ name, data }: WatchedRow, format: 'json' | 'yaml' | 'name'): Promise<void> {
  if (format === 'json') writeData(JSON.stringify(data), 'json');
  else if (format === 'name') writeData(name, 'text');
  else writeData(`---\n${await formatted(data, 'yaml')}`, 'yaml');
}

/** Overwrites what it drew before. */
function redrawing(stream: NodeJS.WriteStream): (text: string) => void {
  let height = 0;
  return (text) => {
    const up = height > 0 ? `\u001b[${height}A` : '';
    const shown = terminalText(text);
    stream.write(`${up}\r\u001b[J${shown}\n`);
    height = heightOf(shown, stream.columns ?? 80);
  };
}

/** Counts lines as the terminal shows them: a long one takes several. */
const heightOf = (text: string, columns: number) =>
  text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns)), 0);
