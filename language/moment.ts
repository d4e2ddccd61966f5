import { parseDuration } from './duration.ts';

/**
 * Reads a time as RFC 3339 or as a day (`2026-11-23`), or how long ago it was, in milliseconds: whoever knows the time better
 * can count from there. Returns undefined for what is neither.
 */
export function parseMoment(text: string): Date | number | undefined {
  const ago = parseDuration(inDays(text));
  if (!Number.isNaN(ago)) return ago;
  const at = Date.parse(text);
  return /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) && !Number.isNaN(at) ? new Date(at) : undefined;
}

/** Units of the past in days; no limit of a job is so long. */
const DAYS: Readonly<Record<string, number>> = { w: 7, mo: 30, y: 365 };

const inDays = (text: string) =>
  text.replaceAll(/(\d+(?:\.\d+)?)(w|mo|y)/g, (_part, amount, unit) => `${Number(amount) * DAYS[unit]!}d`);
