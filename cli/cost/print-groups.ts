import type { Command } from 'commander';
import { note, print, writeData } from '../print/output.ts';
import { askOfManyJobs } from './of-many-jobs.ts';
import { printRows } from './print-rows.ts';

interface GroupsAsked {
  readonly by: readonly string[];
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly archived?: boolean | undefined;
  /** The content of a file of prices. */
  readonly prices: unknown;
  readonly output: 'json' | 'jsonl' | 'yaml' | 'csv' | undefined;
}

/** Prints what all jobs held, added up: for `cost --by` and `audit cost --by`. */
export async function printGroups(command: Command, { by, output, ...choice }: GroupsAsked): Promise<void> {
  const groups = await askOfManyJobs(command, choice, (asked, options) => asked.cost({ ...options, by }));
  const { groupRows, groupsText } = await import('./group-text.ts');
  if (output === 'csv') return printRows(groupRows(groups, by));
  if (output === 'jsonl') {
    for (const group of groups) writeData(JSON.stringify(group), 'jsonl');
    return;
  }
  if (groups.length === 0 && output === undefined) return note('No job held devices then.');
  await print(groups, output, () => groupsText(groups, by));
}
