import { once } from 'node:events';
import type { FindValues } from './environment.ts';
import type { Stored, StoredKind, StoredObjects } from './stored-objects.ts';

/** Undefined where there is none of that name in the pod's namespace. */
export type FindStored = (kind: StoredKind, name: string) => Promise<Stored | undefined>;

/** The ConfigMaps and Secrets that one pod refers to. From its first look at one on, the pod hears of its changes. */
export class References {
  readonly #namespace: string;
  readonly #objects: StoredObjects;
  readonly #over: AbortSignal;
  readonly #changes = new EventTarget();
  #revision = 0;

  /** `over` ends it: nothing is followed any more, and what is still being looked for is given up. */
  constructor(namespace: string, objects: StoredObjects, over: AbortSignal) {
    this.#namespace = namespace;
    this.#objects = objects;
    this.#over = over;
  }

  readonly find: FindStored = (kind, name) => {
    const followed = this.#objects.follow(
      { kind, namespace: this.#namespace, name },
      this.changed,
      this.#over,
    );
    return followed.read();
  };

  readonly findValues: FindValues = async (kind, name) => {
    const stored = await this.find(kind, name);
    return stored && (kind === 'secret' ? decoded(stored.data) : (stored.data ?? {}));
  };

  /** Grows with each change: a look that began at one is out of date when it is another. */
  get revision(): number {
    return this.#revision;
  }

  readonly changed = (): void => {
    this.#revision++;
    this.#changes.dispatchEvent(new Event('change'));
  };

  /** Resolves when something is not as it was at that revision any more, or when the signal aborts. */
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
