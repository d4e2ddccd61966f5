import type { Command } from 'commander';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { archivedJob } from '../archived/archived-job.ts';
import { type ChosenJob, chosenJob } from '../jobs/job-choice.ts';
import type { Settings } from '../settings/settings.ts';
import { NotArchivedError } from '../shell/errors.ts';

/** Returns the folders of the archives of the jobs that a command line names; at least one. With @RUN, that one. */
export async function jobFolders(
  store: ArchiveStore,
  {
    given,
    command,
    settings,
  }: { readonly given: string; readonly command: Command; readonly settings: Settings },
): Promise<string[]> {
  const chosen = chosenJob(given, command);
  const { foldersOfJob } = await import('../../record/verify/folders-of-job.ts');
  const wanted =
    'workflowId' in chosen
      ? chosen
      : { namespace: chosen.namespace ?? settings.namespace ?? 'default', name: chosen.name };
  const found = await foldersOfJob(store, wanted);
  const folders = found.length === 0 ? await foldersOfJob(store, { workflowId: given }) : found;
  if (folders.length > 0)
    return chosen.run === undefined ? folders : [await folderOfJob(store, folders, chosen, settings)];
  throw new NotArchivedError(`${store.location} has no archive of ${given}`, {
    remedy: '`signalbox audit verify` without a job lists those that were deleted or removed.',
  });
}

/** A folder ends with the first run: an archive that is damaged is found by it, too. */
async function folderOfJob(
  store: ArchiveStore,
  folders: readonly string[],
  chosen: ChosenJob,
  settings: Settings,
): Promise<string> {
  const meant = folders.filter((folder) => folder.slice(-RUN_ID_LENGTH).startsWith(chosen.run!));
  if (meant.length === 1) return meant[0]!;
  const { archiveIn } = await import('../../record/archive/archive-reader.ts');
  return (await archivedJob(archiveIn(store), chosen, settings)).folder;
}

const RUN_ID_LENGTH = '5f0c1a2b-0000-4000-8000-000000000001'.length;
