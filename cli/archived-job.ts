import type { Archive } from '../record/archive/archive-reader.ts';
import type { JobArchive } from '../record/archive/job-archive.ts';
import { NoArchiveError, NotArchivedError } from './errors.ts';
import { type ChosenJob, isJobNotFound, isServerAway } from './job-choice.ts';
import { note } from './print/output.ts';
import type { Settings } from './settings/settings.ts';
import { openStoreToRead } from './store-to-read.ts';

/** Opens the archive that the settings name. */
export async function openedArchive({ archive }: Settings): Promise<Archive> {
  const [{ archiveIn }, store] = await Promise.all([
    import('../record/archive/archive-reader.ts'),
    openStoreToRead(archive),
  ]);
  return archiveIn(store);
}

/** Reads one job from the archive, and closes it. */
export async function withArchivedJob<T>(
  chosen: ChosenJob & { readonly runId?: string },
  settings: Settings,
  read: (job: JobArchive) => Promise<T>,
): Promise<T> {
  const archive = await openedArchive(settings);
  try {
    return await read(await archivedJob(archive, chosen, settings));
  } finally {
    archive.close();
  }
}

/**
 * Asks the servers; if Temporal does not know the job, or no longer, reads its archive instead, and says so. Without an
 * archive, or without the job in it, the first error stands. A server that is away may know more than the archive: then
 * the user decides.
 */
export async function orArchived<T>(
  ask: () => Promise<T>,
  {
    chosen,
    settings,
    read,
  }: {
    readonly chosen: ChosenJob & { readonly runId?: string };
    readonly settings: Settings;
    readonly read: (job: JobArchive) => Promise<T>;
  },
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!settings.archive.store) throw error;
    if (isServerAway(error)) note('With --archived, this command reads the archive, without any server.');
    if (!isJobNotFound(error)) throw error;
    return withArchivedJob(chosen, settings, async (job) => {
      note(`Temporal does not know ${job.job.workflowId}; this is from its archive, ${job.ref}.`);
      return read(job);
    }).catch((unread: unknown) => {
      throw unread instanceof NotArchivedError || unread instanceof NoArchiveError ? error : unread;
    });
  }
}

/** Returns the archive of the job that a command line names. */
export async function archivedJob(
  archive: Archive,
  chosen: ChosenJob & { readonly runId?: string },
  { namespace = 'default' }: Settings,
): Promise<JobArchive> {
  const job = await archive.find('workflowId' in chosen ? chosen : { namespace, ...definedOf(chosen) });
  if (job) return job;
  const name = 'workflowId' in chosen ? chosen.workflowId : chosen.given;
  throw new NotArchivedError(`${name} is not in the archive ${archive.store.place}.`, {
    remedy: 'See `signalbox list --archived`; `signalbox archive status` shows what is not archived yet.',
  });
}

function definedOf({
  name,
  namespace,
  runId,
}: Extract<ChosenJob, { name: string }> & { readonly runId?: string }) {
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(runId === undefined ? {} : { runId }),
  };
}
