import type { ArchiveStore } from '../../../record/archive/archive-store.ts';

/** A store in memory. Every call yields first, so that others come between. */
export class MemoryStore implements ArchiveStore {
  readonly location = 'memory';
  readonly files: Map<string, Uint8Array>;
  /** Called before each call; throws to let the caller "crash" there. */
  readonly before: (call: string, key: string) => void | Promise<void>;

  constructor(
    files: Map<string, Uint8Array> = new Map(),
    before: (call: string, key: string) => void | Promise<void> = () => undefined,
  ) {
    this.files = files;
    this.before = before;
  }

  async examine(): Promise<void> {}

  async create(key: string, bytes: Uint8Array): Promise<boolean> {
    await this.before('create', key);
    if (this.files.has(key)) return false;
    this.files.set(key, Buffer.from(bytes));
    return true;
  }

  async replace(key: string, bytes: Uint8Array): Promise<void> {
    await this.before('replace', key);
    this.files.set(key, Buffer.from(bytes));
  }

  async read(key: string): Promise<Uint8Array | undefined> {
    await this.before('read', key);
    return this.files.get(key);
  }

  async *list(prefix: string): AsyncIterable<string> {
    await this.before('list', prefix);
    yield* [...this.files.keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  async remove(key: string): Promise<void> {
    await this.before('remove', key);
    this.files.delete(key);
  }

  refOf(key: string): string {
    return `memory:${key}`;
  }

  close(): void {}
}
