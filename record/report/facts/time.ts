export const ms = (time: string): number => Date.parse(time);

const UNITS = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'm', seconds: 60 },
  { name: 's', seconds: 1 },
] as const;

/** A duration in its two largest units, e.g. `2h 5m`; below ten seconds with tenths. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 10_000) return `${(Math.max(0, milliseconds) / 1000).toFixed(1).replace(/\.0$/, '')}s`;
  const seconds = Math.round(milliseconds / 1000);
  const first = UNITS.findIndex((unit) => seconds >= unit.seconds);
  const large = UNITS[first]!;
  const small = UNITS[first + 1];
  const rest = small ? Math.floor((seconds % large.seconds) / small.seconds) : 0;
  const whole = `${Math.floor(seconds / large.seconds)}${large.name}`;
  return rest > 0 ? `${whole} ${rest}${small!.name}` : whole;
}

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
