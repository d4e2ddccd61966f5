import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import type { VerifierKey } from '../../record/log/verifier-key.ts';
import type { StoreFinding } from '../../record/verify/verification.ts';
import type { KeptCheckpoint } from '../../record/verify/verify-roots.ts';
import type { StoreToVerify, VerifiedStore } from '../../record/verify/verify-store.ts';
import { archiveOptions } from '../input/job-options.ts';
import { bar } from '../print/bar.ts';
import { type Format, note, outputOption, print } from '../print/output.ts';
import { createProgress } from '../print/progress.ts';
import { settingsOf } from '../session/session.ts';
import { withStoreToRead } from '../session/store-to-read.ts';
import { completedBy } from '../shell/completed-by.ts';
import { UsageError } from '../shell/errors.ts';
import { EXIT_CODES, exitWith } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';
import { jobFolders } from './job-folders.ts';
import type { KeyChoice } from './verifier-keys.ts';
import { verifyFolders, verifyProof } from './verify-one.ts';

interface VerifyFlags {
  readonly publicKey?: string;
  readonly checkpoint?: string;
  readonly job?: string;
  readonly proof?: string;
  readonly output: Format;
}

const HELP = `Reads every file of the archive and compares it with the signed log. Needs no private key and no server. The last
checkpoint that was verified is remembered: a log that does not continue it was replaced or rolled back.
Exit code: ${EXIT_CODES.ok.code} without findings, ${EXIT_CODES.tampered.code} with some.`;

/** `signalbox audit verify`: is the archive as it was written? */
export const verifyCommand = (): Command =>
  withExamples(
    archiveOptions(new Command('verify')),
    [
      'audit verify',
      'audit verify --archive-dir /mnt/archive --public-key archive.pub',
      'audit verify --checkpoint checkpoint-of-january',
      'audit verify --job ml/train',
      'audit verify --proof train.tlog-proof --public-key archive.pub',
    ],
    HELP,
  )
    .description('find every change of the archive since it was written')
    .option('--public-key <key|file>', 'verifier keys, or a file with some (SIGNALBOX_ARCHIVE_PUBLIC_KEY)')
    .option('--checkpoint <file>', 'an earlier checkpoint, which the log must continue')
    .addOption(
      completedBy('jobs', new Option('--job <name>', 'only the archives of this job; reads no others')),
    )
    .addOption(
      new Option('--proof <file>', 'a proof by `signalbox audit prove`, instead of the archive').conflicts(
        'job',
      ),
    )
    .addOption(outputOption())
    .action(async (flags: VerifyFlags, command: Command) => {
      const settings = await settingsOf(command);
      const { archive } = settings;
      const { verifierKeys } = await import('./verifier-keys.ts');
      const choice = await verifierKeys(archive, flags.publicKey);
      if (flags.proof !== undefined) return verifyProof(flags.proof, { ...choice, output: flags.output });
      await withStoreToRead(archive, async (store) => {
        if (flags.job === undefined) return verifyAll(store, choice, flags);
        const folders = await jobFolders(store, { given: flags.job, command, settings });
        await verifyFolders(store, folders, { ...choice, output: flags.output });
      });
    });

async function verifyAll(
  store: ArchiveStore,
  choice: KeyChoice,
  { checkpoint, output }: VerifyFlags,
): Promise<void> {
  const { keys } = choice;
  const kept = await keptCheckpoints(keys, checkpoint);
  const findings: StoreFinding[] = [];
  const verified = await withProgress({ store, keys, kept, find: (finding) => findings.push(finding) });
  await remember(verified, { findings, keys });
  await printVerified(verified, { findings, choice, output, location: store.location });
}

async function keptCheckpoints(keys: readonly VerifierKey[], file?: string): Promise<KeptCheckpoint[]> {
  const { rememberedCheckpoints } = await import('./remembered-checkpoints.ts');
  const remembered = await rememberedCheckpoints(keys);
  if (file === undefined) return remembered;
  const { keptCheckpoint } = await import('../../record/verify/kept-checkpoint.ts');
  const bytes = await readFile(file).catch((cause: Error) => {
    throw new UsageError(`--checkpoint: expected a file with a checkpoint, got ${file}: ${cause.message}`, {
      cause,
    });
  });
  return [...remembered, keptCheckpoint(bytes, { location: file, keys })];
}

async function withProgress(asked: StoreToVerify): Promise<VerifiedStore> {
  const { verifyStore } = await import('../../record/verify/verify-store.ts');
  const progress = createProgress(process.stderr);
  try {
    return await verifyStore({
      ...asked,
      progress: (step, done, of) => {
        progress.step(step);
        if (done !== undefined && of !== undefined) progress.detail(bar(done, of));
      },
    });
  } finally {
    progress.end();
  }
}

/** Not after a contradiction: then the one that was remembered is what proves it. */
async function remember(
  { newest }: VerifiedStore,
  { findings, keys }: { readonly findings: readonly StoreFinding[]; readonly keys: readonly VerifierKey[] },
): Promise<void> {
  if (!newest || findings.some(({ kind }) => kind === 'contradiction')) return;
  const { rememberCheckpoint } = await import('./remembered-checkpoints.ts');
  await rememberCheckpoint(newest.bytes, keys).catch((error: Error) =>
    note(`warning: this checkpoint is not remembered for the next time: ${error.message}`),
  );
}

interface Report {
  readonly findings: StoreFinding[];
  readonly choice: KeyChoice;
  readonly output: Format;
  readonly location: string;
}

async function printVerified(
  verified: VerifiedStore,
  { findings, choice, output, location }: Report,
): Promise<void> {
  findings.sort((one, other) => (one.key < other.key ? -1 : 1));
  const keys = choice.keys.map(({ text }) => text);
  const newest = verified.newest && {
    number: verified.newest.number,
    ...{ size: verified.newest.size, root: verified.newest.root.toString('base64') },
  };
  await print({ location, keys, ...verified, newest, findings }, output, async () => {
    const { copyText, deletedText, storeFindingText, verifiedText } = await import(
      '../print/store-findings-text.ts'
    );
    return [
      ...verified.deleted.map(deletedText),
      ...findings.map(storeFindingText),
      verifiedText(verified, findings.length),
      ...copyText(findings),
    ].join('\n');
  });
  if (!output) note(`Verified ${location} with the key ${keys.join(' and ')} (${choice.location}).`);
  if (findings.length > 0) exitWith('tampered');
}
