import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import type { LaneRecord } from '../../contracts/lane-record.ts';
import type { FollowedRecord } from './jobs-in-lanes.ts';

export type SweepLost = (record: LaneRecord) => Promise<void>;

interface LostRecordsOptions {
  readonly cluster: Pick<ClusterClient, 'find' | 'now'>;
  readonly sweepLost: SweepLost;
  readonly log: Logger;
}

/** A lost record is looked for again after this time: its sweep takes a moment, and may fail. */
const AGAIN_MS = 10_000;

/** Knows which records have lost their anchors. They count until that was read after the record: anchors may be seen later. */
export class LostRecords {
  readonly #options: LostRecordsOptions;
  readonly #gone = new Set<string>();
  /** When an anchor was looked for last. */
  readonly #lookedAt = new Map<string, number>();

  constructor(options: LostRecordsOptions) {
    this.#options = options;
  }

  /** Returns those that are not known to be lost. */
  known(all: readonly FollowedRecord[]): FollowedRecord[] {
    return all.filter((one) => !this.#gone.has(one.record.anchorUid) || isLeft(one));
  }

  /** Looks for the anchors of records of which nothing is there. */
  async look(all: readonly FollowedRecord[]): Promise<void> {
    const at = this.#options.cluster.now();
    const missing = all.filter((one) => !isLeft(one));
    const names = new Set(missing.map(({ record }) => record.anchorUid));
    for (const uid of this.#lookedAt.keys()) if (!names.has(uid)) this.#lookedAt.delete(uid);
    for (const uid of this.#gone) if (!names.has(uid)) this.#gone.delete(uid);
    const due = missing.filter(({ record }) => at >= (this.#lookedAt.get(record.anchorUid) ?? 0) + AGAIN_MS);
    await Promise.all(due.slice(0, MOST_AT_ONCE).map(({ record }) => this.#lookFor(record, at)));
  }

  async #lookFor(record: LaneRecord, at: number): Promise<void> {
    const { cluster, sweepLost, log } = this.#options;
    const { namespace, job, anchorUid } = record;
    this.#lookedAt.set(anchorUid, at);
    try {
      const anchor = await cluster.find(CONFIG_MAPS, namespace, anchorNameOf(job));
      if (anchor?.metadata.uid === anchorUid) return;
      this.#gone.add(anchorUid);
      await sweepLost(record);
    } catch (error) {
      log.warn({ err: error, namespace, job }, 'the record of a job in a lane may be left over');
    }
  }
}

const MOST_AT_ONCE = 10;

/** Its anchor or a pod of it was seen, and not yet that it is gone. */
const isLeft = ({ job }: FollowedRecord): boolean =>
  job !== undefined && (job.pods.size > 0 || (job.anchor !== undefined && !job.anchorGone));
