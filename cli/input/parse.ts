import { InvalidArgumentError } from 'commander';
import { LONGEST_SECONDS } from '../../contracts/messages.ts';

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text))
    throw new InvalidArgumentError(`Expected a whole number, got ${JSON.stringify(text)}.`);
  return Number(text);
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `90`, `90s`, `15m`, `2h`, `1d` -> seconds. */
export function seconds(text: string): number {
  const [, amount, unit = 's'] = /^(\d+)([smhd])?$/.exec(text) ?? [];
  if (!amount)
    throw new InvalidArgumentError(`Expected a time like 90s, 15m or 2h, got ${JSON.stringify(text)}.`);
  return Number(amount) * (SECONDS[unit] ?? 1);
}

export function positive(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('Expected a whole number from 1.');
  return number;
}

export function someSeconds(text: string): number {
  const time = seconds(text);
  if (time === 0) throw new InvalidArgumentError('Expected a time longer than nothing.');
  return time;
}

/** Longer than any job; a slip of the finger otherwise. */
export const atMostAYear =
  (read: (text: string) => number) =>
  (text: string): number => {
    const time = read(text);
    if (time > LONGEST_SECONDS) throw new InvalidArgumentError('Expected a time of at most 365d.');
    return time;
  };

/** One of the names, in any case. */
export const oneOf =
  <const T extends string>(names: readonly T[]) =>
  (text: string): T => {
    const name = names.find((one) => one.toLowerCase() === text.toLowerCase());
    if (name === undefined) throw new InvalidArgumentError(`Expected one of ${names.join(', ')}.`);
    return name;
  };
