import { isDeepStrictEqual } from 'node:util';
import type { TimelineEntry } from '../../../contracts/types.ts';

/**
 * Returns a function that filters a timeline to the entries it has not returned before. A timeline grows at its end; a
 * long one drops its oldest entries.
 */
export function newEntries(): (timeline: readonly TimelineEntry[]) => readonly TimelineEntry[] {
  let last: TimelineEntry | undefined;
  return (timeline) => {
    const known = timeline.findLastIndex((entry) => isDeepStrictEqual(entry, last));
    last = timeline.at(-1) ?? last;
    return timeline.slice(known + 1);
  };
}
