import { Command } from 'commander';
import type { ArchiveSettings } from '../../contracts/settings.ts';
import { archiveOptions } from '../input/job-options.ts';
import { readText } from '../input/read-file.ts';
import { type Format, note, outputOption, print } from '../print/output.ts';
import { settingsOf } from '../session/session.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';

interface KeyFlags {
  readonly new?: boolean;
  readonly output: Format;
}

const HELP = `Prints the verifier keys of a private key: those who verify the archive need only these. Without FILE, it
reads the key that workers use. The name of the key is that of the archive (SIGNALBOX_ARCHIVE_NAME). --new never
overwrites a file. If a file has several keys, workers sign with each (docs/archive.md).`;

/** `signalbox audit key`: makes a key, or prints what others verify with. */
export const keyCommand = (): Command =>
  withExamples(
    archiveOptions(new Command('key')),
    ['audit key', 'audit key > archive.pub', 'audit key --new archive.key', 'audit key archive.key'],
    HELP,
  )
    .description('create a key that signs the archive, or print its verifier key')
    .argument('[file]', 'a file with the private key')
    .option('--new', 'create a private key in this file, readable by its owner only')
    .addOption(outputOption())
    .action(async (file: string | undefined, flags: KeyFlags, command: Command) => {
      const { archive } = await settingsOf(command);
      if (flags.new) await make(file);
      const { pem, location } = await privateKey(archive, file);
      const { signerOf } = await import('../../record/log/signer.ts');
      const { keys } = signerOf(pem, { origin: archive.name, location });
      const texts = keys.map(({ verifier }) => verifier.text);
      await print({ name: archive.name, location, keys: texts }, flags.output, () => texts.join('\n'));
    });

async function make(file: string | undefined): Promise<void> {
  if (file === undefined) throw new UsageError('--new: expected the file to make, got none');
  const { makeArchiveKey } = await import('../../record/archive/archive-key.ts');
  if (await makeArchiveKey(file)) {
    note(
      `${file} has a new private key. A user who has it can sign another log: keep it away from the archive.`,
    );
    return;
  }
  throw new UsageError(`${file}: expected no file, as a key is never overwritten, found one`, {
    remedy: 'Name another file; without --new its verifier key is printed.',
  });
}

async function privateKey(archive: ArchiveSettings, file: string | undefined) {
  if (file !== undefined) return { pem: await readText(file), location: file };
  const { findArchiveKey } = await import('../../record/archive/archive-key.ts');
  const found = await findArchiveKey(archive);
  if (found) return found;
  throw new UsageError('there is no private key here', {
    remedy: 'Name its file, or set SIGNALBOX_ARCHIVE_KEY; `signalbox audit key --new FILE` makes one.',
  });
}
