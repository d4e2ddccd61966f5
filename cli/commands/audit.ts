import { Command } from 'commander';
import { keyCommand } from '../audit/key-command.ts';
import { verifyCommand } from '../audit/verify-command.ts';
import { withExamples } from '../help-text.ts';

const EXAMPLES: readonly string[] = [];

/** `signalbox audit`: questions over all jobs, archived and live, and whether the archive is as it was written. */
export function auditCommand(): Command {
  const command = withExamples(new Command('audit'), EXAMPLES)
    .description('ask about all jobs, archived and live, and verify the archive')
    // An option after the name of a subcommand is the subcommand's.
    .enablePositionalOptions();
  for (const create of SUBCOMMANDS) command.addCommand(create());
  return command;
}

/** A file each in cli/audit. */
const SUBCOMMANDS: readonly (() => Command)[] = [verifyCommand, keyCommand];
