import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';

export const CHECKSUMS = 'SHA256SUMS';

/** Beside them, once they are signed. */
export const CHECKSUMS_SIGNATURE = `${CHECKSUMS}.sigstore.json`;

/** Writes the checksums of all files below a folder into it, as `sha256sum --check` reads them. */
export async function writeChecksums(folder: string): Promise<void> {
  await writeFile(join(folder, CHECKSUMS), (await checksumsOf(folder)).map((line) => `${line}\n`).join(''));
}

/** Throws if a file below the folder is not one that its checksums name, or one that they name is missing. */
export async function checkChecksums(folder: string): Promise<void> {
  const named = (await readFile(join(folder, CHECKSUMS), 'utf8')).split('\n').filter(Boolean);
  const found = await checksumsOf(folder);
  const differing = [
    ...found.filter((line) => !named.includes(line)),
    ...named.filter((line) => !found.includes(line)),
  ];
  const files = new Set(differing.map((line) => line.split('  ')[1]));
  if (files.size > 0)
    throw new Error(
      `${join(folder, CHECKSUMS)}: expected the checksums of what is beside it, got others for ${[...files].join(', ')}`,
    );
}

async function checksumsOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((file) => file !== CHECKSUMS && file !== CHECKSUMS_SIGNATURE)
    .sort();
  const lines: string[] = [];
  for (const file of files) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, file)), hash);
    lines.push(`${hash.digest('hex')}  ${file}`);
  }
  return lines;
}
