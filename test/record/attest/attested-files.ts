import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PodsRecord } from '../../../contracts/types.ts';
import { writeArchive } from '../../../record/archive/archive-writer.ts';
import { FileArchiveStore } from '../../../record/archive/file-archive-store.ts';
import { commandLine } from '../../cli/in-process.ts';
import { someContents } from '../archive/some-job.ts';
import { A_JOB, KEY_PAIRS } from './a-job.ts';

/** A folder with an archive of `A_JOB` and with keys, and the command line in it. */
export interface AttestedFiles {
  /** Path of a file in the folder. */
  path(name: string): string;
  attest(...args: readonly string[]): ReturnType<typeof commandLine>;
}

export async function attestedFiles(directory: string): Promise<AttestedFiles> {
  const path = (name: string) => join(directory, name);
  const contents = await someContents({ manifest: A_JOB.manifest, firstRunId: A_JOB.firstRunId });
  const record: PodsRecord = {
    ...{ schema: 'signalbox.dev/pods/v1', anchorUid: 'anchor', attempt: 1, takenAt: '2026-11-21T15:06:00Z' },
    job: { kind: 'PyTorchJob', namespace: 'ml', name: 'train' },
    pods: A_JOB.pods,
  };
  const store = new FileArchiveStore(path('archive'));
  await writeArchive(store, { ...contents, entries: A_JOB.entries, pods: [record] });
  for (const [type, { privateKey, publicKey }] of Object.entries(KEY_PAIRS)) {
    await writeFile(path(`${type}.key`), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await writeFile(path(`${type}.pub`), publicKey.export({ type: 'spki', format: 'pem' }));
  }
  const env = { SIGNALBOX_ARCHIVE_DIR: path('archive') };
  return { path, attest: (...args) => commandLine(['attest', ...args], { env }) };
}
