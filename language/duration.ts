const SECOND = 1000;
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND,
  m: 60 * SECOND,
  h: 3600 * SECOND,
  d: 24 * 3600 * SECOND,
};

/** Longer than any job; more is a slip of the finger. */
export const LONGEST_DURATION_MS = 365 * UNITS.d!;

const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;
const WHOLE = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;

/** A duration as people write it, in milliseconds: `90` (seconds), `10s`, `1h30m`. NaN for anything else. */
export function parseDuration(given: string | number): number {
  if (typeof given === 'number') return Math.round(given * SECOND);
  const text = given.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * SECOND);
  if (!WHOLE.test(text)) return Number.NaN;
  const parts = [...text.matchAll(PART)].map(([, amount, unit]) => Number(amount) * UNITS[unit!]!);
  return Math.round(parts.reduce((sum, ms) => sum + ms, 0));
}

const WRITTEN = ['d', 'h', 'm', 's'] as const;

/** Below it, tenths of a second matter. */
const SHORT_MS = 10 * SECOND;

/**
 * Writes a duration for people, in the form that `parseDuration` reads. In its two largest units, which are enough to
 * compare durations: `3d4h`, `2h5m`, `45s`; below ten seconds with tenths: `2.5s`. With `isExact` nothing is left out:
 * `1h30m15s`. Rounds down.
 */
export function formatDuration(milliseconds: number, { isExact = false } = {}): string {
  const ms = Math.max(0, Math.floor(milliseconds));
  if (!isExact && ms < SHORT_MS) return `${Math.floor(ms / 100) / 10}s`;
  const parts = WRITTEN.map((unit, index) => {
    const amount = (ms % (UNITS[WRITTEN[index - 1] ?? ''] ?? Number.POSITIVE_INFINITY)) / UNITS[unit]!;
    return { unit, amount: unit === 's' && isExact ? amount : Math.floor(amount) };
  });
  const first = parts.findIndex(({ amount }) => amount > 0);
  if (first < 0) return '0s';
  return parts
    .slice(first, isExact ? parts.length : first + 2)
    .filter(({ amount }) => amount > 0)
    .map(({ unit, amount }) => `${amount}${unit}`)
    .join('');
}

/** As `formatDuration`, with two digits of what is shorter than a second. */
export const formatShortDuration = (ms: number): string =>
  ms < 1000 ? `${Number(ms.toPrecision(2))}ms` : formatDuration(ms);
