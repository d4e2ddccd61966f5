import { Command } from 'commander';
import type { ExactFilter } from '../../contracts/filters.ts';
import { filterOptions, filtersGiven } from '../input/filter-options.ts';

interface TypedFilter {
  readonly filter: ExactFilter;
  /** What is no option. */
  readonly words: readonly string[];
}

/** Reads a filter as `list` takes it, between words. Throws an error that says what is wrong. */
export async function readTypedFilter(text: string): Promise<TypedFilter> {
  const command = filterOptions(new Command('filter').argument('[words...]'))
    .exitOverride()
    .helpOption(false)
    .configureOutput({ writeErr: () => undefined, writeOut: () => undefined })
    .action(() => undefined);
  await command.parseAsync(text.split(/\s+/).filter(Boolean), { from: 'user' });
  return { filter: await filtersGiven(command), words: command.args };
}
