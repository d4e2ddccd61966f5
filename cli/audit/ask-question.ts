import type { Command } from 'commander';
import type { Prices } from '../../contracts/schemas/prices.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { orMeant } from '../../language/meant.ts';
import type { AuditFilter } from '../../record/audit/audit-filter.ts';
import { pricedAnswer } from '../../record/audit/priced-answer.ts';
import { QUESTIONS, type Question, type QuestionName, statementOf } from '../../record/audit/questions.ts';
import { TABLES } from '../../record/index/columns.ts';
import { settingsOf } from '../session/session.ts';
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
  const { priced }: Question = QUESTIONS[name];
  const prices = priced && !count ? await pricesFor(command) : undefined;
  const isPriced = prices !== undefined;
  // One more, to know whether there are more.
  const most = limit === undefined ? undefined : limit + 1;
  const statement = statementOf(name, { filter, count, limit: most, isPriced });
  await withAuditDatabase(command, { ...flags, filter }, async (database) => {
    const found = await database.ask(statement);
    const answer = priced && prices ? pricedAnswer(found, priced, prices) : found;
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

async function pricesFor(command: Command): Promise<Prices | undefined> {
  const { readPrices } = await import('../input/read-prices.ts');
  return (await readPrices((await settingsOf(command)).values.prices))?.prices;
}

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
  throw new UsageError(
    `--count: expected columns of ${QUESTIONS[name].table}, got ${unknown}${orMeant(nearest(unknown, columns))}`,
    {
      remedy: `It has ${columns.join(', ')}.`,
    },
  );
}
