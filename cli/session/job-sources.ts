import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { ArchiveSettings } from '../../contracts/settings.ts';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { note } from '../print/output.ts';
import { hasCode } from '../shell/errors.ts';
import { connectedClient, settingsOf } from './session.ts';
import { placeToRead, withStoreToRead } from './store-to-read.ts';

/** What knows of jobs: the archive, and beside it Temporal. */
export interface JobSources {
  /** Absent if there is none: only live jobs are known then. */
  readonly store: ArchiveStore | undefined;
  /** Absent with `--archived`. Never rejects: the answer is looked at when the archive has been read. */
  readonly live: Promise<Connected> | undefined;
}

/** The client of a server that answers, or why there is none. */
export type Connected = { readonly client: SignalboxClient } | { readonly error: unknown };

/** Temporal has this long, beside the reading of an archive. Without an archive there is nothing else to show. */
const BESIDE_MS = 1_000;

/** Runs a command over all jobs, and closes what it opened. */
export async function withJobSources<T>(
  command: Command,
  { archived }: { readonly archived?: boolean | undefined },
  run: (sources: JobSources) => Promise<T>,
): Promise<T> {
  const found = await settingsOf(command);
  const settings = { ...found, archive: await placeToRead(found.archive) };
  const hasPlace = await isThere(settings.archive);
  if (!hasPlace && !archived) warn(withoutArchive(settings.archive));
  const timeout = hasPlace ? BESIDE_MS : undefined;
  const live = archived ? undefined : answerOf(connectedClient(settings, { timeout }));
  try {
    // Without an archive, or before the first job was archived, there are only live jobs.
    if (!archived && !hasPlace) return await run({ store: undefined, live });
    return await withStoreToRead(settings.archive, (store) => run({ store, live }));
  } finally {
    const connected = await live;
    if (connected && 'client' in connected) await connected.client.close();
  }
}

export const warn = (message: string): void => note(`warning: ${message}`);

/** Said first: without an archive only what Temporal still has is known. */
const withoutArchive = ({ store }: ArchiveSettings): string =>
  store?.store === 'files'
    ? `there is no archive at ${store.directory} (SIGNALBOX_ARCHIVE_DIR, --archive-dir); this asks only Temporal`
    : 'no archive is configured (SIGNALBOX_ARCHIVE_STORE is none); this asks only Temporal';

const isThere = async ({ store }: ArchiveSettings): Promise<boolean> =>
  store !== undefined &&
  (store.store === 's3' || (await stat(store.directory).catch(() => undefined)) !== undefined);

const answerOf = (connecting: Promise<SignalboxClient>): Promise<Connected> =>
  connecting.then(
    (client) => ({ client }),
    (error: unknown) => ({ error }),
  );

/** Without Temporal, the archive still answers, if there is any job in it. */
export async function orWithoutTemporal<T>(
  ask: () => Promise<T>,
  otherwise: { readonly hasArchive: boolean; readonly answer: () => Promise<T> },
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!otherwise.hasArchive || !hasCode(error, 'ServerAway')) throw error;
    warn(`Temporal is unavailable; showing archived jobs only, as with --archived: ${error.message}`);
    return otherwise.answer();
  }
}
