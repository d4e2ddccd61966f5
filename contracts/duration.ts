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
