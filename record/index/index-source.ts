import { pMapIterable } from 'p-map';
import { canonicalJson } from '../../language/canonical-json.ts';
import { DamagedArchiveError, UnknownArchiveError } from '../archive/archive-errors.ts';
import type { ArchiveStore } from '../archive/archive-store.ts';
import { JobArchive } from '../archive/job-archive.ts';
import { type AnyLeaf, isDeletion, type LogLeaf } from '../archive/log-leaf.ts';
import { deletionPlaceKey } from '../log/log-keys.ts';
import { type IndexRows, JOB_COLUMNS, type JobRow } from './columns.ts';
import { indexRowsOf } from './index-rows.ts';
import type { LeafRange } from './parts.ts';
import type { IndexSource } from './range-parts.ts';

/** The part of a log that the index needs; `readLog` returns one. */
interface IndexedLog {
  readonly size: number;
  leaves(from: number, to: number): AsyncIterable<{ readonly index: number; readonly leaf: AnyLeaf }>;
}

/** Archives that are read side by side. */
const READERS = 16;

/** Returns what the archives of a log say, without those of the leaves in `deleted`, whose files may still be there. */
export const indexSourceOf = (
  store: ArchiveStore,
  log: IndexedLog,
  deleted: ReadonlySet<number> = new Set(),
): IndexSource => ({
  size: log.size,
  rows: ({ from, to }: LeafRange) =>
    pMapIterable(
      log.leaves(from, to),
      ({ leaf, index }) =>
        isDeletion(leaf) || deleted.has(index) ? NO_ROWS : archiveRowsOf(store, leaf, index),
      { concurrency: READERS },
    ),
});

const NO_ROWS: IndexRows = { jobs: [], entries: [] };

/** Returns the leaves whose archives some leaves of a range, `to` not included, say are deleted. */
export async function deletedLeaves(log: IndexedLog, { from, to }: LeafRange): Promise<ReadonlySet<number>> {
  const deleted = new Set<number>();
  if (from >= to) return deleted;
  for await (const { leaf } of log.leaves(from, to)) if (isDeletion(leaf)) deleted.add(leaf.deleted.leaf);
  return deleted;
}

/** Why the archive of a leaf cannot be read, as in the column `damage`. Names no place: a store may be moved. */
type ArchiveDamage = 'missing' | 'changed' | 'of a later version' | 'not understood';

/**
 * Returns the rows of the archive that a leaf of the log is about. An archive that is missing, or is not what the log
 * has, or makes no rows, becomes one row that says so: the index must not stop at it. One that was deleted on purpose has
 * no rows.
 */
async function archiveRowsOf(store: ArchiveStore, leaf: LogLeaf, index: number): Promise<IndexRows> {
  try {
    const archive = await JobArchive.open(store, leaf.folder);
    if (!archive) {
      const isDeleted = await store.read(deletionPlaceKey(leaf.folder));
      return isDeleted ? { jobs: [], entries: [] } : damagedRows(leaf, index, 'missing');
    }
    if (canonicalJson(archive.leaf) !== canonicalJson(leaf)) return damagedRows(leaf, index, 'changed');
    const ledger = await archive.ledger();
    return understood(leaf, index, () =>
      indexRowsOf(archive.job, ledger, { place: { folder: leaf.folder, leaf: index } }),
    );
  } catch (error) {
    if (error instanceof UnknownArchiveError) return damagedRows(leaf, index, 'of a later version');
    if (error instanceof DamagedArchiveError) return damagedRows(leaf, index, 'changed');
    throw error;
  }
}

/** An archive is what it was when it was signed, and still may have what this version cannot make rows of. */
function understood(leaf: LogLeaf, index: number, rows: () => IndexRows): IndexRows {
  try {
    return rows();
  } catch {
    return damagedRows(leaf, index, 'not understood');
  }
}

function damagedRows(leaf: LogLeaf, index: number, damage: ArchiveDamage): IndexRows {
  const { folder, workflowId, firstRunId, ledger } = leaf;
  const [, namespace = null, name = null] = /^job\/([^/]+)\/([^/]+)$/.exec(workflowId) ?? [];
  const known = { namespace, name, workflow_id: workflowId, first_run_id: firstRunId };
  const row = { ...NOTHING, ...known, entries: ledger.entries, damage, folder, leaf: index };
  return { jobs: [row], entries: [] };
}

const NOTHING = Object.fromEntries(Object.keys(JOB_COLUMNS).map((name) => [name, null])) as unknown as JobRow;
