import { readFile } from 'node:fs/promises';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { type AnyLeaf, isDeletion } from '../../record/archive/log-leaf.ts';
import type { VerifierKey } from '../../record/log/verifier-key.ts';
import type { StoreFinding } from '../../record/verify/verification.ts';
import { type Format, print } from '../print/output.ts';
import { UsageError } from '../shell/errors.ts';
import { exitWith } from '../shell/exit-codes.ts';

/** Verifies the archives of one job against the newest checkpoint, and prints what it found. */
export async function verifyFolders(
  store: ArchiveStore,
  folders: readonly string[],
  { keys, output }: { readonly keys: readonly VerifierKey[]; readonly output: Format },
): Promise<void> {
  const { verifyJob } = await import('../../record/verify/verify-job.ts');
  const findings: StoreFinding[] = [];
  let files = 0;
  for (const folder of folders) {
    files += (await verifyJob(store, folder, { keys, find: (finding) => findings.push(finding) })).files;
  }
  await print({ location: store.location, folders, files, findings }, output, async () => {
    const { findingsText, storeFindingText } = await import('../print/store-findings-text.ts');
    const sum = `${files} files: ${findingsText(findings.length)}`;
    return [...findings.map(storeFindingText), ...folders, sum].join('\n');
  });
  if (findings.length > 0) exitWith('tampered');
}

/** Verifies a proof without any store, and prints what it proves. */
export async function verifyProof(
  file: string,
  { keys, output }: { readonly keys: readonly VerifierKey[]; readonly output: Format },
): Promise<void> {
  const bytes = await readFile(file).catch((cause: Error) => {
    throw new UsageError(`--proof: expected a file with a proof, got ${file}: ${cause.message}`, { cause });
  });
  try {
    const { verifyLeafProof } = await import('../../record/verify/prove-leaf.ts');
    const { leaf, index, log, signedBy } = verifyLeafProof(bytes, keys);
    const by = signedBy.map(({ text }) => text);
    const data = {
      proven: true,
      leaf,
      index,
      log: { ...log, root: log.root.toString('base64') },
      signedBy: by,
    };
    await print(data, output, () =>
      [
        `${leaf.workflowId} (first run ${leaf.firstRunId}) is leaf ${index} of the log ${log.origin}, signed by ${by.join(' and ')}.`,
        ...contentOf(leaf),
      ].join('\n'),
    );
  } catch (error) {
    const { NoteError, UnknownSignerError } = await import('../../record/log/signed-note.ts');
    if (!(error instanceof NoteError || error instanceof UnknownSignerError)) throw error;
    await print(
      { proven: false, why: error.message },
      output,
      () => `${file} proves nothing: ${error.message}`,
    );
    exitWith('tampered');
  }
}

const contentOf = (leaf: AnyLeaf): string[] =>
  isDeletion(leaf)
    ? [`deleted by ${leaf.by} at ${leaf.at}: ${leaf.why}`]
    : [
        `job.json: SHA-256 ${leaf.job}`,
        `ledger: ${leaf.ledger.entries} entries, the last one with SHA-256 ${leaf.ledger.hash}`,
      ];
