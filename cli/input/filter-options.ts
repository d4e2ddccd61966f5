import { type Command, Option } from 'commander';
import { type ExactFilter, FILTERS, type FilterValues, type JobFilterName } from '../../contracts/filters.ts';
import { REASON_CODES } from '../../contracts/reasons.ts';
import { PHASES } from '../../contracts/status.ts';
import { keysOf } from '../../language/fields.ts';
import { orMeant } from '../../language/meant.ts';
import { completedBy } from '../shell/completed-by.ts';
import { UsageError } from '../shell/errors.ts';
import { oneMoreLabel } from './labels.ts';
import { momentOf, oneOf, someOf } from './parse.ts';

/** Adds options that choose jobs; default: those of all filters. */
export function filterOptions(command: Command, names: readonly JobFilterName[] = keysOf(FILTERS)): Command {
  for (const name of names) {
    const option = optionOf(name);
    if (option) command.addOption(option);
  }
  return command;
}

/** Returns the filters that a command line gives. Throws `UsageError` for an unknown kind. */
export async function filtersGiven(command: Command): Promise<ExactFilter> {
  const flags: Readonly<Record<string, unknown>> = command.opts();
  const read = keysOf(FILTERS).map(async (name) => {
    const option = optionOf(name);
    const value = option && flags[option.attributeName()];
    return [name, FILTERS[name].takes === 'kind' && value ? await kindOf(String(value)) : value] as const;
  });
  return Object.fromEntries((await Promise.all(read)).filter(([, value]) => value !== undefined));
}

function optionOf(name: JobFilterName): Option | undefined {
  const { flag, only, takes } = FILTERS[name];
  if (flag === undefined) return undefined;
  const { hint = '', read } = VALUES[takes];
  const option = new Option(flag, `only jobs ${only}${hint}`);
  return read ? read(option) : option;
}

interface OptionValue {
  readonly hint?: string;
  readonly read?: (option: Option) => Option;
}

const VALUES: Readonly<Record<keyof FilterValues, OptionValue>> = {
  text: {},
  kind: { hint: ', e.g. PyTorchJob', read: (option) => completedBy('kinds', option) },
  phases: {
    hint: '; several: separated by commas',
    // The choices are for shell completion; the parser accepts any letter case.
    read: (option) => option.choices(PHASES).argParser(someOf(PHASES)),
  },
  reason: {
    hint: ', e.g. NodeLost (docs/states.md)',
    read: (option) => completedBy('reasons', option.argParser(oneOf(REASON_CODES))),
  },
  labels: { hint: '; several: separated by commas', read: (option) => option.argParser(oneMoreLabel) },
  time: {
    hint: ': RFC 3339, a day, or a duration ago like 2h',
    read: (option) => option.argParser(momentOf),
  },
};

/** Accepts a kind of job in any letter case; loads the kinds only when needed. */
async function kindOf(text: string): Promise<string> {
  const { JOB_KINDS } = await import('../../client/manifests/kinds.ts');
  const kind = JOB_KINDS.find((one) => one.toLowerCase() === text.toLowerCase());
  if (kind !== undefined) return kind;
  const { nearest } = await import('../../language/did-you-mean.ts');
  const meant = orMeant(nearest(text, JOB_KINDS));
  throw new UsageError(`--kind: expected one of ${JOB_KINDS.join(', ')}, got ${text}${meant}`);
}
