import pino from 'pino';
import type { Digest } from '../../contracts/digest.ts';
import { EditedAnchors } from '../../watcher/edited-anchors.ts';
import { Informers } from '../../watcher/informers/informers.ts';
import { Readiness } from '../../watcher/informers/readiness.ts';
import { JobTracker } from '../../watcher/job-tracker.ts';
import { UnusableAnchors } from '../../watcher/unusable-anchors.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { type AnchorChoice, anAnchor } from './fixtures.ts';

/** The reading half of a watcher, as a leader builds it, before a cluster that may be faulty. */
export class WatchedCluster {
  readonly cluster: FaultyCluster;
  readonly readiness = new Readiness();
  readonly #term = new AbortController();
  readonly #informers: Informers;
  readonly #tracker: JobTracker;
  #following: Promise<unknown> = Promise.resolve();

  private constructor(cluster: FaultyCluster, heard: (digest: Digest) => void) {
    this.cluster = cluster;
    const tools = { cluster: cluster.client, readiness: this.readiness, log: pino({ level: 'silent' }) };
    this.#tracker = new JobTracker(
      {
        ...tools,
        streams: this.readiness.streams,
        send: async (_, digest) => {
          heard(digest);
          return 'delivered';
        },
        onWorkflowNotFound: () => undefined,
        pauses: { behindMs: 5, failedMs: 5 },
      },
      this.#term.signal,
    );
    const home = { installation: 'one', clusterId: 'two' };
    this.#informers = new Informers(
      {
        ...{ ...tools, home, noteForeign: () => undefined },
        ...{ unusable: new UnusableAnchors(tools.log), edited: new EditedAnchors(tools.log) },
      },
      this.#tracker.jobs,
      this.#term.signal,
    );
  }

  static async open(heard: (digest: Digest) => void): Promise<WatchedCluster> {
    return new WatchedCluster(await FaultyCluster.open(), heard);
  }

  async start(): Promise<void> {
    this.#following = Promise.all(this.#informers.followAll());
    await this.#informers.listed();
    this.#tracker.start();
  }

  /** Whether the stream of pods has delivered all that there is. */
  get hasReadPods(): boolean {
    return this.#tracker.jobs.resourceVersions.pods >= this.cluster.resourceVersion;
  }

  async close(): Promise<void> {
    this.#term.abort();
    await this.#tracker.stop();
    await this.#following;
    await this.cluster.close();
  }

  anchor({ question, ...choice }: AnchorChoice & { readonly question?: number }): void {
    const { metadata, ...rest } = anAnchor({ installation: 'one', clusterId: 'two', ...choice });
    const asked: Record<string, string> =
      question === undefined ? {} : { 'signalbox.dev/asked': String(question) };
    const annotations = { ...metadata.annotations, ...asked };
    this.cluster.apply('configmaps', { ...rest, metadata: { ...metadata, annotations } });
  }
}
