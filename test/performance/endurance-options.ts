import { Command, Option } from 'commander';
import { integer } from './options.ts';

const TRIAL_NAMES = ['restarts', 'suspensions', 'large'] as const;
export type TrialName = (typeof TRIAL_NAMES)[number];

export interface EnduranceOptions {
  readonly restarts: number;
  readonly suspensions: number;
  readonly pods: number;
  readonly only?: TrialName;
}

/** Prints help or faults and ends the process where there is nothing to run. */
export function parseEnduranceOptions(argv: readonly string[]): EnduranceOptions {
  return new Command('npm run soak --')
    .description('let jobs live very long, or be very large, in a sandbox of their own')
    .option('--restarts <n>', 'how often a gang of 4 starts again', integer(1, 10_000), 300)
    .option('--suspensions <n>', 'how often a job is suspended, and resumed', integer(1, 10_000), 500)
    .option('--pods <n>', 'pods of the large job', integer(2, 10_000), 5_000)
    .addOption(new Option('--only <trial>', 'one of the three').choices([...TRIAL_NAMES]))
    .addHelpText('after', HELP)
    .parse(argv, { from: 'user' })
    .opts<EnduranceOptions>();
}

const HELP = `
Examples:
  $ npm run soak                                                  half an hour
  $ npm run soak -- --restarts 10 --suspensions 10 --pods 50      does it work at all?

Exit code: 0 every job lived as it must; 1 something is not as it must be.`;
