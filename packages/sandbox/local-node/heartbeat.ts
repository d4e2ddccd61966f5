import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ClusterClient } from '../engine.ts';
import { isAlreadyExists, isNotFound, type KubeObject, LEASES, NODES, pause } from '../engine.ts';
import { type NodeFacts, nodeLease, nodeObject, nodeStatus } from './node-object.ts';

const LEASE_EVERY_MS = 10_000;
/** Writes the status with every sixth renewal of the lease: once a minute. */
const STATUS_EVERY = 6;
const RETRY_MS = 1_000;

/** Registers the node and renews its lease and status. Waits while the API server is unavailable. */
export class Heartbeat {
  readonly #client: ClusterClient;
  readonly #facts: NodeFacts;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(client: ClusterClient, facts: NodeFacts, log: Logger) {
    this.#client = client;
    this.#facts = facts;
    this.#log = log;
  }

  /** Resolves when the node is registered and Ready. */
  async start(): Promise<void> {
    while (!(await this.#beat(0))) await delay(RETRY_MS);
    this.#loop = this.#run();
  }

  /** Marks the node as not ready. Its object stays, because pods may be bound to it. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
    await this.#writeStatus(false).catch((error) =>
      this.#log.warn({ err: error }, 'could not mark the node as not ready'),
    );
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (let count = 1; !signal.aborted; count++) {
      await pause(LEASE_EVERY_MS, signal);
      if (!signal.aborted && !(await this.#beat(count))) count = 0; // after a failure, write everything again
    }
  }

  async #beat(count: number): Promise<boolean> {
    try {
      const node = count % STATUS_EVERY === 0 ? await this.#register() : await this.#find();
      await this.#renewLease(node);
      return true;
    } catch (error) {
      this.#log.warn({ err: error }, 'could not send a heartbeat');
      return false;
    }
  }

  /** Creates the node again if a user has deleted it. */
  async #find(): Promise<KubeObject> {
    try {
      return await this.#client.get(NODES, undefined, this.#facts.name);
    } catch (error) {
      if (isNotFound(error)) return this.#register();
      throw error;
    }
  }

  async #register(): Promise<KubeObject> {
    const wanted = nodeObject(this.#facts);
    try {
      // With its status: otherwise the node would be tainted until the first heartbeat.
      return await this.#client.create(NODES, { ...wanted, status: this.#status(true) });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const { name, labels } = wanted.metadata;
      await this.#client.patch(NODES, { name }, { metadata: { labels } });
    }
    return this.#writeStatus(true);
  }

  #writeStatus(ready: boolean): Promise<KubeObject> {
    const target = { name: this.#facts.name, subresource: 'status' } as const;
    return this.#client.patch(NODES, target, { status: this.#status(ready) }, 'strategic');
  }

  #status(ready: boolean) {
    return nodeStatus(this.#facts, { ready, now: new Date().toISOString() });
  }

  async #renewLease(node: KubeObject): Promise<void> {
    const lease = nodeLease(node, new Date());
    try {
      await this.#client.patch(
        LEASES,
        { namespace: lease.metadata.namespace, name: lease.metadata.name },
        lease,
      );
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.#client.create(LEASES, lease);
    }
  }
}
