import { isDeepStrictEqual } from 'node:util';
import type { TimelineEntry } from '../../contracts/status.ts';

/**
 * A function that gives the entries of a job's timeline that it has not given before. A timeline grows at its end, and its
 * oldest entries go when it is long.
 */
export function newEntries(): (timeline: readonly TimelineEntry[]) => readonly TimelineEntry[] {
  let last: TimelineEntry | undefined;
  return (timeline) => {
    const known = timeline.findLastIndex((entry) => isDeepStrictEqual(entry, last));
    last = timeline.at(-1) ?? last;
    return timeline.slice(known + 1);
  };
}
