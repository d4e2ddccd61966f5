import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ClusterClient } from '../../cluster/client.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { isSelected, selectorOf } from '../simulation/selectors.ts';

/** In which way a watcher goes blind for one kind of objects. */
export const WAYS = ['forbidden', 'dead connection', '410 storm', 'slow list'] as const;

export type WayToGoBlind = (typeof WAYS)[number];

interface Change {
  readonly plural: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

interface Watch {
  readonly plural: string;
  readonly response: ServerResponse;
  readonly selects: (object: KubeObject) => boolean;
  isDead: boolean;
}

interface Asked {
  readonly plural: string;
  readonly query: URLSearchParams;
  readonly response: ServerResponse;
}

/** Lists and watches as an API server does, with faults in single kinds of objects. */
export class FaultyCluster {
  readonly client: ClusterClient;
  /** Lists by kind, those of the reflectors too. */
  readonly lists: Record<string, number> = {};
  /** Requests that were refused or are held up, by kind. */
  readonly spoiled: Record<string, number> = {};
  mostListsAtOnce = 0;
  readonly #server: Server;
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #changes: Change[] = [];
  readonly #watches = new Set<Watch>();
  readonly #faults = new Map<string, WayToGoBlind>();
  #listsNow = 0;
  #resourceVersion = 0;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => void this.#answer(request, response));
    this.client = new ClusterClient({
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      namespace: 'default',
      tls: async () => ({}),
      headers: async () => ({}),
    });
  }

  static async open(): Promise<FaultyCluster> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultyCluster(server);
  }

  async close(): Promise<void> {
    await this.client.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get resourceVersion(): number {
    return this.#resourceVersion;
  }

  apply(plural: string, object: KubeObject): void {
    const objects = this.#of(plural);
    const key = `${object.metadata.namespace}/${object.metadata.name}`;
    const type = objects.has(key) ? 'MODIFIED' : 'ADDED';
    this.#change({ plural, type, object: this.#stamped(object) });
  }

  delete(plural: string, object: KubeObject): void {
    this.#change({ plural, type: 'DELETED', object: this.#stamped(object) });
  }

  /** Open watches of the kind end, except in a dead connection, where nothing happens any more. */
  blind(plural: string, way: WayToGoBlind): void {
    this.#faults.set(plural, way);
    this.spoiled[plural] = 0;
    for (const watch of this.#watchesOf(plural)) {
      watch.isDead = true;
      if (way !== 'dead connection') watch.response.destroy();
    }
  }

  heal(plural: string): void {
    this.#faults.delete(plural);
  }

  #of(plural: string): Map<string, KubeObject> {
    const known = this.#objects.get(plural) ?? new Map<string, KubeObject>();
    this.#objects.set(plural, known);
    return known;
  }

  #stamped = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion: String(++this.#resourceVersion) },
  });

  #change(change: Change): void {
    const { plural, type, object } = change;
    const key = `${object.metadata.namespace}/${object.metadata.name}`;
    if (type === 'DELETED') this.#of(plural).delete(key);
    else this.#of(plural).set(key, object);
    this.#changes.push(change);
    for (const watch of this.#watchesOf(plural)) tell(watch, change);
  }

  #watchesOf = (plural: string) => [...this.#watches].filter((watch) => watch.plural === plural);

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://any');
    // The watcher may list and watch, but get nothing by its name.
    const [, namespace, plural] =
      /^\/(?:api|apis\/[^/]+)\/[^/]+\/(?:namespaces\/([^/]+)\/)?([^/]+)$/.exec(pathname) ?? [];
    if (!plural) return refuse(response, 404, 'NotFound');
    const fault = this.#faults.get(plural);
    const asked = { plural, query, response };
    if (fault === 'forbidden') return this.#spoil(plural, () => refuse(response, 403, 'Forbidden'));
    if (fault === 'slow list') await this.#holdUp(plural);
    if (!query.has('watch')) return this.#list(namespace, asked);
    if (fault === '410 storm') return this.#spoil(plural, () => refuse(response, 410, 'Expired'));
    this.#watch(asked);
  }

  #spoil(plural: string, how: () => void): void {
    this.spoiled[plural] = (this.spoiled[plural] ?? 0) + 1;
    how();
  }

  async #holdUp(plural: string): Promise<void> {
    this.#spoil(plural, () => undefined);
    while (this.#faults.get(plural) === 'slow list') await delay(5);
  }

  async #list(namespace: string | undefined, { plural, query, response }: Asked): Promise<void> {
    this.lists[plural] = (this.lists[plural] ?? 0) + 1;
    this.mostListsAtOnce = Math.max(this.mostListsAtOnce, ++this.#listsNow);
    const selects = selectedBy(query);
    const items = [...this.#of(plural).values()].filter(
      (object) => selects(object) && (!namespace || object.metadata.namespace === namespace),
    );
    const metadata = { resourceVersion: String(this.#resourceVersion) };
    await delay(2);
    this.#listsNow--;
    response.end(JSON.stringify({ metadata, items }));
  }

  #watch({ plural, query, response }: Asked): void {
    const watch = { plural, response, selects: selectedBy(query), isDead: false };
    response.writeHead(200).flushHeaders();
    const from = Number(query.get('resourceVersion'));
    for (const change of this.#changes) {
      if (change.plural === plural && Number(change.object.metadata.resourceVersion) > from)
        tell(watch, change);
    }
    this.#watches.add(watch);
    response.on('close', () => this.#watches.delete(watch));
  }
}

function tell({ response, selects, isDead }: Watch, { type, object }: Change): void {
  if (!isDead && selects(object)) response.write(`${JSON.stringify({ type, object })}\n`);
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status).end(JSON.stringify({ reason, message: `${reason} by the test` }));
}

function selectedBy(query: URLSearchParams): (object: KubeObject) => boolean {
  const selector = selectorOf(query);
  return (object) => isSelected(object, selector);
}
