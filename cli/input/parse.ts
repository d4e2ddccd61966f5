import { InvalidArgumentError } from 'commander';
import { LONGEST_SECONDS } from '../../contracts/messages.ts';
import { parseDuration } from '../../language/duration.ts';
import { parseMoment } from '../../language/moment.ts';

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text))
    throw new InvalidArgumentError(`Expected a whole number, got ${JSON.stringify(text)}.`);
  return Number(text);
}

/** A duration as in a policy (`90`, `15m`, `1h30m`), in seconds; a fraction of a second counts as a whole one. */
export function seconds(text: string): number {
  const ms = parseDuration(text);
  if (Number.isNaN(ms))
    throw new InvalidArgumentError(
      `Expected a duration like 90s, 15m or 1h30m, got ${JSON.stringify(text)}.`,
    );
  return Math.ceil(ms / 1000);
}

/** A time as RFC 3339 or as a day (`2026-11-23`), or how long ago it was, as a duration (`2h`, `7d`, `6mo`). */
export function momentOf(text: string): Date {
  const since = momentOrDuration(text);
  return typeof since === 'number' ? new Date(Date.now() - since) : since;
}

/** Returns a duration ago as milliseconds, for those who know the time better. */
export function momentOrDuration(text: string): Date | number {
  const moment = parseMoment(text);
  if (moment !== undefined) return moment;
  throw new InvalidArgumentError(
    `Expected a time like 2026-11-23T08:00:00Z, a day, or a duration ago like 2h, 7d, 2w, 6mo or 1y, got ${JSON.stringify(text)}.`,
  );
}

export function positive(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('Expected a whole number from 1.');
  return number;
}

export function someSeconds(text: string): number {
  const time = seconds(text);
  if (time === 0) throw new InvalidArgumentError('Expected a duration > 0.');
  return time;
}

/** Longer than any job; a larger value is a typo. */
export const atMostAYear =
  (read: (text: string) => number) =>
  (text: string): number => {
    const time = read(text);
    if (time > LONGEST_SECONDS) throw new InvalidArgumentError('Expected a duration of at most 365d.');
    return time;
  };

/** Accepts one of the names in any letter case. */
/** Several are separated by commas. */
export const someOf =
  <const T extends string>(names: readonly T[]) =>
  (text: string): readonly T[] =>
    text.split(',').map(oneOf(names));

export const oneOf =
  <const T extends string>(names: readonly T[]) =>
  (text: string): T => {
    const name = names.find((one) => one.toLowerCase() === text.toLowerCase());
    if (name === undefined) throw new InvalidArgumentError(`Expected one of ${names.join(', ')}.`);
    return name;
  };
