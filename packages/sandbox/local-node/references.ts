import { once } from 'node:events';
import type { FindValues } from './environment.ts';
import type { Stored, StoredKind, StoredObjects } from './stored-objects.ts';

/** Returns undefined if the object does not exist in the pod's namespace. */
export type FindStored = (kind: StoredKind, name: string) => Promise<Stored | undefined>;

/** The ConfigMaps and Secrets that one pod refers to. Each is watched from its first read on. */
export class References {
  readonly #namespace: string;
  readonly #objects: StoredObjects;
  readonly #signal: AbortSignal;
  readonly #changes = new EventTarget();
  #revision = 0;

  /** `over` ends all watches and pending reads. */
  constructor(namespace: string, objects: StoredObjects, signal: AbortSignal) {
    this.#namespace = namespace;
    this.#objects = objects;
    this.#signal = signal;
  }

  readonly find: FindStored = (kind, name) => {
    const followed = this.#objects.follow(
      { kind, namespace: this.#namespace, name },
      this.changed,
      this.#signal,
    );
    return followed.read();
  };

  readonly findValues: FindValues = async (kind, name) => {
    const stored = await this.find(kind, name);
    return stored && (kind === 'secret' ? decoded(stored.data) : (stored.data ?? {}));
  };

  /** Increases with each change: a read that began at an older revision is out of date. */
  get revision(): number {
    return this.#revision;
  }

  readonly changed = (): void => {
    this.#revision++;
    this.#changes.dispatchEvent(new Event('change'));
  };

  /** Resolves when something has changed since that revision, or when the signal aborts. */
  async changedSince(revision: number, signal: AbortSignal): Promise<void> {
    if (this.#revision !== revision || signal.aborted) return;
    await once(this.#changes, 'change', { signal }).catch(() => undefined);
  }
}

function decoded(data: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}
