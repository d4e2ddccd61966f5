import type { SignalboxClient } from '../../client/handles/client.ts';
import { ClusterClient } from '../../cluster/client.ts';
import type { ClusterSettings } from '../../contracts/settings.ts';

/** A page waits so long for what it must have. */
export const PAGE_ANSWER_MS = 5_000;

/** Temporal and the cluster, connected when they are first needed, and again after a connection has failed. */
export class Servers {
  readonly #connect: () => Promise<SignalboxClient>;
  readonly #settings: ClusterSettings;
  #client: Promise<SignalboxClient> | undefined;
  #cluster: Promise<ClusterClient> | undefined;

  constructor(connect: () => Promise<SignalboxClient>, settings: ClusterSettings) {
    this.#connect = connect;
    this.#settings = settings;
  }

  client(): Promise<SignalboxClient> {
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  cluster(): Promise<ClusterClient> {
    this.#cluster ??= ClusterClient.connect(this.#settings).catch((error: unknown) => {
      this.#cluster = undefined;
      throw error;
    });
    return this.#cluster;
  }

  async close(): Promise<void> {
    const [client, cluster] = await Promise.all([
      this.#client?.catch(() => undefined),
      this.#cluster?.catch(() => undefined),
    ]);
    await Promise.all([client?.close(), cluster?.close()]);
  }
}
