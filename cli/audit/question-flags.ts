import { type Command, InvalidArgumentError, Option } from 'commander';
import { REASON_CODES } from '../../contracts/reasons.ts';
import { PHASES } from '../../contracts/status.ts';
import { keysOf } from '../../language/fields.ts';
import type { AuditFilter, FilterName } from '../../record/audit/audit-filter.ts';
import { archiveOptions } from '../input/job-options.ts';
import { momentOf, oneOf, positive, seconds } from '../input/parse.ts';
import { completedBy } from '../shell/completed-by.ts';

const ANSWER_FORMATS = ['wide', 'json', 'jsonl', 'csv'] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** Options of all questions, apart from their filters. */
export interface AnswerFlags {
  readonly archived?: boolean;
  readonly count?: readonly string[];
  readonly limit?: number;
  readonly headers: boolean;
  readonly output?: AnswerFormat;
}

export type QuestionFlags = AuditFilter & AnswerFlags;

/** Adds the options of a question. */
export const questionOptions = (command: Command, filters: readonly FilterName[]): Command => {
  for (const filter of FILTER_NAMES.filter((name) => filters.includes(name)))
    command.addOption(FILTER_OPTIONS[filter]!());
  return answerOptions(
    command.addOption(
      new Option('--count <columns>', 'count by these columns, e.g. reason,node').argParser(columnNames),
    ),
  );
};

/** Adds the options of all that prints rows of both tables. */
export const answerOptions = (command: Command): Command =>
  archiveOptions(command)
    .option('--limit <number>', 'print at most this many; default: 1000 as text, else all', positive)
    .option('--archived', 'query only the archive, no server')
    .addOption(new Option('--no-headers', 'no line of headings'))
    .addOption(
      new Option('-o, --output <format>', 'print data instead of text, or all columns').choices(
        ANSWER_FORMATS,
      ),
    );

type OptionMaker = () => Option;

/** `namespace` is an option of all commands. */
const FILTER_OPTIONS: Readonly<Partial<Record<FilterName, OptionMaker>>> = {
  by: () => new Option('--by <name>', 'requested or submitted by this person, e.g. ana or ana@laptop'),
  since: () =>
    new Option(
      '--since <time>',
      'then or later: RFC 3339, a day, or a duration ago like 30d or 6mo',
    ).argParser(momentOf),
  until: () => new Option('--until <time>', 'before then').argParser(momentOf),
  job: () =>
    completedBy(
      'jobs',
      new Option(
        '--job <name>',
        'NAME, NAMESPACE/NAME or a workflow id; @RUN, as the table shows it, for one job of those',
      ),
    ).argParser(jobWithRun),
  kind: () => completedBy('kinds', new Option('--kind <kind>', 'jobs of this kind, e.g. PyTorchJob')),
  phase: () => new Option('--phase <phase>', 'in this phase').choices(PHASES).argParser(oneOf(PHASES)),
  reason: () =>
    completedBy(
      'reasons',
      new Option('--reason <code>', 'for this reason, e.g. NodeLost (docs/states.md)'),
    ).argParser(oneOf(REASON_CODES)),
  node: () => new Option('--node <name>', 'about this node'),
  request: () => new Option('--request <name>', 'this request, e.g. stop, scale, submit, terminate'),
  rule: () => new Option('--rule <text>', 'decided by a rule with this text, e.g. backoffLimit'),
  waited: () =>
    new Option('--waited <duration>', 'waited for one thing at least this long, e.g. 1h').argParser(seconds),
  restarted: () => new Option('--restarted', 'restarted, or a restart'),
};

function jobWithRun(text: string): string {
  if (!/@-\d+$/.test(text)) return text;
  throw new InvalidArgumentError(
    `An audit counts no jobs back, as in ${text}. Expected the beginning of a run id.`,
  );
}

export const FILTER_NAMES = keysOf(FILTER_OPTIONS);

/** Returns the filters among the options. */
export const filterIn = (flags: QuestionFlags): AuditFilter =>
  Object.fromEntries(FILTER_NAMES.map((name) => [name, flags[name]]));

/** Names of columns become part of a statement, so nothing but a name passes. */
function columnNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !/^[a-z_]+$/.test(name));
  if (wrong === undefined) return names;
  throw new InvalidArgumentError(
    `Expected columns separated by commas, e.g. reason,node, got ${JSON.stringify(wrong)}.`,
  );
}
