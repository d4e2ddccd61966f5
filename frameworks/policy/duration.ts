import { z } from 'zod';

/** A time as people write it, in milliseconds: `90` (seconds), `10s`, `1h30m`. */
export const durationSchema = durationFrom(0, 'a duration, e.g. 10s, 5m, 1h or a number of seconds');

/** One that must take some time: a limit of nothing would always be exceeded. */
export const someTime = durationFrom(1, 'a duration > 0, e.g. 10s, 5m, 1h or a number of seconds');

function durationFrom(least: number, error: string) {
  return z
    .union([z.string(), z.number()], { error })
    .transform(millisecondsOf)
    .refine((ms) => ms >= least && ms <= LONGEST_MS, { error: (issue) => tooLong(issue.input) ?? error });
}

const SECOND = 1000;
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND,
  m: 60 * SECOND,
  h: 3600 * SECOND,
  d: 24 * 3600 * SECOND,
};
/** Longer than any job; a slip of the finger otherwise. */
const LONGEST_MS = 365 * UNITS.d!;

const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;
const WHOLE = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;

/** NaN for what is no duration. */
function millisecondsOf(given: string | number): number {
  if (typeof given === 'number') return Math.round(given * SECOND);
  const text = given.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * SECOND);
  if (!WHOLE.test(text)) return Number.NaN;
  const parts = [...text.matchAll(PART)].map(([, amount, unit]) => Number(amount) * UNITS[unit!]!);
  return Math.round(parts.reduce((sum, ms) => sum + ms, 0));
}

const tooLong = (ms: unknown) =>
  typeof ms === 'number' && ms > LONGEST_MS ? 'a duration of at most 365d' : undefined;
