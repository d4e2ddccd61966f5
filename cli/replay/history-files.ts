import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isFields } from '../../language/fields.ts';
import { truncate } from '../../language/shorten.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import type { RunHistory } from '../../temporal/run-chain.ts';
import { ManifestFileError } from '../shell/errors.ts';
import type { RecordedHistories, ReplaySource } from './recorded-histories.ts';

/** Of a job’s archive: the file that is written last. */
const JOB_FILE = 'job.json';

/**
 * Returns what a path has to replay: a history as `temporal workflow show -o json` writes it, plain or compressed, the
 * folder of a job’s archive, or a folder with any of these, also further below. Undefined if there is no such file.
 */
export async function sourcesAt(path: string): Promise<ReplaySource[] | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  if (!found.isDirectory()) return [historyFile(path)];
  const sources = await sourcesIn(path);
  if (sources.length > 0) return sources;
  throw new ManifestFileError(
    `${path}: expected histories (*.json, *.json.gz) or archives of jobs, got none.`,
  );
}

async function sourcesIn(folder: string): Promise<ReplaySource[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  if (entries.some(({ name }) => name === JOB_FILE)) return [archiveFolderAt(folder)];
  const sources: ReplaySource[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.')) sources.push(...(await sourcesIn(path)));
    else if (/\.json(\.gz)?$/.test(entry.name)) sources.push(historyFile(path));
  }
  return sources;
}

const historyFile = (path: string): ReplaySource => ({
  title: path,
  read: async () => {
    const run = await historyIn(await readFile(path), path);
    const { workflowId } = run.events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
    return { workflowId: workflowId || basename(path).replace(/\.json(\.gz)?$/, ''), runs: [run] };
  },
});

async function historyIn(bytes: Buffer, path: string): Promise<RunHistory> {
  const text = (isGzip(bytes) ? await promisify(gunzip)(bytes) : bytes).toString('utf8');
  const { historyFromJSON } = await import('@temporalio/common/lib/proto-utils.js');
  const json = parsedHistory(text, path);
  if (!isFields(json) || !Array.isArray(json.events) || json.events.length === 0) {
    throw new ManifestFileError(
      `${path}: expected a history, {"events": [...]}, got ${truncate(text, 40).trim() || 'nothing'}`,
    );
  }
  return historyFromJSON(json);
}

function parsedHistory(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const found = truncate(text, 40).trim() || 'nothing';
    throw new ManifestFileError(`${path}: expected a history as JSON, got ${found}`, { cause });
  }
}

const isGzip = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b;

const archiveFolderAt = (folder: string): ReplaySource => ({
  title: folder,
  read: async () => {
    const [{ FileArchiveStore }, { JobArchive }] = await Promise.all([
      import('../../record/archive/file-archive-store.ts'),
      import('../../record/archive/job-archive.ts'),
    ]);
    const path = resolve(folder);
    const archive = await JobArchive.open(new FileArchiveStore(dirname(path)), basename(path));
    return historiesOf(archive!);
  },
});

/** Reads what an archive has to replay. */
export async function historiesOf(archive: JobArchive): Promise<RecordedHistories> {
  const { archivedHistories } = await import('../../client/use-cases/archive/rerun-archived.ts');
  const runs = await archivedHistories(archive);
  return { workflowId: archive.job.workflowId, runs, ledger: await archive.ledger() };
}
