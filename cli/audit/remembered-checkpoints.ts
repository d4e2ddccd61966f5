import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifiedDirectory } from '../../evidence/default-directories.ts';
import type { VerifierKey } from '../../record/log/verifier-key.ts';
import { keptCheckpoint } from '../../record/verify/kept-checkpoint.ts';
import type { KeptCheckpoint } from '../../record/verify/verify-roots.ts';

/** Returns the last checkpoint that this user verified with each of the keys. */
export async function rememberedCheckpoints(keys: readonly VerifierKey[]): Promise<KeptCheckpoint[]> {
  const found = await Promise.all(keys.map((key) => remembered(key, keys)));
  return found.filter((checkpoint) => checkpoint !== undefined);
}

/** Remembers the newest checkpoint of a log that was found to be in order. */
export async function rememberCheckpoint(bytes: Uint8Array, keys: readonly VerifierKey[]): Promise<void> {
  await mkdir(verifiedDirectory(process.env), { recursive: true, mode: 0o700 });
  for (const key of keys) {
    const draft = `${fileOf(key)}.${randomBytes(4).toString('hex')}.part`;
    await writeFile(draft, bytes, { mode: 0o600, flush: true });
    await rename(draft, fileOf(key));
  }
}

async function remembered(
  key: VerifierKey,
  keys: readonly VerifierKey[],
): Promise<KeptCheckpoint | undefined> {
  const location = fileOf(key);
  const bytes = await readFile(location).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    return undefined;
  });
  return bytes && keptCheckpoint(bytes, { location, keys });
}

/** By key, not by name: every sandbox has a log of the same name. */
const fileOf = ({ name, id }: VerifierKey): string =>
  join(verifiedDirectory(process.env), `${encodeURIComponent(name)}+${id}`);
