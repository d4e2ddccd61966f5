import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CASES, type CaseName, isCaseName, START_CASES } from './cases.ts';

export interface TemporalOptions {
  readonly temporal: (typeof TEMPORAL_SERVERS)[number];
  /** Of the server with PostgreSQL. */
  readonly historyShards: number;
  /** Of the server with PostgreSQL: path of a file. */
  readonly dynamicConfig: string;
}

export interface BenchOptions extends TemporalOptions {
  readonly runs: number;
  readonly only: readonly CaseName[];
  readonly pods: number;
  readonly jobs: number;
  readonly connections: number;
  readonly output: 'text' | 'json';
  /** The operator that is measured beside the engine. */
  readonly versus?: (typeof OPERATORS)[number];
}

const OPERATORS = ['training-operator'] as const;
/** Relative to the working directory, as help shows it. */
const DYNAMIC_CONFIG = relative(
  '.',
  fileURLToPath(new URL('../../deploy/temporal/dynamic-config.yaml', import.meta.url)),
);
const TEMPORAL_SERVERS = ['development', 'postgresql'] as const;

/** Prints help or faults and ends the process where there is nothing to run. */
export function parseOptions(argv: readonly string[]): BenchOptions {
  const only = new Option('--only <cases>', 'which cases, separated by commas; repeatable').argParser(cases);
  const versus = new Option(
    '--versus <operator>',
    'also measure this operator in a, b and c, all without gangs',
  );
  const command = new Command('npm run bench --')
    .description('measure signalbox against what the cluster itself can do, in a sandbox of its own')
    .option('--runs <n>', 'measure so many times; medians, least and most are shown', integer(1, 100), 1)
    .addOption(only.default(START_CASES, START_CASES.join(',')))
    .option('--pods <n>', 'pods of a and b, jobs of c and d, jobs of a step of e', integer(2, 10_000), 1_000)
    .option('--jobs <n>', 'jobs of b, which share the pods', integer(1, 1_000), 100)
    .option('--connections <n>', 'requests to Kubernetes in flight', integer(1, 512), 64)
    .addOption(versus.choices(OPERATORS))
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['text', 'json']).default('text'))
    .addHelpText('after', HELP);
  withTemporalOptions(command).parse(argv, { from: 'user' });
  const options = command.opts<BenchOptions>();
  if (options.versus && !options.only.some((name) => START_CASES.includes(name))) {
    command.error(
      `error: --versus compares only in the cases a, b and c, got --only ${options.only.join(',')}`,
    );
  }
  return options;
}

/** Adds the choice of Temporal's server. */
export function withTemporalOptions(command: Command): Command {
  const temporal = new Option(
    '--temporal <server>',
    "the sandbox's development server, which keeps histories in SQLite, or a server with PostgreSQL",
  );
  return command
    .addOption(temporal.choices(TEMPORAL_SERVERS).default('development'))
    .option('--history-shards <n>', 'of the server with PostgreSQL', integer(1, 16_384), 128)
    .option('--dynamic-config <file>', "of Temporal's server with PostgreSQL", DYNAMIC_CONFIG);
}

const HELP = `
Cases:
${Object.entries(CASES)
  .map(([name, { measures, takes }]) => `  ${name}  ${measures}; ${takes}`)
  .join('\n')}

With --versus, a, b and c also run the same jobs by this operator, on the same servers; from run to run engine and
operator take turns to be first. No job is a gang then, neither in the raw limit nor in the engine, because
training-operator 1.9.3 has no gangs of its own. It has 10 threads and may send 5,000 requests a second. Go builds it,
which takes two minutes the first time.

With --temporal postgresql, Go builds Temporal's server, which takes five minutes the first time. PostgreSQL must be
installed (Debian's package postgresql); the bench starts one of its own, with a new data folder and default settings.

Examples:
  $ npm run bench                                a, b and c: some minutes
  $ npm run bench -- --runs 5 --only a
  $ npm run bench -- --only d,e
  $ npm run bench -- --versus training-operator --runs 2
  $ npm run bench -- --temporal postgresql --only b,c
  $ npm run bench -- --jobs 5 --pods 20          a minute: does it work at all?

Exit code: 0 everything ran, also where a target was missed; 1 something did not come to its end.`;

function cases(text: string, before: readonly CaseName[]): readonly CaseName[] {
  const names = text.split(',').map((name) => {
    if (isCaseName(name)) return name;
    throw new InvalidArgumentError(`expected cases of ${Object.keys(CASES).join(', ')}, got ${name}`);
  });
  return before === START_CASES ? names : [...before, ...names];
}

export function integer(lowest: number, highest: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
    throw new InvalidArgumentError(`expected an integer from ${lowest} to ${highest}, got ${text}`);
  };
}
