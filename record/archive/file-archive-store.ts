import { randomBytes } from 'node:crypto';
import { access, constants, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unlessMissing } from '../../evidence/file-errors.ts';
import { errorCode } from '../../language/error-code.ts';
import { type ArchiveStore, checkedKey } from './archive-store.ts';
import { underLock } from './lock-file.ts';

/** Files that are not whole yet; on the same file system as the others. No key begins with a dot. */
const DRAFTS = '.drafts';
/** A draft of that age belongs to a process that has ended. */
const STALE_MS = 86_400_000;
/** What file systems without hard links answer. */
const NO_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV']);

type Link = (draft: string, path: string) => Promise<void>;

/** Keeps an archive in a directory. Only its owner can read the files, as they contain logs of programs. */
export class FileArchiveStore implements ArchiveStore {
  readonly location: string;
  readonly #link: Link;

  /** `hardLink` is for tests: it stands for that of a file system without hard links. */
  constructor(directory: string, { hardLink = link }: { readonly hardLink?: Link } = {}) {
    this.location = resolve(directory);
    this.#link = hardLink;
  }

  async examine(): Promise<void> {
    await this.#makeDirectory(join(this.location, DRAFTS));
    await access(this.location, constants.W_OK | constants.X_OK);
    await this.#removeStaleDrafts();
    const draft = await this.#draft(Buffer.from('Can this directory be written to?\n'));
    await rm(draft, { force: true });
  }

  async create(key: string, bytes: Uint8Array): Promise<boolean> {
    const path = this.#pathOf(key);
    const draft = await this.#draft(bytes);
    try {
      await this.#makeDirectory(dirname(path));
      const isCreated = await this.#place(draft, path);
      if (isCreated) await syncDirectory(dirname(path));
      return isCreated;
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  async replace(key: string, bytes: Uint8Array): Promise<void> {
    const path = this.#pathOf(key);
    const draft = await this.#draft(bytes);
    try {
      await this.#makeDirectory(dirname(path));
      await rename(draft, path);
      await syncDirectory(dirname(path));
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  read(key: string): Promise<Uint8Array | undefined> {
    return unlessMissing(readFile(this.#pathOf(key)));
  }

  async *list(prefix: string): AsyncGenerator<string> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    yield* this.#walk(folder, prefix);
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  refOf(key: string): string {
    return pathToFileURL(this.#pathOf(key)).href;
  }

  close(): void {}

  #pathOf(key: string): string {
    return join(this.location, ...checkedKey(key).split('/'));
  }

  /** A link to a whole file is there or not, and fails if there is another: of many writers one wins. */
  async #place(draft: string, path: string): Promise<boolean> {
    try {
      await this.#link(draft, path);
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      if (!NO_LINKS.has(errorCode(error) ?? '')) throw error;
    }
    return underLock(join(this.location, DRAFTS), path, async () => {
      if (await unlessMissing(stat(path))) return false;
      await rename(draft, path);
      return true;
    });
  }

  /** Writes a file with another name, down to the disk. */
  async #draft(bytes: Uint8Array): Promise<string> {
    const path = join(this.location, DRAFTS, `${process.pid}-${randomBytes(8).toString('hex')}.part`);
    await this.#makeDirectory(dirname(path));
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } catch (error) {
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    } finally {
      await file.close();
    }
    return path;
  }

  /** Makes a directory and those above it; after a power failure they are there, too. */
  async #makeDirectory(path: string): Promise<void> {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    for (let made = path; made.length >= first.length; made = dirname(made))
      await syncDirectory(dirname(made));
  }

  async *#walk(folder: string, prefix: string): AsyncGenerator<string> {
    const entries = await unlessMissing(readdir(join(this.location, folder), { withFileTypes: true }));
    const names = (entries ?? [])
      .filter(({ name }) => !name.startsWith('.'))
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .filter((key) => key.startsWith(prefix) || prefix.startsWith(key))
      .sort();
    for (const key of names) {
      if (key.endsWith('/')) yield* this.#walk(key, prefix);
      else yield key;
    }
  }

  async #removeStaleDrafts(): Promise<void> {
    const drafts = join(this.location, DRAFTS);
    for (const name of await readdir(drafts)) {
      const path = join(drafts, name);
      const found = await unlessMissing(stat(path));
      if (found && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { force: true });
    }
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } catch (error) {
    // Some file systems cannot do it, and need not.
    if (!['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    await directory.close();
  }
}
