import type { KubeObject } from '../contracts/kubernetes.ts';
import type { ClusterClient } from './client.ts';
import { isForbidden, isNotFound, withoutRequest } from './errors.ts';
import { type ListSource, listAll } from './list-all.ts';

/** Reads what an account may read of a cluster, and notes what not. */
export class Reading {
  readonly cluster: ClusterClient;
  readonly #unread = new Set<string>();

  constructor(cluster: ClusterClient) {
    this.cluster = cluster;
  }

  /** What could not be read, each in a sentence. */
  get unread(): readonly string[] {
    return [...this.#unread];
  }

  note(sentence: string): void {
    this.#unread.add(sentence);
  }

  /** Returns the objects of a list; none where it is forbidden. */
  async list<T extends KubeObject>(source: ListSource<T>, unknown: string): Promise<readonly T[]> {
    const listed = listAll(this.cluster, source).then(({ objects }): readonly T[] => objects);
    return this.orElse(listed, [], unknown);
  }

  /**
   * Returns `otherwise` where the cluster does not serve what is read, or forbids it: then it also notes what that leaves unknown.
   */
  async orElse<T>(reading: Promise<T>, otherwise: T, unknown: string): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      if (isNotFound(error)) return otherwise;
      if (!isForbidden(error)) throw error;
      this.note(`${unknown} (${withoutRequest(error)})`);
      return otherwise;
    }
  }
}
