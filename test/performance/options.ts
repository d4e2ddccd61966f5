import { Command, InvalidArgumentError, Option } from 'commander';

export interface BenchOptions {
  readonly runs: number;
  readonly only?: 'a' | 'b';
  readonly pods: number;
  readonly jobs: number;
  readonly connections: number;
  readonly output: 'text' | 'json';
}

/** Prints help or faults and ends the process where there is nothing to run. */
export function parseOptions(argv: readonly string[]): BenchOptions {
  return new Command('npm run bench --')
    .description('measure signalbox against what the cluster itself can do, in a sandbox of its own')
    .option('--runs <n>', 'measure so many times; medians, least and most are shown', integer(1, 100), 1)
    .addOption(new Option('--only <case>', 'a: one job; b: many jobs').choices(['a', 'b']))
    .option('--pods <n>', 'pods in all', integer(2, 5_000), 1_000)
    .option('--jobs <n>', 'jobs of case b, which share the pods', integer(1, 1_000), 100)
    .option('--connections <n>', 'requests to Kubernetes in flight', integer(1, 512), 64)
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['text', 'json']).default('text'))
    .addHelpText('after', HELP)
    .parse(argv, { from: 'user' })
    .opts<BenchOptions>();
}

const HELP = `
Examples:
  $ npm run bench                                a few minutes
  $ npm run bench -- --runs 5 --only a
  $ npm run bench -- --jobs 5 --pods 20          does it work at all?

Exit code: 0 everything ran, also where a target was missed; 1 something did not come to its end.`;

export function integer(lowest: number, highest: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
    throw new InvalidArgumentError(`expected an integer from ${lowest} to ${highest}, got ${text}`);
  };
}
