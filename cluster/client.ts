import { type KubeList, type KubeObject, PODS, type Resource } from '../contracts/kubernetes.ts';
import { ApiError, isNotFound } from './errors.ts';
import type { ClusterAccess } from './kubeconfig.ts';
import { ServedVersions } from './served-versions.ts';
import { type Requests, Transport, type TransportOptions } from './transport.ts';
import type { DeleteOptions } from './wire.ts';
import { deleteBody, linesOf, pathOf, queryOf } from './wire.ts';

export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListOptions extends Selection {
  /** Called with the server's warnings, such as that it will not serve this version any more. */
  readonly warned?: (warnings: readonly string[]) => void;
  /** Requests the objects' metadata only. */
  readonly metadataOnly?: boolean;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
}

interface WatchEvent<T extends KubeObject = KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

interface WatchOptions extends Selection {
  readonly metadataOnly?: boolean;
  readonly resourceVersion: string;
  readonly signal?: AbortSignal;
  /** The server ends the watch after this many seconds. */
  readonly timeoutSeconds?: number;
  /** Called when the server has accepted the watch. */
  readonly opened?: () => void;
}

export interface LogOptions {
  readonly container?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly tailLines?: number;
  /** Counted from the first line: a longer log loses its last lines. */
  readonly limitBytes?: number;
  readonly sinceSeconds?: number;
  /** RFC 3339; the API server uses whole seconds. */
  readonly sinceTime?: string;
  readonly timestamps?: boolean;
  readonly signal?: AbortSignal;
}

interface CreateOptions {
  readonly dryRun?: boolean;
  readonly subresource?: 'eviction' | 'token';
  /** Called with the server's warnings, e.g. of unknown fields, also if it refuses. */
  readonly warned?: (warnings: readonly string[]) => void;
}

interface ServedKind {
  /** The plural name. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Accept headers that request only metadata; they work for custom resources, too. */
const METADATA = {
  object: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  list: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  watch: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
} as const;

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** API servers send a bookmark once a minute, so a watch without data for this long is a dead connection. */
const WATCH_SILENCE_MS = 90_000;

interface GetOptions extends Pick<ListOptions, 'metadataOnly'> {
  readonly subresource?: 'pendingworkloads';
}

/**
 * A client of the Kubernetes API over kept-alive connections. It keeps unknown fields of objects, because a pod
 * template may use fields that no client library knows yet. @kubernetes/client-node opens a connection for each request
 * (three times slower for 500 pods) and drops unknown fields, so it only supplies the credentials here.
 */
export class ClusterClient {
  readonly namespace: string;
  readonly server: string;
  readonly #transport: Requests;
  readonly #versions = new ServedVersions((resource) => this.#servesExactly(resource));

  /** `transport`: sends the requests in place of connections to the server. */
  constructor(
    access: ClusterAccess,
    options: TransportOptions = {},
    transport: Requests = new Transport(access, options),
  ) {
    this.#transport = transport;
    this.namespace = access.namespace;
    this.server = access.server;
  }

  /** Returns a client for the cluster of a kubeconfig file, or of the environment as kubectl reads it. */
  static async connect(
    options: TransportOptions & { kubeconfig?: string; context?: string } = {},
  ): Promise<ClusterClient> {
    // Loaded here: a process that has its credentials needs none of client-node, which takes longer to load than all else.
    const { clusterAccess } = await import('./kubeconfig.ts');
    const access = await clusterAccess({ path: options.kubeconfig, context: options.context });
    return new ClusterClient(access, options);
  }

  async get<T extends KubeObject>(
    resource: Resource<T>,
    namespace: string | undefined,
    name: string,
    { metadataOnly, subresource }: GetOptions = {},
  ): Promise<T> {
    const headers: Record<string, string> = metadataOnly ? { accept: METADATA.object } : {};
    const path = pathOf(await this.#in(resource), namespace, name, ...(subresource ? [subresource] : []));
    return this.#transport.json('GET', path, undefined, headers);
  }

  /** Returns the object, or undefined if none has that name. */
  async find<T extends KubeObject>(
    resource: Resource<T>,
    namespace: string | undefined,
    name: string,
    options: GetOptions = {},
  ): Promise<T | undefined> {
    try {
      return await this.get(resource, namespace, name, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<KubeList<T>> {
    const { namespace, metadataOnly, warned, ...query } = options;
    const path = pathOf(await this.#in(resource), namespace) + queryOf(query);
    const headers: Record<string, string> = metadataOnly ? { accept: METADATA.list } : {};
    return this.#transport.json('GET', path, undefined, headers, warned);
  }

  async create<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options: CreateOptions = {},
  ): Promise<T> {
    const { dryRun, subresource, warned } = options;
    const { namespace, name } = object.metadata;
    const served = await this.#in(resource);
    const path = pathOf(served, namespace, ...(subresource ? [name, subresource] : []));
    // The default of servers, named: strict, they would refuse before they find what else is wrong.
    const query = queryOf({ dryRun: dryRun ? 'All' : undefined, fieldValidation: warned && 'Warn' });
    return this.#transport.json('POST', path + query, inVersionOf(served, object), {}, warned);
  }

  async replace<T extends KubeObject>(resource: Resource<T>, object: T): Promise<T> {
    const { namespace, name } = object.metadata;
    const served = await this.#in(resource);
    return this.#transport.json('PUT', pathOf(served, namespace, name), inVersionOf(served, object));
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    target: { namespace?: string; name: string; subresource?: 'status'; fieldManager?: string },
    patch: unknown,
    type: keyof typeof PATCH_TYPES = 'merge',
  ): Promise<T> {
    const { namespace, name, subresource, fieldManager } = target;
    const path = pathOf(await this.#in(resource), namespace, name, ...(subresource ? [subresource] : []));
    return this.#transport.json('PATCH', path + queryOf({ fieldManager }), patch, {
      'content-type': PATCH_TYPES[type],
    });
  }

  async delete(resource: Resource, namespace: string | undefined, name: string, options: DeleteOptions = {}) {
    const path = pathOf(await this.#in(resource), namespace, name);
    return this.#transport.json<KubeObject>('DELETE', path, deleteBody(options));
  }

  /** Deletes all objects of a selection with one request. */
  async deleteCollection(resource: Resource, selection: Selection, options: DeleteOptions = {}) {
    const { namespace, ...query } = selection;
    const path = pathOf(await this.#in(resource), namespace) + queryOf(query);
    return this.#transport.json<unknown>('DELETE', path, deleteBody(options));
  }

  /** Returns the version of the API server. */
  version(): Promise<{ readonly gitVersion: string }> {
    return this.#transport.json('GET', '/version');
  }

  /** Whether the cluster serves a kind in one of its versions. */
  async serves(resource: Resource): Promise<boolean> {
    return this.#servesExactly(await this.#in(resource));
  }

  /** Most kinds have one version, and none of their requests waits for this. */
  #in<T extends KubeObject>(resource: Resource<T>): Resource<T> | Promise<Resource<T>> {
    return resource.orIn ? this.#versions.find(resource) : resource;
  }

  async #servesExactly({ apiVersion, plural }: Resource): Promise<boolean> {
    return (await this.#served(apiVersion)).some(({ name }) => name === plural);
  }

  /** Returns how the cluster addresses objects of a kind; undefined if it does not serve the kind. */
  async resourceOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>) {
    // Subresources have the kind of their parent and a slash in their name.
    const found = (await this.#served(apiVersion)).find(
      (one) => one.kind === kind && !one.name.includes('/'),
    );
    return found && ({ apiVersion, kind, plural: found.name, namespaced: found.namespaced } as Resource);
  }

  async #served(apiVersion: string): Promise<readonly ServedKind[]> {
    try {
      const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
      return (await this.#transport.json<{ resources: readonly ServedKind[] }>('GET', path)).resources;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return [];
      throw error;
    }
  }

  /**
   * Yields changes after a resource version. Returns when the server ends the watch; throws if the connection breaks.
   */
  async *watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions,
  ): AsyncGenerator<WatchEvent<T>> {
    const { namespace, signal, metadataOnly, opened, ...query } = options;
    const served = await this.#in(resource);
    const path = pathOf(served, namespace) + queryOf({ ...query, watch: true, allowWatchBookmarks: true });
    const headers = metadataOnly ? { accept: METADATA.watch } : {};
    const how = { signal, bodyTimeout: WATCH_SILENCE_MS, headers };
    const chunks = await this.#transport.stream(path, how);
    opened?.();
    for await (const line of linesOf(chunks)) {
      const event = JSON.parse(line) as {
        type: string;
        object: T & { code: number; reason: string; message: string };
      };
      if (event.type === 'ERROR')
        throw new ApiError(`GET ${path}`, { ...event.object, status: event.object.code });
      yield event as WatchEvent<T>;
    }
  }

  /** Returns a container's log as chunks of bytes; with `follow` until the container ends. */
  async log(namespace: string, pod: string, options: LogOptions = {}): Promise<AsyncIterable<Buffer>> {
    const { signal, ...query } = options;
    return this.#transport.stream(pathOf(PODS, namespace, pod, 'log') + queryOf(query), {
      signal,
      bodyTimeout: 0,
    });
  }

  /** The time of the API server, in epoch milliseconds: what is compared with times of other machines is judged by it. */
  now(): number {
    return this.#transport.clock?.now() ?? Date.now();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}

const inVersionOf = <T extends KubeObject>({ orIn, apiVersion }: Resource, object: T): T =>
  orIn ? { ...object, apiVersion } : object;
