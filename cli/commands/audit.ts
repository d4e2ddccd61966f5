import { Command } from 'commander';
import { auditAskCommand } from '../audit/ask.ts';
import { auditIndexCommand } from '../audit/index-command.ts';
import { keyCommand } from '../audit/key-command.ts';
import { proveCommand } from '../audit/prove-command.ts';
import { questionCommands } from '../audit/question-commands.ts';
import { auditSqlCommand } from '../audit/sql.ts';
import { verifyCommand } from '../audit/verify-command.ts';
import { withExamples } from '../shell/help-text.ts';

const EXAMPLES = [
  'audit --by ana --since 30d',
  'audit --waited 1h --since 7d',
  'audit --job ml/train -o json',
  'audit failures --count reason,node',
  'audit restarts --count rule',
  "audit sql 'SELECT kind, count(*) FROM jobs GROUP BY ALL'",
  'audit verify',
];

const NOTES = `Questions cover all jobs in the archive and in Temporal, of all namespaces unless -n names one.
Without a subcommand, the options choose the question (\`audit ask --help\`).`;

/** `signalbox audit`: questions over all jobs, archived and live, and whether the archive is as it was written. */
export function auditCommand(): Command {
  const command = withExamples(new Command('audit'), EXAMPLES, NOTES).description(
    'query all jobs, archived and live, and verify the archive',
  );
  const questions = questionCommands(async (...asked) =>
    (await import('../cost/audit-groups.ts')).printedAsGroups(...asked),
  );
  for (const question of questions) command.addCommand(question);
  command.addCommand(auditAskCommand(), { isDefault: true });
  for (const create of SUBCOMMANDS) command.addCommand(create());
  return command;
}

/** A file each in cli/audit. */
const SUBCOMMANDS: readonly (() => Command)[] = [
  auditSqlCommand,
  verifyCommand,
  proveCommand,
  keyCommand,
  auditIndexCommand,
];
