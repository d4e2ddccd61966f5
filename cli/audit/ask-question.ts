import type { Command } from 'commander';
import type { AuditFilter } from '../../record/audit/audit-filter.ts';
import { QUESTIONS, type QuestionName, statementOf } from '../../record/audit/questions.ts';
import { TABLES } from '../../record/index/columns.ts';
import { UsageError } from '../shell/errors.ts';
import { printAnswer } from './answer-output.ts';
import { withAuditDatabase } from './audit-session.ts';
import { type AnswerFlags, filterIn, type QuestionFlags } from './question-flags.ts';

/** What counts as long, unless `--waited` says otherwise. */
const LONG_WAIT_SECONDS = 3_600;

export async function askQuestion(name: QuestionName, flags: QuestionFlags, command: Command): Promise<void> {
  const { count, limit, output } = flags;
  checkColumns(name, count);
  const filter = filterOf(name, flags, command);
  // One more, to know whether there are more.
  const statement = statementOf(name, { filter, count, limit: limit === undefined ? undefined : limit + 1 });
  await withAuditDatabase(command, { ...flags, filter }, async (database) => {
    const answer = await database.ask(statement);
    const isByRun = filter.job !== undefined;
    await printAnswer(answer, { format: output, limit, hasHeadings: flags.headers, isByRun });
  });
}

export const askSql = (query: string, flags: AnswerFlags, command: Command): Promise<void> =>
  withAuditDatabase(command, { ...flags, filter: {} }, async (database) => {
    const { limit, output, headers } = flags;
    const answer = await database.askOwn(query);
    await printAnswer(answer, { format: output, limit, hasHeadings: headers, isSql: true });
  });

/** Of all namespaces, unless the command line names one: an audit must not depend on a setting that nobody sees. */
function filterOf(name: QuestionName, flags: QuestionFlags, command: Command): AuditFilter {
  const given = filterIn(flags);
  const { namespace } = command.optsWithGlobals<{ namespace?: string }>();
  const waited = given.waited ?? (name === 'waits' ? LONG_WAIT_SECONDS : undefined);
  return { ...given, namespace, waited };
}

function checkColumns(name: QuestionName, count: readonly string[] | undefined): void {
  const columns = Object.keys(TABLES[QUESTIONS[name].table]);
  const unknown = count?.find((column) => !columns.includes(column));
  if (unknown === undefined) return;
  throw new UsageError(`--count: expected columns of ${QUESTIONS[name].table}, got ${unknown}.`, {
    remedy: `It has ${columns.join(', ')}.`,
  });
}
