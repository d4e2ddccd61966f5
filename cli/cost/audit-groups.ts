import type { Command } from 'commander';
import { keysOf } from '../../language/fields.ts';
import { isGroupKey } from '../../record/uses/grouped-uses.ts';
import { filterIn, type QuestionFlags } from '../audit/question-flags.ts';
import type { QuestionHelp } from '../audit/questions-table.ts';
import { settingsOf } from '../session/session.ts';
import { UsageError } from '../shell/errors.ts';

/**
 * Prints what `cost --by` does if `audit cost --by` has nothing but keys of that, and returns whether it did. In other questions
 * `--by` is a person, and is refused then.
 */
export async function printedAsGroups(
  { name, isPriced }: QuestionHelp,
  flags: QuestionFlags,
  command: Command,
): Promise<boolean> {
  const keys = flags.by?.split(',') ?? [];
  if (keys.length === 0 || !keys.every(isGroupKey)) return false;
  if (!isPriced) throw noGroups(name, keys.join(','));
  await printGroupsOf(keys, flags, command);
  return true;
}

const noGroups = (question: string, keys: string): UsageError =>
  new UsageError(`--by: expected a person, e.g. ana, got ${keys}`, {
    remedy: `\`signalbox audit ${question} --count COLUMN\` counts rows by columns; \`signalbox cost --by ${keys}\` adds up what jobs held.`,
  });

async function printGroupsOf(by: readonly string[], flags: QuestionFlags, command: Command): Promise<void> {
  const { since, until, by: _, ...others } = filterIn(flags);
  const [wrong] = [
    ...keysOf(others).filter((name) => others[name] !== undefined),
    ...(flags.count ? ['count'] : []),
  ];
  if (wrong !== undefined)
    throw new UsageError(`--by ${by.join(',')} adds up all jobs. Expected no --${wrong} with it.`);
  const [{ readPrices }, { printGroups }] = await Promise.all([
    import('../input/read-prices.ts'),
    import('./print-groups.ts'),
  ]);
  const given = await readPrices((await settingsOf(command)).values.prices);
  const output = flags.output === 'wide' ? undefined : flags.output;
  const { archived } = flags;
  await printGroups(command, { by, since, until, archived, prices: given?.document, output });
}
