import type { LedgerEntry } from '../../contracts/types.ts';
import { ms } from './times.ts';

/** How long something lasted in a job: from an entry on until the next one that is not about it, in epoch milliseconds. */
export interface Interval {
  readonly from: number;
  readonly to: number;
  /** The entry that began it, and those that go on with it. Never empty. */
  readonly entries: readonly [LedgerEntry, ...LedgerEntry[]];
}

/**
 * Cuts the time of a job from its first entry until `until` into intervals: one for each entry, or for entries that follow
 * each other if the later ones go on with what the first one began. A clock that was set back gives no negative time.
 */
export function intervalsOf(
  entries: readonly LedgerEntry[],
  until: number,
  goesOn: (entry: LedgerEntry, begun: LedgerEntry) => boolean = () => false,
): readonly Interval[] {
  const groups: [LedgerEntry, ...LedgerEntry[]][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    if (group && goesOn(entry, group[0])) group.push(entry);
    else groups.push([entry]);
  }
  return groups.map((group, index) => {
    const from = ms(group[0].at);
    const next = groups[index + 1]?.[0];
    return { from, to: Math.max(from, next ? ms(next.at) : until), entries: group };
  });
}

/** An entry that leads to no other state, e.g. a request, goes on with the state that the job is in. */
export const staysInState = (entry: LedgerEntry): boolean => entry.from === entry.to;
