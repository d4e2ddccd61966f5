import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** As package.json names it: a test compares. */
export const DUCKDB = '@duckdb/node-api@1.5.6-r.1';

/** DuckDB, 74 MB that only audit questions need, is not installed. */
class DuckDBMissingError extends Error {
  override readonly name = 'DuckDBMissingError';
  readonly code = 'DuckDBMissing';
  readonly remedy =
    `Install it beside signalbox: npm install ${DUCKDB} (with --global if signalbox is). For a container, mount it: docs/deployment.md#the-image. The index is Parquet, so other tools can read it, too: docs/audit.md.`;

  constructor(cause: unknown) {
    super('Audit questions need DuckDB, and the package @duckdb/node-api is not installed.', { cause });
  }
}

type DuckDB = typeof import('@duckdb/node-api');

export interface OpenedDuckDB {
  readonly duckdb: DuckDB;
  readonly instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
}

/** Opens a database in memory that reads files below these directories, and nothing else: no other file, no network. */
export async function openLockedDuckDB(directories: readonly string[]): Promise<OpenedDuckDB> {
  const duckdb = await loadDuckDB();
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run("SET temp_directory = ''");
  await connection.run(
    `SET allowed_directories = [${directories.map((one) => sqlText(`${one}/`)).join(', ')}]`,
  );
  // In this order: it cannot be enabled again while the database is open.
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  return { duckdb, instance, connection };
}

/** Returns a text as SQL. For names of files of ours alone: what users give is bound. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

async function loadDuckDB(): Promise<DuckDB> {
  try {
    return await import('@duckdb/node-api');
  } catch (error) {
    // Also when the part for this operating system is missing, which the package reports in its own message.
    throw new DuckDBMissingError(error);
  }
}
