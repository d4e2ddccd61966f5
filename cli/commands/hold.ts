import type { Command } from 'commander';
import { REQUESTS } from '../../client/handles/interventions.ts';
import { formatDuration } from '../../language/duration.ts';
import { atMostAYear, seconds as time } from '../input/parse.ts';
import { interventionCommand } from '../jobs/intervention-command.ts';

export const holdCommand = (): Command =>
  interventionCommand(REQUESTS.hold, {
    examples: ['hold train --for 30m --why "rank 3 hangs in a collective"'],
    shape: (command) =>
      command.requiredOption('--for <time>', 'how long, e.g. 90s, 30m, 2h; 0 keeps none', atMostAYear(time)),
    call: (command) => {
      const { for: seconds } = command.opts<{ for: number }>();
      return {
        fields: { seconds },
        sentence: `hold for ${formatDuration(seconds * 1000, { isExact: true })} requested`,
      };
    },
  });
