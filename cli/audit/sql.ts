import { Command } from 'commander';
import { type Column, TABLES } from '../../record/index/columns.ts';
import { withExamples } from '../shell/help-text.ts';
import { type AnswerFlags, answerOptions } from './question-flags.ts';

const EXAMPLES = [
  `audit sql 'SELECT node, count(*) AS failed FROM jobs WHERE phase = $$Failed$$ GROUP BY ALL ORDER BY failed DESC'`,
  `audit sql 'SELECT submitted_by, sum(gpus * run_seconds) / 3600 AS gpu_hours FROM jobs GROUP BY ALL' -o csv`,
];

const columnsOf = ([table, columns]: readonly [string, Readonly<Record<string, Column>>]): string =>
  [
    `Columns of ${table}:`,
    ...Object.entries(columns).map(
      ([name, { type, about }]) => `  ${name.padEnd(20)}  ${type.padEnd(7)}  ${about}`,
    ),
  ].join('\n');

const notes = (): string =>
  [
    'DuckDB’s SQL over the tables jobs and entries, read-only.',
    ...Object.entries(TABLES).map(columnsOf),
  ].join('\n\n');

/** `signalbox audit sql`: a question of one’s own. */
export const auditSqlCommand = (): Command =>
  answerOptions(
    withExamples(new Command('sql').argument('<query>', 'a SELECT statement'), EXAMPLES, notes()).description(
      'your own question, in SQL',
    ),
  ).action(async (query: string, flags: AnswerFlags, command: Command) => {
    const { askSql } = await import('./ask-question.ts');
    await askSql(query, flags, command);
  });
