import type { LedgerEntry } from '../../../contracts/ledger.ts';
import { waitsOf } from '../../index/waits.ts';
import { ms } from './time.ts';

/** A time in which a job waited for something. */
export interface WaitedFor {
  /** A reason code of class `waiting`. */
  readonly reason: string;
  /** What was known last, e.g. the scheduler's message. */
  readonly message: string;
  readonly from: number;
  readonly to: number;
  /** Sequence number of the entry that began it. */
  readonly seq: number;
}

/** Returns what a job waited for, in order: the same waits as in the index of the archive. */
export function waitedForIn(entries: readonly LedgerEntry[], until: number): WaitedFor[] {
  const places = new Map(entries.map(({ seq }, index) => [seq, index]));
  return waitsOf(entries, until).flatMap(({ seq, waitingFor, seconds }) => {
    const begun = places.get(seq)!;
    const from = ms(entries[begun]!.at);
    const to = from + seconds * 1000;
    if (to <= from) return [];
    return [{ reason: waitingFor, message: lastMessage(entries, begun), from, to, seq }];
  });
}

function lastMessage(entries: readonly LedgerEntry[], begun: number): string {
  const { reason } = entries[begun]!;
  let message = entries[begun]!.message;
  for (let index = begun + 1; entries[index]?.reason === reason; index += 1) {
    const { cause, message: later } = entries[index]!;
    if (cause.type === 'digest') message = later;
  }
  return message;
}
