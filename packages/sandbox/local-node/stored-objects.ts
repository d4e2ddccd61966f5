import {
  type ClusterClient,
  CONFIG_MAPS,
  isTransient,
  type KubeObject,
  type ReflectorHandlers,
  type Resource,
  reflect,
  SECRETS,
  whenAborted,
} from '../engine.ts';

interface StoredName {
  readonly kind: StoredKind;
  readonly namespace: string;
  readonly name: string;
}

const RESOURCES: Readonly<Record<StoredKind, Resource<KubeObject>>> = {
  configmap: CONFIG_MAPS as Resource<KubeObject>,
  secret: SECRETS,
};

/** Watches the ConfigMaps and Secrets that pods of this node use, each with one watch. */
export class StoredObjects {
  readonly #client: ClusterClient;
  readonly #watched = new Map<string, WatchedObject>();

  constructor(client: ClusterClient) {
    this.#client = client;
  }

  /**
   * Calls `listener` on every change until the signal aborts. Calling it again with the same listener has no effect.
   */
  follow(
    name: StoredName,
    listener: () => void,
    signal: AbortSignal,
  ): { read(): Promise<Stored | undefined> } {
    const key = `${name.kind}/${name.namespace}/${name.name}`;
    const known = this.#watched.get(key);
    const watched = known ?? new WatchedObject(this.#client, name);
    this.#watched.set(key, watched);
    if (!watched.has(listener)) {
      watched.add(listener);
      const leave = () => {
        if (watched.leave(listener) && this.#watched.get(key) === watched) this.#watched.delete(key);
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    }
    return { read: () => watched.read(signal) };
  }
}

/** One object, watched as long as it has listeners. */
class WatchedObject implements ReflectorHandlers<KubeObject> {
  readonly #listeners = new Set<() => void>();
  readonly #stop = new AbortController();
  /** Undefined until the first answer of the API server. */
  #state: { readonly object?: Stored; readonly refusal?: unknown } | undefined;
  #known: () => void = () => undefined;
  readonly #answered = new Promise<void>((resolve) => {
    this.#known = resolve;
  });

  constructor(client: ClusterClient, { kind, namespace, name }: StoredName) {
    const selection = { namespace, fieldSelector: `metadata.name=${name}` };
    void reflect(client, { resource: RESOURCES[kind], selection }, this, this.#stop.signal);
  }

  has(listener: () => void): boolean {
    return this.#listeners.has(listener);
  }

  add(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Returns whether it was the last listener. */
  leave(listener: () => void): boolean {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return false;
    this.#stop.abort();
    return true;
  }

  /** Returns the object. Waits while the server is unavailable; rejects when the reader's signal aborts. */
  async read(signal: AbortSignal): Promise<Stored | undefined> {
    if (!this.#state) await Promise.race([this.#answered, whenAborted(signal)]);
    signal.throwIfAborted();
    if (this.#state?.refusal) throw this.#state.refusal;
    return this.#state?.object;
  }

  replaced(objects: readonly KubeObject[]): void {
    this.#setState({ object: objects[0] as Stored | undefined });
  }

  changed(object: KubeObject): void {
    this.#setState({ object: object as Stored });
  }

  deleted(): void {
    this.#setState({});
  }

  /** An unavailable server only delays the read; a refusal, such as missing permissions, is reported. */
  interrupted(error: unknown): void {
    if (!isTransient(error) && !this.#state) this.#setState({ refusal: error });
  }

  #setState(state: { readonly object?: Stored; readonly refusal?: unknown }): void {
    const isFirst = !this.#state;
    this.#state = state;
    this.#known();
    // The first answer resolves pending reads. Only later ones are changes.
    if (!isFirst) for (const listener of this.#listeners) listener();
  }
}

export type StoredKind = 'configmap' | 'secret';

/** The part of a ConfigMap or Secret that pods read. */
export type Stored = KubeObject & {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
};
