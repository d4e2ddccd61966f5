import { Command, InvalidArgumentError, Option } from 'commander';
import { CASES, type CaseName, DEFAULT_CASES, isCaseName } from './cases.ts';

export interface BenchOptions {
  readonly runs: number;
  readonly only: readonly CaseName[];
  readonly pods: number;
  readonly jobs: number;
  readonly connections: number;
  readonly output: 'text' | 'json';
}

/** Prints help or faults and ends the process where there is nothing to run. */
export function parseOptions(argv: readonly string[]): BenchOptions {
  const only = new Option('--only <cases>', 'which cases, separated by commas; repeatable').argParser(cases);
  return new Command('npm run bench --')
    .description('measure signalbox against what the cluster itself can do, in a sandbox of its own')
    .option('--runs <n>', 'measure so many times; medians, least and most are shown', integer(1, 100), 1)
    .addOption(only.default(DEFAULT_CASES, DEFAULT_CASES.join(',')))
    .option('--pods <n>', 'pods of a and b, jobs of c and d, jobs of a step of e', integer(2, 5_000), 1_000)
    .option('--jobs <n>', 'jobs of b, which share the pods', integer(1, 1_000), 100)
    .option('--connections <n>', 'requests to Kubernetes in flight', integer(1, 512), 64)
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['text', 'json']).default('text'))
    .addHelpText('after', HELP)
    .parse(argv, { from: 'user' })
    .opts<BenchOptions>();
}

const HELP = `
Cases:
${Object.entries(CASES)
  .map(([name, { measures, takes }]) => `  ${name}  ${measures}; ${takes}`)
  .join('\n')}

Examples:
  $ npm run bench                                a, b and c: some minutes
  $ npm run bench -- --runs 5 --only a
  $ npm run bench -- --only d,e
  $ npm run bench -- --jobs 5 --pods 20          a minute: does it work at all?

Exit code: 0 everything ran, also where a target was missed; 1 something did not come to its end.`;

function cases(text: string, before: readonly CaseName[]): readonly CaseName[] {
  const names = text.split(',').map((name) => {
    if (isCaseName(name)) return name;
    throw new InvalidArgumentError(`expected cases of ${Object.keys(CASES).join(', ')}, got ${name}`);
  });
  return before === DEFAULT_CASES ? names : [...before, ...names];
}

export function integer(lowest: number, highest: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
    throw new InvalidArgumentError(`expected an integer from ${lowest} to ${highest}, got ${text}`);
  };
}
