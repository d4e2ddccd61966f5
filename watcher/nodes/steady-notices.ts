import type { NodeNotice } from '../../contracts/node-notice.ts';
import { NOTICES } from '../../contracts/timing.ts';
import { earliest } from '../../language/time.ts';

/** A notice as jobs were told of it. */
interface Told {
  readonly notice: NodeNotice;
  /** When it was told, or told anew. */
  readonly toldAt: number;
  /** How long its source must not give it until it ends. */
  readonly quietMs: number;
  /** Since when its source has not given it. */
  readonly goneAt?: number;
  /** When that was told. */
  readonly endedAt?: number;
}

/**
 * The notices of one node as jobs hear them. The first word of a source is told at once. After that each notice changes at most
 * once in its quiet time, which doubles when it comes again soon, however often its source changes its mind.
 */
export class SteadyNotices {
  #told: readonly Told[] = [];
  #present: readonly NodeNotice[] = [];

  get notices(): readonly NodeNotice[] {
    return this.#told.filter(({ endedAt }) => endedAt === undefined).map(({ notice }) => notice);
  }

  /** Nothing is told, and nothing remembered. */
  get isEmpty(): boolean {
    return this.#told.length === 0;
  }

  /** Takes what the sources say now. */
  hear(present: readonly NodeNotice[], now: number): void {
    this.#present = present;
    this.settle(now);
  }

  /** Tells what is due. */
  settle(now: number): void {
    const known = this.#told.flatMap((told) => this.#next(told, now));
    const fresh = this.#present.filter((notice) => !known.some((told) => isSame(told.notice, notice)));
    this.#told = [...known, ...fresh.map((notice) => ({ notice, toldAt: now, quietMs: NOTICES.quietMs }))];
  }

  /** Returns when `settle` has something to tell or to forget; undefined if only a source can change anything. */
  get dueAt(): number | undefined {
    const times = this.#told.flatMap((told) => {
      const { notice, toldAt, goneAt, endedAt, quietMs } = told;
      if (endedAt !== undefined) return [endedAt + NOTICES.longestQuietMs];
      if (goneAt !== undefined) return [goneAt + quietMs];
      const present = this.#find(notice);
      return present && isOther(notice, present) ? [toldAt + quietMs] : [];
    });
    return earliest(times);
  }

  #find = (notice: NodeNotice) => this.#present.find((one) => isSame(one, notice));

  #next(told: Told, now: number): readonly Told[] {
    const { notice, toldAt, goneAt, endedAt, quietMs } = told;
    const present = this.#find(notice);
    if (endedAt !== undefined) {
      if (present) return [{ notice: present, toldAt: now, quietMs: longer(quietMs) }];
      return now - endedAt >= NOTICES.longestQuietMs ? [] : [told];
    }
    if (!present) {
      const since = goneAt ?? now;
      return [
        { notice, toldAt, quietMs, goneAt: since, ...(now - since >= quietMs ? { endedAt: now } : {}) },
      ];
    }
    const isDue = isOther(notice, present) && now - toldAt >= quietMs;
    // It has not ended in between: it is as old as when it began.
    if (isDue)
      return [{ notice: { ...present, since: notice.since }, toldAt: now, quietMs: longer(quietMs) }];
    return [{ notice, toldAt, quietMs }];
  }
}

const longer = (quietMs: number) => Math.min(2 * quietMs, NOTICES.longestQuietMs);

/** A value of a label may mean something else than another one. */
const isSame = (one: NodeNotice, other: NodeNotice): boolean =>
  one.source === other.source && one.key === other.key && one.verdict === other.verdict;

/** A message counts errors and seconds; only a time that a source has said is news. */
const isOther = (one: NodeNotice, other: NodeNotice): boolean => saidDeadline(one) !== saidDeadline(other);

const saidDeadline = ({ deadline, isAssumed }: NodeNotice) => (isAssumed ? undefined : deadline);
