import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { constants, copyFile, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ArchiveSettings } from '../../contracts/settings.ts';
import { unlessMissing } from '../../evidence/file-errors.ts';
import { errorCode } from '../../language/error-code.ts';
import { errorMessage } from '../../language/error-message.ts';
import { ArchiveError } from './archive-errors.ts';

/** The private key that signs an archive's log. */
export interface ArchiveKey {
  readonly pem: string;
  /** Where it is, for messages. */
  readonly location: string;
}

/** The default path of the key of an archive in a directory: outside of it, so that a copy does not contain the key. */
const keyFileOf = (directory: string): string => `${resolve(directory)}.key`;

/** Returns the key; undefined if there is none yet. */
export async function findArchiveKey({ store, key }: ArchiveSettings): Promise<ArchiveKey | undefined> {
  if (key?.includes('-----BEGIN')) return { pem: key, location: 'SIGNALBOX_ARCHIVE_KEY' };
  if (key !== undefined) return { pem: await configuredFile(key), location: key };
  if (store?.store !== 'files') return undefined;
  const location = keyFileOf(store.directory);
  const pem = await unlessMissing(readFile(location, 'utf8'));
  return pem === undefined ? undefined : { pem, location };
}

/** Returns the key; makes one for an archive in a directory. Of several that do so at once, all use the same. */
export async function archiveKey(settings: ArchiveSettings): Promise<ArchiveKey> {
  const found = await findArchiveKey(settings);
  if (found) return found;
  if (settings.store?.store !== 'files') {
    throw new ArchiveError(
      'SIGNALBOX_ARCHIVE_KEY: expected a private key for the archive store s3, got none.',
      {
        remedy: '`signalbox audit key --new FILE` makes one; all workers need the same (docs/archive.md).',
      },
    );
  }
  await makeArchiveKey(keyFileOf(settings.store.directory));
  return archiveKey(settings);
}

async function configuredFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'there is no such file' : errorMessage(cause);
    throw new ArchiveError(`SIGNALBOX_ARCHIVE_KEY: expected a file with a private key at ${path}: ${why}.`, {
      cause,
      remedy: '`signalbox audit key --new FILE` makes one.',
    });
  }
}

/**
 * Creates a private key that only its owner can read, atomically. Returns false if the file exists, and keeps it.
 */
export async function makeArchiveKey(path: string): Promise<boolean> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const file = await open(draft, 'wx', 0o600);
    await file.writeFile(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await file.sync();
    await file.close();
    await link(draft, path).catch(async (error: unknown) => {
      // Not every file system has hard links.
      if (errorCode(error) === 'EEXIST') throw error;
      await copyFile(draft, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}
