import { anchorNameOf } from '../contracts/labels.ts';
import { type AnchoredJob, isAnchorOf } from './anchored-job.ts';
import type { ResourceFacts } from './resource-facts.ts';

/** The custom resources and anchors that exist, and which belong together. */
export class ResourceStore {
  readonly #resources = new Map<string, ResourceFacts>();
  /** uids of resources by namespace and name: several kinds can share one. */
  readonly #named = new Map<string, Set<string>>();
  /** By namespace and name: any user can name the owner of one that he writes elsewhere. */
  readonly #anchors = new Map<string, AnchoredJob>();

  get size(): number {
    return this.#resources.size;
  }

  uids(): readonly string[] {
    return [...this.#resources.keys()];
  }

  resource(uid: string): ResourceFacts | undefined {
    return this.#resources.get(uid);
  }

  anchorOf(resource: ResourceFacts): AnchoredJob | undefined {
    const { namespace, name } = resource;
    const anchor = this.#anchors.get(nameKey({ namespace, name: anchorNameOf(name) }));
    return anchor && isAnchorOf(anchor, resource) ? anchor : undefined;
  }

  /** Whether a job of the name has its anchor, whatever it was made from. */
  isAnchored({ namespace, name }: { readonly namespace: string; readonly name: string }): boolean {
    return this.#anchors.has(nameKey({ namespace, name: anchorNameOf(name) }));
  }

  /** Returns the uids of all resources that have the name. */
  named(job: { readonly namespace: string; readonly name: string }): readonly string[] {
    return [...(this.#named.get(nameKey(job)) ?? [])];
  }

  /** Replaces all resources of which a list has found these. Returns the uids of those that exist. */
  replaceListed(isListed: (resource: ResourceFacts) => boolean, present: readonly ResourceFacts[]): string[] {
    const there = new Set(present.map(({ uid }) => uid));
    for (const resource of [...this.#resources.values()]) {
      if (isListed(resource) && !there.has(resource.uid)) this.remove(resource.uid);
    }
    for (const resource of present) this.put(resource);
    return [...there];
  }

  put(resource: ResourceFacts): void {
    this.#resources.set(resource.uid, resource);
    const key = nameKey(resource);
    const named = this.#named.get(key) ?? new Set();
    this.#named.set(key, named.add(resource.uid));
  }

  remove(uid: string): void {
    const resource = this.#resources.get(uid);
    if (!resource) return;
    this.#resources.delete(uid);
    const key = nameKey(resource);
    const named = this.#named.get(key);
    named?.delete(uid);
    if (named?.size === 0) this.#named.delete(key);
  }

  /** Replaces those of the namespace; without it, all. */
  replaceAnchors(present: readonly AnchoredJob[], namespace: string | undefined): void {
    for (const [key, anchor] of this.#anchors) {
      if (namespace === undefined || anchor.namespace === namespace) this.#anchors.delete(key);
    }
    for (const anchor of present) this.putAnchor(anchor);
  }

  putAnchor(anchor: AnchoredJob): void {
    // Of a job that was submitted, only that it is there.
    this.#anchors.set(anchorKey(anchor), anchor.owner ? anchor : { ...anchor, status: {} });
  }

  removeAnchor(anchor: AnchoredJob): void {
    const key = anchorKey(anchor);
    if (this.#anchors.get(key)?.uid === anchor.uid) this.#anchors.delete(key);
  }
}

const anchorKey = ({ namespace, anchorName: name }: AnchoredJob) => nameKey({ namespace, name });

const nameKey = ({ namespace, name }: { readonly namespace: string; readonly name: string }) =>
  `${namespace}/${name}`;
