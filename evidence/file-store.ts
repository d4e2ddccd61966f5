import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { unlessMissing } from './file-errors.ts';
import { keyAtEndOf } from './record-key.ts';
import type { EvidenceStore } from './store.ts';

/** Stores records as files that only their owner can read, because they contain logs of programs. */
export class FileStore implements EvidenceStore {
  readonly location: string;

  constructor(directory: string) {
    this.location = resolve(directory);
  }

  async examine(): Promise<void> {
    await mkdir(this.location, { recursive: true, mode: 0o700 });
    await access(this.location, constants.W_OK | constants.X_OK);
  }

  async write(key: string, record: string): Promise<string> {
    const path = this.#pathOf(key);
    const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.part`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await writeFile(draft, record, { mode: 0o600, flush: true });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
    return this.refOf(key);
  }

  find(key: string): Promise<string | undefined> {
    return unlessMissing(readFile(this.#pathOf(key), 'utf8'));
  }

  async list(folder: string): Promise<string[]> {
    const path = join(this.location, folder);
    const found = await unlessMissing(readdir(path, { recursive: true }));
    const names = (found ?? []).map((name) => name.replaceAll('\\', '/'));
    return names.filter((name) => name.endsWith('.json')).map((name) => `${folder}/${name}`);
  }

  refOf(key: string): string {
    return pathToFileURL(this.#pathOf(key)).href;
  }

  /** Ignores the directory in the ref, which may have another path on this machine. */
  keyOf(ref: string): string | undefined {
    return ref.startsWith('file:') ? keyAtEndOf(fileURLToPath(ref).replaceAll('\\', '/')) : undefined;
  }

  close(): void {}

  #pathOf(key: string): string {
    return join(this.location, ...keyAtEndOf(key).split('/'));
  }
}
