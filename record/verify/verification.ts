import type { ArchiveStore } from '../archive/archive-store.ts';
import type { VerifierKey } from '../log/verifier-key.ts';

/**
 * One thing that is not as the log says.
 *
 * @public
 */
export interface StoreFinding {
  readonly kind: FindingKind;
  /** The file in the store. */
  readonly key: string;
  readonly expected: string;
  readonly found: string;
  /** The archive that it is about, if it is about one. */
  readonly folder?: string;
}

/**
 * `changed`: other bytes than were written. `missing`: a file is gone. `unlogged`: a file that no leaf of the log covers.
 * `signature`: a checkpoint is not signed by the given keys. `contradiction`: checkpoints do not belong to one log, which is
 * what a replaced, a rolled back or a forked log looks like.
 *
 * @public
 */
export type FindingKind = 'changed' | 'missing' | 'unlogged' | 'signature' | 'contradiction';

/** What all parts of a verification share. */
export interface Verification {
  readonly store: ArchiveStore;
  readonly keys: readonly VerifierKey[];
  readonly listing: StoreListing;
  readonly find: (finding: StoreFinding) => void;
}

/** Files that are read at a time. */
export const READS_AT_ONCE = 24;

/** The files of a store, as they were when the verification began. */
export class StoreListing {
  readonly #keys: ReadonlySet<string>;
  /** Names of files by the folder of their archive. */
  readonly folders: ReadonlyMap<string, readonly string[]>;

  constructor(keys: Iterable<string>) {
    this.#keys = new Set(keys);
    const folders = new Map<string, string[]>();
    for (const key of this.under('jobs/')) {
      const [, folder, name] = ARCHIVED_FILE.exec(key) ?? [];
      if (folder === undefined || name === undefined) continue;
      const names = folders.get(folder);
      if (names) names.push(name);
      else folders.set(folder, [name]);
    }
    this.folders = folders;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  under(prefix: string): string[] {
    return [...this.#keys].filter((key) => key.startsWith(prefix));
  }

  static async of(store: ArchiveStore): Promise<StoreListing> {
    const keys: string[] = [];
    for await (const key of store.list('')) keys.push(key);
    return new StoreListing(keys);
  }
}

const ARCHIVED_FILE = /^(jobs\/[^/]+\/[^/]+\/[^/]+)\/([^/]+)$/;
