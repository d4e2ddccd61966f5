import { readHealthFile } from '../../watcher/nodes/health-file.ts';
import { HealthTable } from '../../watcher/nodes/health-table.ts';
import { UsageError } from '../shell/errors.ts';

/** Returns the table of what sources write on nodes, with what the file of an installation says. */
export async function healthTable(file: string | undefined): Promise<HealthTable> {
  if (file === undefined) return new HealthTable();
  const read = await readHealthFile(file);
  if ('sources' in read) return new HealthTable(read.sources);
  throw new UsageError(
    `The file of sources of health has faults:\n${read.faults.map((fault) => `  ${fault}`).join('\n')}`,
    { remedy: 'docs/health.md has every field.' },
  );
}
