import { existsSync } from 'node:fs';
import type { ArchiveReader } from '../../client/handles/archive-reader.ts';
import type { SignalboxClient } from '../../client/handles/client.ts';
import { openArchive } from '../../client/handles/open-archive.ts';
import { ClusterClient } from '../../cluster/client.ts';
import type { ConsoleProcessSettings } from '../settings.ts';

/** A page waits so long for what it must have. */
export const PAGE_ANSWER_MS = 5_000;

/** Temporal, the cluster and the archive, connected when they are first needed, and again after a connection has failed. */
export class Servers {
  readonly #connect: () => Promise<SignalboxClient>;
  readonly #settings: Pick<ConsoleProcessSettings, 'cluster' | 'archive' | 'temporal'>;
  #client: Promise<SignalboxClient> | undefined;
  #cluster: Promise<ClusterClient> | undefined;
  #archive: Promise<ArchiveReader> | undefined;

  constructor(
    connect: () => Promise<SignalboxClient>,
    settings: Pick<ConsoleProcessSettings, 'cluster' | 'archive' | 'temporal'>,
  ) {
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
    this.#cluster ??= ClusterClient.connect(this.#settings.cluster).catch((error: unknown) => {
      this.#cluster = undefined;
      throw error;
    });
    return this.#cluster;
  }

  get hasArchive(): boolean {
    return this.#settings.archive?.store !== undefined;
  }

  /** Returns undefined where jobs are not archived, and before the first one was: workers make the directory then. */
  async archive(): Promise<ArchiveReader | undefined> {
    const { archive, temporal } = this.#settings;
    const store = archive?.store;
    if (!store || (store.store === 'files' && !existsSync(store.directory))) return undefined;
    this.#archive ??= openArchive(store, { dataConverter: temporal.dataConverter }).catch(
      (error: unknown) => {
        this.#archive = undefined;
        throw error;
      },
    );
    return this.#archive;
  }

  async close(): Promise<void> {
    const [client, cluster, archive] = await Promise.all([
      this.#client?.catch(() => undefined),
      this.#cluster?.catch(() => undefined),
      this.#archive?.catch(() => undefined),
    ]);
    archive?.close();
    await Promise.all([client?.close(), cluster?.close()]);
  }
}
