import { InvalidArgumentError } from 'commander';

/** Labels by key. */
export type Labels = Readonly<Record<string, string>>;

/** Reads `key=value`, or several separated by commas, and adds them to those before. */
export function oneMoreLabel(text: string, before: Labels = {}): Labels {
  const pairs = text.split(',').map((pair): [string, string] => {
    const [, key, value] = /^([^=!]+)==?([^=]*)$/.exec(pair.trim()) ?? [];
    if (key === undefined || value === undefined)
      throw new InvalidArgumentError(`Expected KEY=VALUE, e.g. team=nlp, got ${JSON.stringify(pair)}.`);
    return [key, value];
  });
  return { ...before, ...Object.fromEntries(pairs) };
}
