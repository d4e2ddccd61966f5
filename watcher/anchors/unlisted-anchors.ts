import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import { BackOff } from '../../language/back-off.ts';
import { pause } from '../../language/timers.ts';
import type { AnchorFacts } from './anchor-facts.ts';
import { readAnchorFacts } from './read-anchor-facts.ts';

interface UnlistedAnchorOptions {
  readonly cluster: Pick<ClusterClient, 'find'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly store: {
    anchorFound(anchor: AnchorFacts): void;
    anchorGone(anchor: AnchorFacts): void;
  };
}

const PAUSE = { firstMs: 200, mostMs: 10_000 };

/**
 * Anchors that the stream no longer has. Usually they were deleted. But the stream selects by labels, and any user can
 * remove those: only a read by name shows that an anchor is gone, which stops its job. The next write of a worker gives an
 * anchor its labels back.
 */
export class UnlistedAnchors {
  readonly #options: UnlistedAnchorOptions;
  readonly #signal: AbortSignal;
  /** By uid: there when they were last read. */
  readonly #there = new Set<string>();

  constructor(options: UnlistedAnchorOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  has({ uid }: AnchorFacts): boolean {
    return this.#there.has(uid);
  }

  /** Reads an anchor that the stream has lost, until the API server answers. */
  async check(anchor: AnchorFacts): Promise<void> {
    const backOff = new BackOff(PAUSE);
    while (!this.#signal.aborted) {
      try {
        const found = await readAnchorFacts(this.#options.cluster, anchor);
        if (!this.#signal.aborted) this.settle(anchor, found);
        return;
      } catch (error) {
        if (this.#signal.aborted) return;
        this.#options.log.warn(
          { err: error, anchor },
          'an anchor that the stream has lost could not be read',
        );
        await pause(backOff.next(), this.#signal);
      }
    }
  }

  /** `found`: what a read of it has found; undefined if it is gone. */
  settle(anchor: AnchorFacts, found: AnchorFacts | undefined): void {
    if (!found) {
      this.#there.delete(anchor.uid);
      this.#options.store.anchorGone(anchor);
      return;
    }
    if (!this.#there.has(anchor.uid)) {
      this.#options.log.warn({ anchor }, 'labels of an anchor were removed; its job continues');
    }
    this.#there.add(anchor.uid);
    this.#options.store.anchorFound(found);
  }
}
