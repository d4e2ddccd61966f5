import type { DuckDBValue } from '@duckdb/node-api';
import { TABLE_NAMES, type TableName } from '../index/columns.ts';
import { type AnswerCell, answerCell } from './answer-cell.ts';
import type { BoundValue } from './audit-filter.ts';
import { type OpenedDuckDB, openLockedDuckDB, sqlText } from './duckdb.ts';
import type { Statement } from './questions.ts';

/** Parquet files of each table. */
export type TableFiles = Readonly<Record<TableName, readonly string[]>>;

/** Rows of an answer, as they come. */
export interface AuditAnswer {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly AnswerCell[]>;
}

/** A statement that only reads is expected. */
class AuditSqlError extends Error {
  override readonly name = 'AuditSqlError';
  readonly code = 'AuditSql';
  readonly remedy =
    'Give one SELECT statement over the tables jobs and entries; `DESCRIBE jobs` lists columns (docs/audit.md).';
}

/** The tables `jobs` and `entries` in DuckDB, read from Parquet. Reads no other file. */
export class AuditDatabase {
  readonly #opened: OpenedDuckDB;
  #files: TableFiles = { jobs: [], entries: [] };

  private constructor(opened: OpenedDuckDB) {
    this.#opened = opened;
  }

  /** `directories` are where all files are, also those that are added later. */
  static async open(files: TableFiles, directories: readonly string[]): Promise<AuditDatabase> {
    const database = new AuditDatabase(await openLockedDuckDB(directories));
    await database.add(files);
    return database;
  }

  async add(files: TableFiles): Promise<void> {
    for (const table of TABLE_NAMES) {
      const all = [...this.#files[table], ...files[table]];
      const list = all.map((file) => sqlText(file)).join(', ');
      await this.#opened.connection.run(`CREATE OR REPLACE VIEW ${table} AS FROM read_parquet([${list}])`);
      this.#files = { ...this.#files, [table]: all };
    }
  }

  /** Returns which of these runs of workflows have a row in `jobs`. */
  async knownRuns(runIds: readonly string[]): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for (let start = 0; start < runIds.length; start += RUNS_AT_ONCE) {
      const some = runIds.slice(start, start + RUNS_AT_ONCE);
      const places = some.map(() => '?').join(', ');
      const statement = { sql: `SELECT run_id FROM jobs WHERE run_id IN (${places})`, values: some };
      for await (const [runId] of (await this.ask(statement)).rows) known.add(String(runId));
    }
    return known;
  }

  async ask({ sql, values }: Statement): Promise<AuditAnswer> {
    return this.#answer(sql, values);
  }

  /** Runs a user's own statement, if it only reads. */
  async askOwn(sql: string): Promise<AuditAnswer> {
    await this.#checkReads(sql);
    try {
      return await this.#answer(sql, []);
    } catch (error) {
      throw new AuditSqlError(messageOf(error), { cause: error });
    }
  }

  close(): void {
    this.#opened.connection.closeSync();
    this.#opened.instance.closeSync();
  }

  async #answer(sql: string, values: readonly BoundValue[]): Promise<AuditAnswer> {
    const { connection, duckdb } = this.#opened;
    const bound = values.map((value): DuckDBValue => {
      if (!(value instanceof Date)) return value;
      return new duckdb.DuckDBTimestampTZValue(BigInt(value.getTime()) * 1000n);
    });
    const result = await connection.stream(sql, bound);
    return { columns: result.deduplicatedColumnNames(), rows: rowsOf(result.yieldRowsJs()) };
  }

  /** The lock alone prevents neither writes outside of the index nor a statement that EXPLAIN ANALYZE runs. */
  async #checkReads(sql: string): Promise<void> {
    const { connection, duckdb } = this.#opened;
    try {
      const statements = await connection.extractStatements(sql);
      if (statements.count !== 1) throw new AuditSqlError(`Expected one statement, got ${statements.count}.`);
      const { statementType } = await statements.prepare(0);
      if (statementType !== duckdb.StatementType.SELECT)
        throw new AuditSqlError(
          `Expected a statement that reads, got one of type ${duckdb.StatementType[statementType]}.`,
        );
    } catch (error) {
      if (error instanceof AuditSqlError) throw error;
      throw new AuditSqlError(messageOf(error), { cause: error });
    }
  }
}

const RUNS_AT_ONCE = 1_000;

async function* rowsOf(
  chunks: AsyncIterable<readonly (readonly unknown[])[]>,
): AsyncGenerator<readonly AnswerCell[]> {
  for await (const rows of chunks) for (const row of rows) yield row.map(answerCell);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
