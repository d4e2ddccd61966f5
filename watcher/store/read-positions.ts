import type { Digest } from '../../contracts/digest.ts';
import type { GangProvider } from '../../contracts/training-job.ts';

/** Up to where the streams of pods and groups were read. Each has the objects of one namespace, or of all. */
export class ReadPositions {
  readonly #pods: ResourceVersions = new Map();
  readonly #groups = new Map<GangProvider, ResourceVersions>();

  notePods(namespace: string | undefined, resourceVersion: number): void {
    this.#pods.set(namespace, resourceVersion);
  }

  noteGroups(provider: GangProvider, namespace: string | undefined, resourceVersion: number): void {
    const known: ResourceVersions = this.#groups.get(provider) ?? new Map();
    this.#groups.set(provider, known.set(namespace, resourceVersion));
  }

  forgetGroups(provider: GangProvider, namespace: string | undefined): void {
    this.#groups.get(provider)?.delete(namespace);
  }

  /** Of the pods in this namespace; 0 if nothing was read. */
  podsIn(namespace: string): number {
    return versionIn(this.#pods, namespace) ?? 0;
  }

  /** Of the groups in this namespace; without those schedulers whose groups were not read. */
  groupsIn(namespace: string): Digest['resourceVersions']['groups'] {
    const read = [...this.#groups].map(
      ([provider, known]) => [provider, versionIn(known, namespace)] as const,
    );
    return Object.fromEntries(read.filter(([, resourceVersion]) => resourceVersion !== undefined));
  }
}

/** By namespace; undefined: of the stream of all. */
type ResourceVersions = Map<string | undefined, number>;

const versionIn = (known: ResourceVersions, namespace: string) =>
  known.get(namespace) ?? known.get(undefined);
