import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { LedgerEntry } from '../../contracts/types.ts';
import { writeArchive } from '../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { replayJobs } from '../../worker/replay/replay-jobs.ts';
import { someContents } from '../record/archive/some-job.ts';

export const HISTORIES = join(import.meta.dirname, '..', 'replay', 'histories');

interface Archived {
  readonly folder: string;
  /** A recorded history, e.g. `restarted`. */
  readonly history: string;
  readonly name?: string;
  readonly firstRunId?: string;
  readonly closed?: string;
  /** What an older version had decided. */
  readonly change?: (entries: readonly LedgerEntry[]) => readonly LedgerEntry[];
}

/** Archives a recorded history, with its ledger, as the job ml/NAME. Returns its leaf. */
export async function archiveRecorded({
  folder,
  history,
  change = (entries) => entries,
  ...named
}: Archived) {
  const bytes = readFileSync(join(HISTORIES, `${history}.json`));
  const jobs = [{ workflowId: 'job', runs: [JSON.parse(bytes.toString('utf8'))] }];
  let entries: readonly LedgerEntry[] = [];
  for await (const job of replayJobs(jobs)) entries = job.entries;
  const contents = await someContents(named);
  const histories = [{ ...contents.histories[0]!, bytes: gzipSync(bytes) }];
  return writeArchive(new FileArchiveStore(folder), { ...contents, entries: change(entries), histories });
}
