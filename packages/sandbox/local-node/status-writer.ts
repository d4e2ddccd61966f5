import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ClusterClient } from '../engine.ts';
import { ApiError, BackOff, isNotFound, PODS, type Pod, type PodStatus } from '../engine.ts';

const BACK_OFF = { firstMs: 100, mostMs: 5_000 };
/** The status itself is invalid. Other errors may be temporary, such as missing permissions during start-up. */
const REFUSED: ReadonlySet<number> = new Set([400, 422]);

/** Writes one pod's status: one request at a time, always the newest, until the API server accepts it. */
export class StatusWriter {
  readonly #client: ClusterClient;
  readonly #pod: Pod;
  readonly #log: Logger;
  #next: PodStatus | undefined;
  #written = '';
  #writing: Promise<void> | undefined;
  #isGone = false;
  readonly #closed = Promise.withResolvers<void>();

  constructor(client: ClusterClient, pod: Pod, log: Logger) {
    this.#client = client;
    this.#pod = pod;
    this.#log = log;
  }

  submit(status: PodStatus): void {
    if (this.#isGone) return;
    this.#next = status;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when the newest status was written, or the pod is gone. */
  async settled(): Promise<void> {
    while (this.#writing && !this.#isGone) await Promise.race([this.#writing, this.#closed.promise]);
  }

  /** The pod is gone: drops a status that was not written. */
  close(): void {
    this.#isGone = true;
    this.#next = undefined;
    this.#closed.resolve();
  }

  async #write(): Promise<void> {
    const backOff = new BackOff(BACK_OFF);
    while (this.#next && !this.#isGone) {
      const status = this.#next;
      this.#next = undefined;
      const content = JSON.stringify(status);
      if (content === this.#written) continue;
      try {
        await this.#patch(status);
        this.#written = content;
        backOff.reset();
      } catch (error) {
        if (!this.#retries(error)) continue;
        this.#next ??= status;
        await delay(backOff.next());
      }
    }
  }

  #retries(error: unknown): boolean {
    if (isNotFound(error)) {
      this.close();
      return false;
    }
    const isRefused = error instanceof ApiError && REFUSED.has(error.status);
    if (isRefused) this.#log.error({ err: error }, 'the API server refused a pod status');
    return !isRefused;
  }

  #patch(status: PodStatus): Promise<Pod> {
    const { namespace, name, uid } = this.#pod.metadata;
    return this.#client.patch(
      PODS,
      { namespace, name, subresource: 'status' },
      { metadata: { uid }, status: withOneAddress(status) },
      'strategic',
    );
  }
}

/** The API server merges addresses and rejects a second one, so a new address must replace the list. */
function withOneAddress(status: PodStatus): PodStatus {
  const { podIPs } = status as { podIPs?: readonly object[] };
  return podIPs ? { ...status, podIPs: [...podIPs, { $patch: 'replace' }] } : status;
}
