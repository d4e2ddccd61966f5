import { ApiError } from '../../cluster/errors.ts';
import type { KubeObject, Pod } from '../../contracts/kubernetes.ts';
import { type Target, targetOf } from './api-target.ts';
import { copyOf, frozen, merged, patched } from './json-values.ts';
import { isSelected, selectorOf } from './selectors.ts';
import { randomUuid } from './uuid.ts';

/** A request as it arrives. */
export interface ApiRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly patchType?: string;
}

/** One change of an object, as a watch tells it to those who select the object before or after it. */
export interface Change {
  readonly plural: string;
  readonly resourceVersion: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly before?: KubeObject;
  readonly after?: KubeObject;
}

type Fields = Record<string, unknown>;

/**
 * What an API server of Kubernetes keeps, and how it answers, as far as signalbox asks: names and uids, resource versions,
 * selectors, merge patches, graceful deletion of pods, finalizers, and the garbage collector's owners. Held against the
 * real server by test/simulation/models.scenario.test.ts.
 */
export class ModelApiServer {
  resourceVersion = 100;
  readonly changes: Change[] = [];
  /** The oldest resource version from which a watch can start. */
  compactedTo = 0;
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #uuid: () => string;
  /** What the garbage collector found last, at which resource version. */
  #looked?: { readonly at: number; readonly hasGarbage: boolean };
  /** Called after each change. */
  onChange: (change: Change) => void = () => undefined;

  constructor(random: () => number) {
    this.#uuid = () => randomUuid(random);
  }

  /** All objects of a kind. */
  all<T extends KubeObject = KubeObject>(plural: string): readonly T[] {
    return [...this.#of(plural).values()] as T[];
  }

  find<T extends KubeObject = KubeObject>(plural: string, namespace: string | undefined, name: string) {
    return this.#of(plural).get(keyOf(namespace, name)) as T | undefined;
  }

  /** Answers a request, or throws an ApiError. */
  answer({ method, path, body, patchType }: ApiRequest): unknown {
    const target = targetOf(path);
    const refuse = refusing(`${method} ${path}`);
    if (target.plural === '') return { resources: SERVED };
    if (method === 'GET') return target.name === undefined ? this.#list(target) : this.#get(target, refuse);
    if (method === 'POST') return this.#create(target, body as KubeObject, refuse);
    if (method === 'PATCH') return this.#patch(target, { body, patchType }, refuse);
    if (method === 'PUT') return this.#patch(target, { body, patchType: 'replace' }, refuse);
    if (method === 'DELETE') return this.#delete(target, (body ?? {}) as DeleteBody, refuse);
    throw refuse(405, 'MethodNotAllowed', method);
  }

  /** What a cluster's own processes and people write: `fields` replace those of the object. */
  write<T extends KubeObject>(plural: string, object: T, fields: Partial<T>): T {
    return this.#put(plural, { ...object, ...fields });
  }

  add<T extends KubeObject>(plural: string, object: T): T {
    return this.#put(plural, this.#made(plural, object));
  }

  /** Takes an object away that nothing holds any more. What it owns is garbage. */
  remove(plural: string, object: KubeObject): void {
    const { namespace, name } = object.metadata;
    if (!this.#of(plural).delete(keyOf(namespace, name))) return;
    const resourceVersion = ++this.resourceVersion;
    this.#notify({ plural, resourceVersion, at: Date.now(), before: stamped(object, resourceVersion) });
    this.#collectOwnedBy(object.metadata.uid);
  }

  #get({ plural, namespace, name }: Target, refuse: Refuse): KubeObject {
    const found = this.find(plural, namespace, name!);
    if (!found) throw refuse(404, 'NotFound', `${plural} "${name}" not found`);
    return found;
  }

  #list({ plural, namespace, query }: Target) {
    const selector = selectorOf(query);
    const items = this.all(plural).filter((object) => isSelected(object, selector, namespace));
    const limit = Number(query.get('limit') ?? items.length);
    const from = Number(query.get('continue') ?? 0);
    const isMore = from + limit < items.length;
    const metadata = {
      resourceVersion: String(this.resourceVersion),
      ...(isMore && limit > 0 ? { continue: String(from + limit) } : {}),
    };
    return { metadata, items: limit > 0 ? items.slice(from, from + limit) : items };
  }

  #create({ plural, query }: Target, object: KubeObject, refuse: Refuse): KubeObject {
    const { namespace, name } = object.metadata;
    if (this.find(plural, namespace, name))
      throw refuse(409, 'AlreadyExists', `${plural} "${name}" already exists`);
    const made = this.#made(plural, object);
    return query.has('dryRun') ? made : this.#put(plural, made);
  }

  #made<T extends KubeObject>(plural: string, object: T): T {
    const metadata = { ...object.metadata, uid: this.#uuid(), creationTimestamp: new Date().toISOString() };
    const status = plural === 'pods' ? newStatusOf(object as KubeObject as Pod) : object.status;
    return { ...copyOf(object), metadata, ...(status ? { status } : {}) };
  }

  #patch(
    { plural, namespace, name }: Target,
    { body, patchType }: { readonly body: unknown; readonly patchType?: string },
    refuse: Refuse,
  ): KubeObject {
    const found = this.#get({ plural, namespace, name, query: new URLSearchParams() }, refuse);
    if (Array.isArray(body)) {
      const next = patched(found, body) as KubeObject | undefined;
      if (!next)
        throw refuse(422, 'Invalid', 'the server rejected our request due to an error in our request');
      return JSON.stringify(next) === JSON.stringify(found) ? found : this.#put(plural, next);
    }
    const patch = body as Partial<KubeObject>;
    const { uid, resourceVersion } = patch.metadata ?? {};
    if (uid !== undefined && uid !== found.metadata.uid)
      throw refuse(422, 'Invalid', `metadata.uid: Invalid value: "${uid}": field is immutable`);
    if (resourceVersion !== undefined && resourceVersion !== found.metadata.resourceVersion)
      throw refuse(409, 'Conflict', 'the object has been modified');
    if (patchType !== undefined && !patchType.includes('merge'))
      throw refuse(415, 'UnsupportedMediaType', patchType);
    const next = merged(found, patch) as KubeObject;
    if (JSON.stringify(next) === JSON.stringify(found)) return found;
    const written = this.#put(plural, next);
    if (!isHeld(written)) this.remove(plural, written);
    return written;
  }

  #delete({ plural, namespace, name, query }: Target, body: DeleteBody, refuse: Refuse): unknown {
    if (name === undefined) {
      const selector = selectorOf(query);
      const chosen = this.all(plural).filter((object) => isSelected(object, selector, namespace));
      for (const object of chosen) this.#deleteOne(plural, object, body);
      return { metadata: { resourceVersion: String(this.resourceVersion) } };
    }
    const found = this.#get({ plural, namespace, name, query }, refuse);
    const uid = body.preconditions?.uid;
    if (uid !== undefined && uid !== found.metadata.uid)
      throw refuse(409, 'Conflict', `the uid of ${plural} "${name}" is another one`);
    return this.#deleteOne(plural, found, body);
  }

  #deleteOne(plural: string, object: KubeObject, body: DeleteBody): KubeObject {
    const graceSeconds = graceOf(plural, object, body.gracePeriodSeconds);
    const finalizers = new Set(object.metadata.finalizers);
    if (body.propagationPolicy === 'Foreground') finalizers.add(FOREGROUND);
    if (graceSeconds === 0 && finalizers.size === 0) {
      this.remove(plural, object);
      return object;
    }
    const known = object.metadata.deletionGracePeriodSeconds;
    if (object.metadata.deletionTimestamp !== undefined && (known ?? 0) <= graceSeconds) return object;
    const written = this.#put(plural, {
      ...object,
      metadata: {
        ...object.metadata,
        ...(finalizers.size > 0 ? { finalizers: [...finalizers] } : {}),
        deletionTimestamp: new Date(Date.now() + graceSeconds * 1_000).toISOString(),
        deletionGracePeriodSeconds: graceSeconds,
      },
    });
    if (finalizers.has(FOREGROUND)) this.#collectForeground(plural, written);
    return written;
  }

  /** Deletes what an object owns that waits for it, and the object once nothing of it is left. */
  #collectForeground(plural: string, owner: KubeObject): void {
    this.#collectOwnedBy(owner.metadata.uid);
    this.#endForeground(plural, owner);
  }

  #endForeground(plural: string, owner: KubeObject): void {
    if (this.#ownedBy(owner.metadata.uid).length > 0) return;
    const finalizers = (owner.metadata.finalizers ?? []).filter((name) => name !== FOREGROUND);
    if (finalizers.length === 0) this.remove(plural, owner);
    else this.#put(plural, { ...owner, metadata: { ...owner.metadata, finalizers } });
  }

  #collectOwnedBy(uid: string | undefined): void {
    for (const [plural, object] of this.#ownedBy(uid)) this.#deleteOne(plural, object, {});
  }

  /** Whether the garbage collector has something to do. */
  get hasGarbage(): boolean {
    if (this.#looked?.at !== this.resourceVersion)
      this.#looked = { at: this.resourceVersion, hasGarbage: this.#garbage().length > 0 };
    return this.#looked.hasGarbage;
  }

  collectGarbage(): void {
    for (const { plural, object, isOwner } of this.#garbage()) {
      if (isOwner) this.#endForeground(plural, object);
      else this.#deleteOne(plural, object, {});
    }
  }

  /** Owners that wait for what they own, and objects whose owners are gone. */
  #garbage() {
    const all = [...this.#objects].flatMap(([plural, objects]) =>
      [...objects.values()].map((object) => ({ plural, object })),
    );
    const uids = new Set(all.map(({ object }) => object.metadata.uid));
    return all.flatMap(({ plural, object }) => {
      const { finalizers, ownerReferences = [], deletionTimestamp } = object.metadata;
      if (finalizers?.includes(FOREGROUND) && this.#ownedBy(object.metadata.uid).length === 0)
        return [{ plural, object, isOwner: true }];
      const isLeft = ownerReferences.length > 0 && !ownerReferences.some(({ uid }) => uids.has(uid));
      return isLeft && !deletionTimestamp ? [{ plural, object, isOwner: false }] : [];
    });
  }

  #ownedBy(uid: string | undefined): (readonly [string, KubeObject])[] {
    return [...this.#objects].flatMap(([plural, objects]) =>
      [...objects.values()]
        .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid))
        .map((object) => [plural, object] as const),
    );
  }

  #put<T extends KubeObject>(plural: string, object: T): T {
    const { namespace, name } = object.metadata;
    const key = keyOf(namespace, name);
    const before = this.#of(plural).get(key);
    const resourceVersion = ++this.resourceVersion;
    const after = frozen(stamped(object, resourceVersion));
    this.#of(plural).set(key, after);
    this.#notify({ plural, resourceVersion, at: Date.now(), before, after });
    return after;
  }

  #notify(change: Change): void {
    this.changes.push(change);
    this.onChange(change);
  }

  #of(plural: string): Map<string, KubeObject> {
    const known = this.#objects.get(plural) ?? new Map<string, KubeObject>();
    this.#objects.set(plural, known);
    return known;
  }
}

interface DeleteBody {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string };
}

const FOREGROUND = 'foregroundDeletion';

const newStatusOf = ({ spec }: Pod) => ({
  phase: 'Pending',
  ...((spec.schedulingGates ?? []).length > 0
    ? { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] }
    : {}),
});

/** Kinds that a fresh cluster serves, of those that signalbox asks for. */
const SERVED: readonly unknown[] = [];

/** What has no node, or has ended, goes at once. */
function graceOf(plural: string, object: KubeObject, asked: number | undefined): number {
  if (plural !== 'pods') return 0;
  const { spec, status } = object as { spec?: Fields; status?: Fields };
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  if (!spec?.nodeName || hasEnded) return 0;
  return asked ?? Number(spec.terminationGracePeriodSeconds ?? 30);
}

const isHeld = ({ metadata }: KubeObject) =>
  metadata.deletionTimestamp === undefined ||
  (metadata.deletionGracePeriodSeconds ?? 0) > 0 ||
  (metadata.finalizers ?? []).length > 0;

const keyOf = (namespace: string | undefined, name: string) => `${namespace ?? ''}/${name}`;

const stamped = <T extends KubeObject>(object: T, resourceVersion: number): T => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: String(resourceVersion) },
});

type Refuse = (status: number, reason: string, message: string) => ApiError;

export const refusing =
  (request: string): Refuse =>
  (status, reason, message) =>
    new ApiError(request, { status, reason, message });
