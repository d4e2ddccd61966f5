import type { Command } from 'commander';
import { atMostAYear, seconds as time } from '../input/parse.ts';
import { interventionCommand } from '../intervention-command.ts';
import { formatDuration } from '../print/durations.ts';

const HELP = `
Of a job that is held already it counts from now; of another, the pods of its next failure are kept for so long.
\`signalbox release\` lets the job go on before.`.trim();

export const holdCommand = (): Command =>
  interventionCommand('hold', {
    description: 'keep a job’s failed pods for a while, so that somebody can look at them',
    example: 'hold train --for 30m --why "rank 3 hangs in a collective"',
    help: HELP,
    shape: (command) =>
      command.requiredOption(
        '--for <time>',
        'how long, e.g. 90s, 30m, 2h; 0 is not at all',
        atMostAYear(time),
      ),
    wish: (command) => {
      const { for: seconds } = command.opts<{ for: number }>();
      return {
        ask: (job, who) => job.hold({ ...who, seconds }),
        words: `hold for ${formatDuration(seconds * 1000)} requested`,
      };
    },
  });
