import type { Command } from 'commander';
import { formatDuration } from '../../language/duration.ts';
import { atMostAYear, seconds as time } from '../input/parse.ts';
import { interventionCommand } from '../jobs/intervention-command.ts';

const HELP = `
If the job is already held, the time counts from now. Otherwise the pods of its next failure are kept that long.
\`signalbox release\` lets the job continue earlier.`.trim();

export const holdCommand = (): Command =>
  interventionCommand('hold', {
    description: 'keep a job’s failed pods for a while, for inspection',
    examples: ['hold train --for 30m --why "rank 3 hangs in a collective"'],
    help: HELP,
    shape: (command) =>
      command.requiredOption('--for <time>', 'how long, e.g. 90s, 30m, 2h; 0 keeps none', atMostAYear(time)),
    call: (command) => {
      const { for: seconds } = command.opts<{ for: number }>();
      return {
        ask: (job, who) => job.hold({ ...who, seconds }),
        sentence: `hold for ${formatDuration(seconds * 1000, { isExact: true })} requested`,
      };
    },
  });
