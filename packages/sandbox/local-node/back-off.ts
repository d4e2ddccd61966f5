const FIRST_MS = 10_000;
const MOST_MS = 300_000;
/** After a container ran this long, its next failure counts as its first. */
const WELL_AFTER_MS = 600_000;

/** Returns the wait before the next restart; `previous` is the last wait, undefined before the first restart. */
export function backOffMs(previous: number | undefined, ranMs: number): number {
  if (previous === undefined || ranMs >= WELL_AFTER_MS) return 0;
  return previous === 0 ? FIRST_MS : Math.min(previous * 2, MOST_MS);
}

/** Formats a duration as Go does, and therefore the kubelet: `20s`, `1m20s`, `5m0s`. */
export function goDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
