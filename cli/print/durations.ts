/** Formats `12s`, `3m20s`, `5h2m` or `3d4h`: two units are enough to compare durations. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const units = [
    { name: 'd', value: Math.floor(seconds / 86_400) },
    { name: 'h', value: Math.floor(seconds / 3_600) % 24 },
    { name: 'm', value: Math.floor(seconds / 60) % 60 },
    { name: 's', value: seconds % 60 },
  ];
  const first = units.findIndex(({ value }) => value > 0);
  if (first < 0) return '0s';
  return units
    .slice(first, first + 2)
    .filter(({ value }, position) => position === 0 || value > 0)
    .map(({ name, value }) => `${value}${name}`)
    .join('');
}

export const between = (from: string | undefined, to: string | undefined, now = Date.now()): string =>
  from === undefined ? '' : formatDuration((to === undefined ? now : Date.parse(to)) - Date.parse(from));

/** Returns RFC 3339 in whole seconds. */
export const withoutMilliseconds = (time: string) => time.replace(/\.\d+Z$/, 'Z');

/** Returns the local time of day. */
export const clock = (time: string | number): string => new Date(time).toLocaleTimeString('en-GB');
