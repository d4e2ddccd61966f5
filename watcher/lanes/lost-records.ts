import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import { CONFIG_MAPS, PODS } from '../../contracts/kubernetes.ts';
import { anchorNameOf, LABELS } from '../../contracts/labels.ts';
import type { LaneRecord } from '../../contracts/lane-record.ts';
import { isOwnedBy } from '../../contracts/objects.ts';
import { UNFINISHED } from '../../contracts/pod.ts';
import { type FollowedRecord, hasUnendedPods } from './jobs-in-lanes.ts';

export type CleanUpLost = (record: LaneRecord) => Promise<void>;

interface LostRecordsOptions {
  readonly cluster: Pick<ClusterClient, 'find' | 'list' | 'now'>;
  readonly cleanUpLost: CleanUpLost;
  readonly log: Logger;
}

/** A lost record is looked for again after this time: its clean-up takes a moment, and may fail. */
const AGAIN_MS = 10_000;
/** The same of a job that has ended: its anchor stays, and its workflow closes a moment after it has noted its end. */
const ENDED_AGAIN_MS = 60_000;

/**
 * Knows which records are of no use any more, and has them cleaned up. Those that have lost their anchors count until that was read
 * after the record: anchors may be seen later. Those of ended jobs go with the last pod that had not ended.
 */
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

  /** Looks for what records are about, where nothing of it is seen. */
  async look(all: readonly FollowedRecord[]): Promise<void> {
    const at = this.#options.cluster.now();
    const missing = all.filter((one) => !isLeft(one));
    const ended = all.filter((one) => one.record.hasEnded && isLeft(one) && !hasUnendedPods(one.job));
    const names = new Set([...missing, ...ended].map(({ record }) => record.anchorUid));
    for (const uid of this.#lookedAt.keys()) if (!names.has(uid)) this.#lookedAt.delete(uid);
    for (const uid of this.#gone) if (!names.has(uid)) this.#gone.delete(uid);
    const isDue = (pauseMs: number) => (one: FollowedRecord) =>
      at >= (this.#lookedAt.get(one.record.anchorUid) ?? 0) + pauseMs;
    const looks = [
      ...missing.filter(isDue(AGAIN_MS)).map(({ record }) => ({ record, isOver: this.#hasNoAnchor })),
      ...ended.filter(isDue(ENDED_AGAIN_MS)).map(({ record }) => ({ record, isOver: this.#hasNoPods })),
    ];
    await Promise.all(looks.slice(0, MOST_AT_ONCE).map((look) => this.#lookFor(look, at)));
  }

  async #lookFor({ record, isOver }: Look, at: number): Promise<void> {
    const { cleanUpLost, log } = this.#options;
    const { namespace, job, anchorUid } = record;
    this.#lookedAt.set(anchorUid, at);
    try {
      if (await isOver(record)) await cleanUpLost(record);
    } catch (error) {
      log.warn({ err: error, namespace, job }, 'the record of a job in a lane may be left over');
    }
  }

  #hasNoAnchor = async ({ namespace, job, anchorUid }: LaneRecord): Promise<boolean> => {
    const anchor = await this.#options.cluster.find(CONFIG_MAPS, namespace, anchorNameOf(job));
    if (anchor?.metadata.uid === anchorUid) return false;
    this.#gone.add(anchorUid);
    return true;
  };

  /** The worker that cleans up looks again. This is so that none is asked again and again in vain. */
  #hasNoPods = async ({ namespace, job, anchorUid }: LaneRecord): Promise<boolean> => {
    const selection = { namespace, labelSelector: `${LABELS.job}=${job}`, fieldSelector: UNFINISHED };
    const { items } = await this.#options.cluster.list(PODS, { ...selection, limit: MOST_LISTED });
    return !items.some((pod) => isOwnedBy(pod, anchorUid));
  };
}

interface Look {
  readonly record: LaneRecord;
  readonly isOver: (record: LaneRecord) => Promise<boolean>;
}

const MOST_LISTED = 100;

const MOST_AT_ONCE = 10;

/** Its anchor or a pod of it was seen, and not yet that it is gone. */
const isLeft = ({ job }: FollowedRecord): boolean =>
  job !== undefined && (job.pods.size > 0 || (job.anchor !== undefined && !job.anchorGone));
