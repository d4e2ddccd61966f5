import { Command } from 'commander';
import { withExamples } from '../help-text.ts';
import { type AnswerFlags, answerOptions } from './question-flags.ts';

const EXAMPLES = [
  `audit sql 'SELECT node, count(*) AS failed FROM jobs WHERE phase = $$Failed$$ GROUP BY ALL ORDER BY failed DESC'`,
  `audit sql 'SELECT submitted_by, sum(gpus * run_seconds) / 3600 AS gpu_hours FROM jobs GROUP BY ALL' -o csv`,
  `audit sql 'DESCRIBE entries'`,
];

const NOTES = 'DuckDB’s SQL over the tables jobs and entries (docs/audit.md), read-only.';

/** `signalbox audit sql`: a question of one’s own. */
export const auditSqlCommand = (): Command =>
  answerOptions(
    withExamples(new Command('sql').argument('<query>', 'a SELECT statement'), EXAMPLES, NOTES).description(
      'your own question, in SQL',
    ),
  ).action(async (query: string, flags: AnswerFlags, command: Command) => {
    const { askSql } = await import('./ask-question.ts');
    await askSql(query, flags, command);
  });
