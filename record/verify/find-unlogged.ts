import pMap from 'p-map';
import { JOB_FILE, parseNameKey } from '../archive/archive-keys.ts';
import type { ArchiveStore } from '../archive/archive-store.ts';
import { leafOf } from '../archive/archive-writer.ts';
import type { ArchivedJob } from '../archive/archived-job.ts';
import { encodeLeaf } from '../log/leaf-bytes.ts';
import { DELETIONS, LEAVES } from '../log/log-keys.ts';
import { appendedSince } from './appended-since.ts';
import type { LoggedArchive } from './logged-archives.ts';
import { READS_AT_ONCE, type StoreFinding, type Verification } from './verification.ts';

interface Logged {
  readonly logged: ReadonlyMap<string, LoggedArchive>;
  /** Hashes of all leaves. */
  readonly hashes: readonly Buffer[];
  /** Keys outside of the archives' folders that belong to an archive. */
  readonly finders: ReadonlySet<string>;
}

/** Finds files that no leaf covers. Leaves out what was appended to the log while the store was read. */
export async function findUnlogged(verification: Verification, known: Logged): Promise<void> {
  const archives = await unknownArchives(verification, known);
  // Keys that lead to an unknown archive are no separate findings.
  const reported = new Set(archives.map(({ key }) => key));
  const strays = (await strayFiles(verification, known)).filter(
    ({ folder }) => !folder || !reported.has(folder),
  );
  const unlogged = [...archives, ...strays];
  if (unlogged.length === 0) return;
  const leaves = await appendedSince(verification, known.hashes.length);
  const since = new Set(leaves.map(({ folder }) => folder));
  for (const finding of unlogged) {
    if (!finding.folder || !since.has(finding.folder)) verification.find(finding);
  }
}

async function unknownArchives(
  { store, listing }: Verification,
  { logged, hashes }: Logged,
): Promise<StoreFinding[]> {
  const found: StoreFinding[] = [];
  const indexByHash = new Map(hashes.map((hash, index) => [hash.toString('hex'), index]));
  for (const folder of listing.folders.keys()) {
    if (logged.has(folder)) continue;
    const bytes = await store.read(`${folder}/${JOB_FILE}`);
    const index = bytes && indexByHash.get(hashOfLeaf(folder, bytes) ?? '');
    const expected =
      index === undefined ? 'a leaf for it in the log' : `leaf ${index} of the log, which is of this archive`;
    const instead = index === undefined ? 'none' : 'a file that says something else';
    const what = bytes ? '' : `, and no ${JOB_FILE}: an archiver has not finished it`;
    found.push({ kind: 'unlogged', key: folder, expected, found: `${instead}${what}`, folder });
  }
  return found;
}

function hashOfLeaf(folder: string, bytes: Uint8Array): string | undefined {
  try {
    const job = JSON.parse(Buffer.from(bytes).toString()) as ArchivedJob;
    return encodeLeaf(leafOf(folder, job, bytes)).hash.toString('hex');
  } catch {
    return undefined;
  }
}

/** Folders of a store that other checks cover. `probe/` remains from a test of a bucket. */
const ELSEWHERE = /^(runs|log|index|probe)\//;
const PLACES = [LEAVES, DELETIONS];

async function strayFiles({ store, listing }: Verification, { finders }: Logged): Promise<StoreFinding[]> {
  const inFolders = new Set(
    [...listing.folders].flatMap(([folder, names]) => names.map((name) => `${folder}/${name}`)),
  );
  const stray = listing
    .under('')
    .filter((key) => PLACES.some((places) => key.startsWith(places)) || !ELSEWHERE.test(key))
    .filter((key) => !inFolders.has(key) && !finders.has(key));
  return pMap(
    stray,
    async (key) => ({
      ...{ kind: 'unlogged', key, expected: 'only what belongs to an archive in the log' },
      ...{ found: 'another file', folder: await folderOfPlace(store, key) },
    }),
    { concurrency: READS_AT_ONCE },
  );
}

/** The archive that a file outside of all archives claims to find. */
async function folderOfPlace(store: ArchiveStore, key: string): Promise<string | undefined> {
  const places = PLACES.find((each) => key.startsWith(each));
  if (places) return `jobs/${key.slice(places.length)}`;
  if (!key.startsWith('ids/')) return parseNameKey(key)?.folder;
  const content = await store.read(key);
  return content && Buffer.from(content).toString().trim();
}
