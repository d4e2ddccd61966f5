/** E.g. `2026-11-23 10:04:05 UTC`. */
export const timeText = (time: string | number): string =>
  `${isoOf(time).slice(0, 19).replace('T', ' ')} UTC`;

/** E.g. `10:04:05`. */
export const clockText = (time: string | number): string => isoOf(time).slice(11, 19);

/** E.g. `2026-11-23`. */
export const dayText = (time: string | number): string => isoOf(time).slice(0, 10);

/** What cannot be read as a time stays as it is. */
function isoOf(time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString();
}
