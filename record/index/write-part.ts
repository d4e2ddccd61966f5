import { setImmediate } from 'node:timers/promises';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type Cell, type Column, type ColumnType, INDEX_VERSION, TABLES, type TableName } from './columns.ts';

/** A row of any table, by column. */
export type IndexRow = Readonly<Record<string, Cell>>;

/** Rows of a group. Memory holds one group of rows, and the compressed bytes of all. */
const GROUP = 10_000;

/** Writes rows as Parquet. The same rows give the same bytes, however they are divided into batches. */
export class PartWriter {
  readonly #table: TableName;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #waiting: IndexRow[] = [];

  constructor(table: TableName) {
    this.#table = table;
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: SCHEMAS[table],
      createdBy: CREATED_BY,
    });
  }

  async add(rows: readonly IndexRow[]): Promise<void> {
    for (const row of rows) {
      this.#waiting.push(row);
      if (this.#waiting.length === GROUP) await this.#writeGroup();
    }
  }

  async finish(): Promise<Uint8Array> {
    if (this.#waiting.length) await this.#writeGroup();
    await this.#writer.finish();
    return this.#bytes.getBytes();
  }

  /** Lets the rest of the process run in between: a group takes some 50 ms (Node 24.21, 2 cores). */
  async #writeGroup(): Promise<void> {
    const columnData = Object.entries<Column>(TABLES[this.#table]).map(([name, { type }]) => ({
      name,
      data: this.#waiting.map((row) => STORED[type](row[name] ?? null)),
    }));
    this.#waiting = [];
    await this.#writer.write({ columnData, rowGroupSize: GROUP });
    await setImmediate();
  }
}

const CREATED_BY = `signalbox index version ${INDEX_VERSION}`;

/** What cannot be stored is null: a manifest that was refused may ask for any number of GPUs. */
const STORED: Readonly<Record<ColumnType, (cell: Cell) => Cell>> = {
  text: (cell) => (typeof cell === 'string' ? cell : null),
  time: (cell) => (cell instanceof Date && !Number.isNaN(cell.getTime()) ? cell : null),
  integer: (cell) => (Number.isInteger(cell) && Math.abs(cell as number) < 2 ** 31 ? cell : null),
  number: (cell) => (Number.isFinite(cell) ? cell : null),
};

const ELEMENTS: Readonly<Record<ColumnType, Partial<SchemaElement>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  // The old type beside the new one, for readers that know only that.
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  integer: { type: 'INT32' },
  number: { type: 'DOUBLE' },
};

const schemaOf = (columns: Readonly<Record<string, Column>>): SchemaElement[] => [
  { name: 'root', num_children: Object.keys(columns).length },
  ...Object.entries(columns).map(
    ([name, { type }]): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...ELEMENTS[type] }),
  ),
];

const SCHEMAS = { jobs: schemaOf(TABLES.jobs), entries: schemaOf(TABLES.entries) };
