import { classOfReason, type ReasonCode } from '../../contracts/reasons.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import { type Interval, intervalsOf } from './intervals.ts';

/** A time for which a job waited for one thing. */
export interface Wait extends Pick<Interval, 'from' | 'to'> {
  /** Sequence number of the entry with which it began. */
  readonly seq: number;
  /** Of class `waiting`. */
  readonly reason: ReasonCode;
  /** What was known last, e.g. the scheduler's message. */
  readonly message: string;
}

/**
 * Returns what a job waited for, in order. Entries that follow each other and wait for the same thing are one wait: a
 * request, or a scheduler's new message, does not end it. `until` is when the workflow closed, or now.
 */
export const waitsOf = (ledger: readonly LedgerEntry[], until: number): readonly Wait[] =>
  intervalsOf(ledger, until, (entry, begun) => waitingForOf(entry) === waitingForOf(begun)).flatMap(
    ({ from, to, entries }) => {
      const reason = waitingForOf(entries[0]);
      if (reason === undefined) return [];
      const { message } = entries.slice(1).findLast(({ cause }) => cause.type === 'digest') ?? entries[0];
      return [{ seq: entries[0].seq, reason, message, from, to }];
    },
  );

/** Other entries are about a failure, or about nothing. */
export const waitingForOf = ({ reason }: LedgerEntry): ReasonCode | undefined =>
  reason !== undefined && classOfReason(reason) === 'waiting' ? reason : undefined;
