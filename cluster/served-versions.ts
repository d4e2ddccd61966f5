import { LRUCache } from 'lru-cache';
import type { Resource } from '../contracts/kubernetes.ts';

/** A control plane that is upgraded serves other versions. */
const KNOWN_MS = 60_000;

/** In which of several versions a cluster serves a kind, as its discovery says. */
export class ServedVersions {
  readonly #serves: (resource: Resource) => Promise<boolean>;
  readonly #known = new LRUCache<string, string>({ max: 100, ttl: KNOWN_MS });

  /** `serves`: whether the cluster serves a kind in exactly this version. */
  constructor(serves: (resource: Resource) => Promise<boolean>) {
    this.#serves = serves;
  }

  /** Returns the resource in the first version that the cluster serves; as it is, if that is none. */
  async find<R extends Resource>(resource: R): Promise<R> {
    const { orIn = [], apiVersion, plural } = resource;
    if (orIn.length === 0) return resource;
    const key = `${apiVersion} ${plural}`;
    const known = this.#known.get(key);
    if (known) return { ...resource, apiVersion: known };
    for (const version of [...orIn, apiVersion]) {
      const one = { ...resource, apiVersion: version };
      if (!(await this.#serves(one))) continue;
      this.#known.set(key, version);
      return one;
    }
    return resource;
  }
}
