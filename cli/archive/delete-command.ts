import { Argument, Command } from 'commander';
import { currentUser } from '../../client/servers/current-user.ts';
import type { ArchiveSettings } from '../../contracts/settings.ts';
import { countText } from '../../language/count-text.ts';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import type { LogSigner } from '../../record/log/signer.ts';
import { jobFolders } from '../audit/job-folders.ts';
import { archiveOptions } from '../input/job-options.ts';
import { momentOf } from '../input/parse.ts';
import { allNamespacesOption } from '../jobs/job-selection.ts';
import { type Format, note, outputOption, print } from '../print/output.ts';
import { settingsOf } from '../session/session.ts';
import { withStoreToRead } from '../session/store-to-read.ts';
import type { Settings } from '../settings/settings.ts';
import { completedBy } from '../shell/completed-by.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';

interface DeleteFlags {
  readonly before?: Date;
  readonly allNamespaces?: boolean;
  readonly why: string;
  readonly yes?: boolean;
  readonly output: Format;
}

const HELP = `Deletes all archives of a job, or those of all jobs that ended before a day (UTC). The log keeps the leaf of each, and
gets one that says who deleted it, when and why: \`signalbox audit verify\` shows that instead of a missing archive.
Prints what it would delete; --yes deletes it. Needs the private key of the archive, and no server. Temporal, the
evidence store and copies of the archive have their own data (docs/archive.md).`;

/** `signalbox archive delete`: deletes archives on purpose, and enters that in the signed log. */
export const archiveDeleteCommand = (): Command =>
  withExamples(
    archiveOptions(new Command('delete')),
    [
      "archive delete ml/train --why 'asked by its owner' --yes",
      "archive delete --before 365d -A --why 'kept for a year' --yes",
      'archive delete jobs/namespace=ml/day=2026-11-23/train-5f0c --why mistaken',
    ],
    HELP,
  )
    .description('delete archives for good; the log keeps who did it and why')
    .addArgument(
      completedBy(
        'jobs',
        new Argument('[name...]', 'NAME, NAMESPACE/NAME, a workflow id or a folder in the archive'),
      ),
    )
    .option(
      '--before <time>',
      'jobs that ended on an earlier day: RFC 3339, a day, or a duration ago',
      momentOf,
    )
    .addOption(allNamespacesOption())
    .requiredOption('--why <text>', 'the reason; it stays in the log for ever')
    .option('-y, --yes', 'delete; without it, only print what would be deleted')
    .addOption(outputOption())
    .action(async (names: readonly string[], flags: DeleteFlags, command: Command) => {
      const settings = await settingsOf(command);
      if (names.length > 0 === (flags.before !== undefined))
        throw new UsageError('Pass either NAME... or --before.');
      if (flags.why.trim() === '') throw new UsageError('--why: expected a reason, got an empty text');
      const signer = await signerIn(settings.archive);
      await withStoreToRead(settings.archive, async (store) => {
        const folders = await foldersIn(store, { names, flags, command, settings });
        await deleteFolders(store, signer, { folders, flags });
      });
    });

async function signerIn(archive: ArchiveSettings): Promise<LogSigner> {
  const [{ findArchiveKey }, { signerOf }] = await Promise.all([
    import('../../record/archive/archive-key.ts'),
    import('../../record/log/signer.ts'),
  ]);
  const key = await findArchiveKey(archive);
  if (key) return signerOf(key.pem, { origin: archive.name, location: key.location });
  throw new UsageError('a deletion is signed: expected the private key of the archive, found none', {
    remedy: 'Set SIGNALBOX_ARCHIVE_KEY to the key that workers sign with.',
  });
}

interface Chosen {
  readonly names: readonly string[];
  readonly flags: DeleteFlags;
  readonly command: Command;
  readonly settings: Settings;
}

async function foldersIn(
  store: ArchiveStore,
  { names, flags: { before, allNamespaces }, command, settings }: Chosen,
): Promise<readonly string[]> {
  if (before) {
    const { foldersBefore } = await import('../../record/deletion/folders-before.ts');
    return foldersBefore(store, before, allNamespaces ? undefined : (settings.namespace ?? 'default'));
  }
  const folders = new Set<string>();
  for (const given of names) {
    const found = given.startsWith('jobs/') ? [given] : await jobFolders(store, { given, command, settings });
    for (const folder of found) folders.add(folder);
  }
  return [...folders];
}

async function deleteFolders(
  store: ArchiveStore,
  signer: LogSigner,
  {
    folders,
    flags: { why, yes, output },
  }: { readonly folders: readonly string[]; readonly flags: DeleteFlags },
): Promise<void> {
  const by = currentUser();
  if (yes) {
    const { deleteArchives } = await import('../../record/deletion/delete-archives.ts');
    await deleteArchives(store, signer, { folders, by, why, at: new Date().toISOString() });
  }
  await print({ location: store.location, deleted: yes === true, by, why, folders }, output, () =>
    [...folders, `${yes ? 'deleted' : 'to delete'}: ${countText(folders.length, 'archive')}`].join('\n'),
  );
  if (!yes && folders.length > 0) note('Nothing was deleted; --yes deletes them for good.');
}
