import { InvalidArgumentError } from 'commander';
import { parseLabelPair } from '../../contracts/label-pair.ts';

/** Labels by key. */
export type Labels = Readonly<Record<string, string>>;

/** Reads `key=value`, or several separated by commas, and adds them to those before. */
export function oneMoreLabel(text: string, before: Labels = {}): Labels {
  const pairs = text.split(',').map((pair) => {
    const label = parseLabelPair(pair);
    if (label) return label;
    throw new InvalidArgumentError(`Expected KEY=VALUE, e.g. team=nlp, got ${JSON.stringify(pair)}.`);
  });
  return { ...before, ...Object.fromEntries(pairs) };
}
