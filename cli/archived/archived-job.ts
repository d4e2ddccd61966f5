import type { JobNotFoundError, KnownJob } from '../../client/errors/errors.ts';
import type { Archive } from '../../record/archive/archive-reader.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import { type ChosenJob, givenNameOf } from '../jobs/job-choice.ts';
import { note } from '../print/output.ts';
import { openStoreToRead } from '../session/store-to-read.ts';
import type { Settings } from '../settings/settings.ts';
import { hasCode, NoArchiveError, NotArchivedError } from '../shell/errors.ts';

/** Opens the archive that the settings name. */
export async function openedArchive({ archive }: Settings): Promise<Archive> {
  const [{ archiveIn }, store] = await Promise.all([
    import('../../record/archive/archive-reader.ts'),
    openStoreToRead(archive),
  ]);
  return archiveIn(store);
}

/** A job to read, and the jobs of its name that Temporal has, where it does not have this one. */
type JobToRead = ChosenJob & { readonly live?: readonly KnownJob[] };

/** Reads the archive that the settings name, and closes it. */
export async function withArchive<T>(settings: Settings, read: (archive: Archive) => Promise<T>): Promise<T> {
  const archive = await openedArchive(settings);
  try {
    return await read(archive);
  } finally {
    archive.close();
  }
}

/** Reads one job from the archive, and closes that. */
export const withArchivedJob = <T>(
  chosen: JobToRead,
  settings: Settings,
  read: (job: JobArchive) => Promise<T>,
): Promise<T> => withArchive(settings, async (archive) => read(await archivedJob(archive, chosen, settings)));

/**
 * Asks the servers; if Temporal does not know the job, or no longer, reads its archive instead, and says so. Without an
 * archive, or without the job in it, the first error stands. An unavailable server may know more than the archive: then
 * the user decides.
 */
export async function orArchived<T>(
  ask: () => Promise<T>,
  {
    chosen,
    settings,
    read,
  }: {
    readonly chosen: ChosenJob;
    readonly settings: Settings;
    readonly read: (job: JobArchive) => Promise<T>;
  },
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!settings.archive.store) throw error;
    if (hasCode(error, 'ServerAway'))
      note('With --archived, this command reads the archive, without any server.');
    if (!hasCode<JobNotFoundError>(error, 'JobNotFound')) throw error;
    return withArchivedJob({ ...chosen, live: error.known }, settings, async (job) => {
      const what =
        chosen.run === undefined ? job.job.workflowId : `run ${job.job.firstRunId} of ${job.job.workflowId}`;
      note(`Temporal does not know ${what}; this is from its archive, ${job.ref}.`);
      return read(job);
    }).catch((unread: unknown) => {
      throw unread instanceof NotArchivedError || unread instanceof NoArchiveError ? error : unread;
    });
  }
}

/** Returns the archive of the job that a command line names. */
export async function archivedJob(
  archive: Archive,
  chosen: JobToRead,
  { namespace: ofSettings = 'default' }: Settings,
): Promise<JobArchive> {
  const { findArchived } = await import('../../client/use-cases/archive/find-archived.ts');
  const { run, live } = chosen;
  const named =
    'workflowId' in chosen
      ? { workflowId: chosen.workflowId }
      : { name: chosen.name, namespace: chosen.namespace ?? ofSettings };
  try {
    const { job, count } = await findArchived(archive, { ...named, run, live });
    if (run === undefined && count > 1)
      note(
        `${count} jobs of this name are archived; this is the one that ended last, run ${job.job.firstRunId}.`,
      );
    return job;
  } catch (error) {
    if (!hasCode<JobNotFoundError>(error, 'JobNotFound')) throw error;
    const remedy = error.known.length > 0 ? error.remedy : NOT_ARCHIVED;
    throw new NotArchivedError(`${givenNameOf(chosen)} is not in the archive ${archive.store.location}.`, {
      remedy,
    });
  }
}

const NOT_ARCHIVED =
  'See `signalbox list --archived`; `signalbox archive status` shows what is not archived yet.';
