import { note, print, type TableFormat, writeData } from './output.ts';

interface Listing<T> {
  readonly output: TableFormat;
  /** The most that are shown; by default all. A caller that asks for one more learns whether there are more. */
  readonly limit?: number;
  /** What they are called, all together. */
  readonly what: string;
  readonly nameOf: (one: T) => string;
  readonly text: (shown: readonly T[]) => string | Promise<string>;
}

/** Prints what was listed: names, data, or text for people. */
export async function printListed<T>(found: readonly T[], listing: Listing<T>): Promise<void> {
  const { output, limit = Number.POSITIVE_INFINITY, what, nameOf, text } = listing;
  const shown = found.slice(0, limit);
  if (output === 'name') for (const one of shown) writeData(nameOf(one), 'text');
  else await print(shown, output === 'wide' ? undefined : output, () => text(shown));
  if (found.length > limit) note(`There are more than ${limit} ${what}; raise --limit to see them.`);
}
