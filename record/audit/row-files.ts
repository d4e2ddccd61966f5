import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type IndexRows, TABLE_NAMES } from '../index/columns.ts';
import { PartWriter } from '../index/write-part.ts';
import type { TableFiles } from './audit-database.ts';

/** Writes rows that no index has, e.g. those of live jobs, as Parquet: one file a table, also without rows. */
export async function writeRowFiles(
  directory: string,
  name: string,
  rows: readonly IndexRows[],
): Promise<TableFiles> {
  const files = {
    jobs: join(directory, `${name}-jobs.parquet`),
    entries: join(directory, `${name}-entries.parquet`),
  };
  for (const table of TABLE_NAMES) {
    const writer = new PartWriter(table);
    for (const one of rows) await writer.add(one[table]);
    await writeFile(files[table], await writer.finish(), { mode: 0o600 });
  }
  return { jobs: [files.jobs], entries: [files.entries] };
}
