import type { Command } from 'commander';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { NotArchivedError } from '../errors.ts';
import { chosenJob } from '../job-choice.ts';
import type { Settings } from '../settings/settings.ts';

/** Returns the folders of the archives of the job that a command line names; at least one. */
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
  if (folders.length > 0) return folders;
  throw new NotArchivedError(`${store.place} has no archive of ${given}`, {
    remedy: '`signalbox audit verify` without a job tells which were deleted or removed.',
  });
}
