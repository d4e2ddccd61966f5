import { ClusterClient } from '../../cluster/client.ts';
import type { Requests } from '../../cluster/transport.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { ApiNetwork, type WayToGoBlind } from '../simulation/api-network.ts';
import { ModelApiServer } from '../simulation/api-server.ts';
import { targetOf } from '../simulation/api-target.ts';
import { diceOf } from '../simulation/dice.ts';
import { ModelLogs } from '../simulation/logs.ts';
import { ModelProcess } from '../simulation/process.ts';

const ACCESS = { server: 'model', namespace: 'default', tls: async () => ({}), headers: async () => ({}) };

/** The simulation's API server. What can arrive arrives at once, unless the watcher is blind for its kind of objects. */
export class FaultyCluster {
  readonly client: ClusterClient;
  /** Lists by kind, those of the reflectors too. */
  readonly lists: Record<string, number> = {};
  /** Requests that were refused or are held up, by kind. */
  readonly spoiled: Record<string, number> = {};
  mostListsAtOnce = 0;
  readonly #server = new ModelApiServer(diceOf(1));
  readonly #network = new ApiNetwork(this.#server, new ModelLogs());
  readonly #watcher = new ModelProcess('watcher', 1);
  readonly #faults = new Map<string, WayToGoBlind>();
  #listsNow = 0;
  #isMoving = false;

  constructor() {
    const requests = this.#network.connect(this.#watcher);
    const counted: Requests = {
      ...requests,
      json: (method, path, ...more) => this.#noting(path, () => requests.json(method, path, ...more)),
      stream: (path, how) => this.#noting(path, () => requests.stream(path, how)),
    };
    this.client = new ClusterClient(ACCESS, {}, counted);
  }

  close(): void {
    this.#watcher.isDead = true;
  }

  get resourceVersion(): number {
    return this.#server.resourceVersion;
  }

  apply(plural: string, object: KubeObject): void {
    this.#server.write(plural, object, {});
    this.#move();
  }

  delete(plural: string, object: KubeObject): void {
    this.#server.remove(plural, object);
    this.#move();
  }

  blind(plural: string, way: WayToGoBlind): void {
    this.#faults.set(plural, way);
    this.spoiled[plural] = 0;
    this.#network.blind(plural, way);
    // Connections that are opened later live.
    if (way === 'dead connection') this.#network.heal();
    this.#move();
  }

  heal(): void {
    this.#faults.clear();
    this.#network.heal();
    this.#move();
  }

  async #noting<T>(path: string, request: () => Promise<T>): Promise<T> {
    const { plural, query } = targetOf(path);
    // What the server serves is asked for, too.
    const isList = plural !== '' && !query.has('watch');
    const way = this.#faults.get(plural);
    if (way && way !== 'dead connection' && !(way === '410 storm' && isList))
      this.spoiled[plural] = (this.spoiled[plural] ?? 0) + 1;
    if (!isList) return this.#moving(request());
    this.lists[plural] = (this.lists[plural] ?? 0) + 1;
    this.mostListsAtOnce = Math.max(this.mostListsAtOnce, ++this.#listsNow);
    return this.#moving(request()).finally(() => this.#listsNow--);
  }

  #moving<T>(request: Promise<T>): Promise<T> {
    this.#move();
    return request;
  }

  #move(): void {
    if (this.#isMoving) return;
    this.#isMoving = true;
    setImmediate(() => {
      this.#isMoving = false;
      for (let steps = this.#network.steps(); steps.length > 0; steps = this.#network.steps())
        for (const { run } of steps) void run();
    });
  }
}
