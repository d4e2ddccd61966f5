import type { Digest } from '../../contracts/digest.ts';
import { Readiness } from '../../leader/readiness.ts';
import type { JobTracker } from '../../watcher/job-tracker.ts';
import { aTracker, HOME } from './a-tracker.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { type AnchorChoice, anAnchor } from './fixtures.ts';

/** A tracker before a cluster that may be faulty. */
export class WatchedCluster {
  readonly cluster = new FaultyCluster();
  readonly readiness = new Readiness();
  readonly #leadership = new AbortController();
  readonly #tracker: JobTracker;
  #following: Promise<unknown> = Promise.resolve();

  constructor(onDigest: (digest: Digest) => void) {
    const send = async (_: unknown, digest: Digest) => {
      onDigest(digest);
      return 'delivered' as const;
    };
    const pauses = { behindMs: 5, failedMs: 5 };
    const tools = { cluster: this.cluster.client, readiness: this.readiness, send, pauses };
    this.#tracker = aTracker(tools, this.#leadership.signal);
  }

  async start(): Promise<void> {
    this.#following = Promise.all(this.#tracker.follow());
    await this.#tracker.listed();
    this.#tracker.start();
  }

  /** Whether the stream of pods has delivered all that there is. */
  get hasReadPods(): boolean {
    return this.#tracker.jobs.resourceVersionsIn('default').pods >= this.cluster.resourceVersion;
  }

  async close(): Promise<void> {
    this.#leadership.abort();
    await this.#tracker.stop();
    await this.#following;
    this.cluster.close();
  }

  anchor({ question, ...choice }: AnchorChoice & { readonly question?: number }): void {
    const { metadata, ...rest } = anAnchor({ ...HOME, ...choice });
    const asked: Record<string, string> =
      question === undefined ? {} : { 'signalbox.dev/asked': String(question) };
    const annotations = { ...metadata.annotations, ...asked };
    this.cluster.apply('configmaps', { ...rest, metadata: { ...metadata, annotations } });
  }
}
