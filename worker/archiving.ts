import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { ARCHIVER, archiverIdOf } from '../contracts/archiver.ts';
import type { ArchiveSettings } from '../contracts/settings.ts';
import { pause } from '../language/timers.ts';
import { type ArchiveKey, archiveKey } from '../record/archive/archive-key.ts';
import { openArchiveStore } from '../record/archive/open-archive-store.ts';
import { WatchedStore } from '../record/archive/watched-store.ts';
import { type LogSigner, signerOf } from '../record/log/signer.ts';
import { cachedOnce } from './cached-once.ts';

/** The archive that a worker writes. */
export interface WorkerArchive {
  readonly store: WatchedStore;
  /** Returns who signs the log; throws until the store was seen to work. */
  readonly ready: () => Promise<LogSigner>;
}

/**
 * Returns undefined if nothing is archived. Throws if a key is configured that cannot sign. Does not wait for the store:
 * jobs run without it.
 */
export async function openWorkerArchive(settings: ArchiveSettings): Promise<WorkerArchive | undefined> {
  if (!settings.store) return undefined;
  const { name: origin } = settings;
  const isMadeHere = settings.store.store === 'files' && settings.key === undefined;
  const configured = isMadeHere ? undefined : signerOf(...keyOfSigner(await archiveKey(settings), origin));
  const store = new WatchedStore(openArchiveStore(settings.store));
  const ready = cachedOnce(async () => {
    await store.examine();
    return configured ?? signerOf(...keyOfSigner(await archiveKey(settings), origin));
  });
  return { store, ready };
}

const keyOfSigner = ({ pem, location }: ArchiveKey, origin: string) => [pem, { origin, location }] as const;

/** A user may have terminated it. */
const LOOK_MS = 300_000;
const RETRY_MS = 10_000;

/** Starts the archiver of the installation, if it does not run, and again whenever it does not. */
export async function keepArchiverRunning(
  temporal: Client,
  { installation, taskQueue }: { readonly installation: string; readonly taskQueue: string },
  { log, stop }: { readonly log: Logger; readonly stop: AbortSignal },
): Promise<void> {
  while (!stop.aborted) {
    try {
      await temporal.workflow.start(ARCHIVER, {
        taskQueue,
        workflowId: archiverIdOf(installation),
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: 'Archives jobs as they end',
      });
      await pause(LOOK_MS, stop);
    } catch (error) {
      if (!stop.aborted) log.warn({ err: error }, 'the archiver could not be started; trying again');
      await pause(RETRY_MS, stop);
    }
  }
}
