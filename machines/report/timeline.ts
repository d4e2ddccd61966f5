import type { TimelineEntry } from '../../contracts/types.ts';
import { timeOf } from '../../language/time.ts';
import type { NewEntry } from './new-entry.ts';

/** Older entries are dropped; the ledger has them all. */
const TIMELINE_LENGTH = 100;

/** Returns the timeline after an entry of the ledger; the same one if people need not read it. */
export const withEntry = (timeline: readonly TimelineEntry[], entry: NewEntry): readonly TimelineEntry[] =>
  entry.minor ? timeline : [...timeline, timelineEntryOf(entry)].slice(-TIMELINE_LENGTH);

const timelineEntryOf = ({ at, phase, to, attempt, message }: NewEntry): TimelineEntry => ({
  ...{ at: timeOf(at), phase, state: to, attempt, cause: message },
});
