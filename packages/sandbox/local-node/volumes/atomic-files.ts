import { createHash } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface FileContent {
  readonly content: Buffer;
  readonly mode: number;
}

/** By relative path, e.g. `hostfile` or `keys/id_rsa`. */
export type Files = ReadonlyMap<string, FileContent>;

const DATA = '..data';
const DATA_NEXT = '..data_next';

/**
 * Replaces the content of a folder atomically, as a kubelet does: the files are in a separate folder that the link
 * `..data` points to, and the visible names are links through `..data`. A reader sees all old files or all new ones.
 */
export async function writeAtomically(dir: string, files: Files): Promise<void> {
  const version = `..${fingerprint(files)}.`;
  const before = await readlink(join(dir, DATA)).catch(() => undefined);
  const isSame = before?.startsWith(version) ?? false;
  if (!isSame) await putInPlace(dir, version, files);
  await showOnly(dir, new Set([...files.keys()].map((path) => path.split('/')[0] as string)));
  if (before && !isSame) await rm(join(dir, before), { recursive: true, force: true });
}

async function putInPlace(dir: string, version: string, files: Files): Promise<void> {
  await mkdir(dir, { recursive: true });
  const fresh = await mkdtemp(join(dir, version));
  await chmod(fresh, 0o755);
  for (const [path, file] of files) await writeOne(join(fresh, path), file);
  await rm(join(dir, DATA_NEXT), { force: true });
  await symlink(basename(fresh), join(dir, DATA_NEXT));
  await rename(join(dir, DATA_NEXT), join(dir, DATA));
}

/** Covers content and modes, so that unchanged files are not written again. */
function fingerprint(files: Files): string {
  const hash = createHash('sha256');
  for (const [path, { content, mode }] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${path}\0${mode}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

async function writeOne(path: string, { content, mode }: FileContent): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await writeFile(path, content);
  await chmod(path, mode); // regardless of the umask
}

async function showOnly(dir: string, names: ReadonlySet<string>): Promise<void> {
  const shown = (await readdir(dir)).filter((name) => !name.startsWith('..'));
  for (const name of shown)
    if (!names.has(name) && (await isLink(join(dir, name)))) await rm(join(dir, name));
  for (const name of names) if (!shown.includes(name)) await symlink(join(DATA, name), join(dir, name));
}

/** A folder beside the links is the mount point of another volume. */
async function isLink(path: string): Promise<boolean> {
  return (await lstat(path)).isSymbolicLink();
}
