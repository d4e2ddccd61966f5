import { tookMs } from '../../contracts/took.ts';
import { formatDuration } from '../../language/duration.ts';

/** Returns how long it was from one time to another, or until now; nothing if it has not begun. */
export const between = (from: string | undefined, to: string | undefined, now = Date.now()): string =>
  from === undefined ? '' : formatDuration((to === undefined ? now : Date.parse(to)) - Date.parse(from));

/** Returns how long a job or a sweep took; nothing of one that is not submitted. */
export const tookText = (
  { startTime, endTime }: { readonly startTime?: string | undefined; readonly endTime?: string | undefined },
  now?: number,
): string => (startTime === undefined ? '' : formatDuration(tookMs({ startTime, endTime }, now)));

/** Returns RFC 3339 in whole seconds. */
export const withoutMilliseconds = (time: string) => time.replace(/\.\d+Z$/, 'Z');

/** Returns the local time of day. */
export const clock = (time: string | number): string => new Date(time).toLocaleTimeString('en-GB');
