import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pMap from 'p-map';
import { errorCode } from '../../language/error-code.ts';
import type { ArchiveStore } from '../archive/archive-store.ts';
import { listParts } from '../index/list-parts.ts';
import { choosePartSet } from '../index/part-set.ts';
import type { IndexPart } from '../index/parts.ts';
import { sha256 } from '../ledger/chain.ts';
import type { TableFiles } from './audit-database.ts';

/** Files of this machine that have an index. */
export interface IndexFiles {
  readonly files: TableFiles;
  /** Where they are. */
  readonly directories: readonly string[];
  /** Archives that the index covers: the first ones of the log. */
  readonly size: number;
}

/** A part of the index is not what its name says. */
export class ChangedIndexError extends Error {
  override readonly name = 'ChangedIndexError';
  readonly code = 'IndexChanged';
  readonly remedy =
    'A program or a user changed the file, or a disk did. `signalbox audit verify` finds everything that was changed; `signalbox audit index --again` makes the index again from the archives.';

  constructor(ref: string) {
    super(`${ref}: the content is not what the name says (SHA-256).`);
  }
}

/**
 * Returns files of this machine with the index of a store. Fetches them from a bucket into `cache`, where the next call
 * finds them, or into `temporary` if nothing can be written there: a file is named by its content, so that it is never out of date.
 */
export async function indexFilesOf(
  store: ArchiveStore,
  cache: string,
  temporary = cache,
): Promise<IndexFiles> {
  for (let tries = 1; ; tries++) {
    const { pairs, to } = choosePartSet(await listParts(store));
    const parts = pairs.flatMap(({ jobs, entries }) => [jobs, entries]);
    const paths = await fetchAll(parts, (part) => localFile(store, part, { cache, temporary }));
    if (paths.every((path) => path !== undefined)) return { ...filesIn(parts, paths), size: to };
    // Another process merges parts: those that it removed are in new ones.
    if (tries === TRIES)
      throw new Error(`${store.location}: the index changes faster than it can be read; try again`);
  }
}

const FETCHES = 8;
const TRIES = 5;

/** Settles only when all started fetches have ended: the caller may remove the directories then. */
async function fetchAll<T>(
  parts: readonly IndexPart[],
  fetch: (part: IndexPart) => Promise<T>,
): Promise<T[]> {
  const started: Promise<T>[] = [];
  const start = (part: IndexPart) => {
    const fetching = fetch(part);
    started.push(fetching);
    return fetching;
  };
  try {
    return await pMap(parts, start, { concurrency: FETCHES });
  } finally {
    await Promise.allSettled(started);
  }
}

function filesIn(parts: readonly IndexPart[], paths: readonly string[]): Omit<IndexFiles, 'size'> {
  const of = (table: string) => paths.filter((_, index) => parts[index]?.table === table);
  const files = { jobs: of('jobs'), entries: of('entries') };
  return { files, directories: [...new Set(paths.map((path) => dirname(path)))] };
}

/** Returns undefined if the part is gone. Parquet does not notice changed bytes, so each file is compared with its name. */
async function localFile(
  store: ArchiveStore,
  part: IndexPart,
  { cache, temporary }: { readonly cache: string; readonly temporary: string },
): Promise<string | undefined> {
  const ref = store.refOf(part.key);
  const here = ref.startsWith('file:') ? fileURLToPath(ref) : undefined;
  if (here !== undefined && !GLOB.test(here)) {
    const bytes = await store.read(part.key);
    if (bytes && sha256(bytes) !== part.sha256) throw new ChangedIndexError(ref);
    return bytes && here;
  }
  const path = join(cache, `${part.sha256}.parquet`);
  if (await isCached(path, part.sha256)) return path;
  const bytes = await store.read(part.key);
  if (!bytes) return undefined;
  if (sha256(bytes) !== part.sha256) throw new ChangedIndexError(ref);
  return keep(path, bytes).catch((error: unknown) => {
    if (!READ_ONLY.has(errorCode(error) ?? '')) throw error;
    const instead = join(temporary, basename(path));
    return keep(instead, bytes);
  });
}

/** What directories answer that this user may not write, or that cannot be there. */
const READ_ONLY = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'ENOSPC', 'EDQUOT']);

/** In the name of a file, DuckDB takes these for a pattern; such a directory is read as a bucket is. */
const GLOB = /[*?[]/;

async function isCached(path: string, hash: string): Promise<boolean> {
  const bytes = await readFile(path).catch(() => undefined);
  if (!bytes || sha256(bytes) !== hash) return false;
  // A cache that is read-only is one all the same.
  await utimes(path, new Date(), new Date()).catch(() => undefined);
  return true;
}

/** A file appears whole, and under its name. */
async function keep(path: string, bytes: Uint8Array): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await removeUnused(dirname(path));
  const draft = `${path}.${process.pid}.part`;
  await writeFile(draft, bytes, { mode: 0o600 });
  await rename(draft, path);
  return path;
}

const UNUSED_MS = 7 * 86_400_000;

/** What was merged is not asked for any more. */
async function removeUnused(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > UNUSED_MS) await rm(path, { force: true });
  }
}
