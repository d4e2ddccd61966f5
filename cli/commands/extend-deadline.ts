import type { Command } from 'commander';
import { REQUESTS } from '../../client/handles/interventions.ts';
import { formatDuration } from '../../language/duration.ts';
import { atMostAYear, someSeconds } from '../input/parse.ts';
import { interventionCommand } from '../jobs/intervention-command.ts';

export const extendDeadlineCommand = (): Command =>
  interventionCommand(REQUESTS.extendDeadline, {
    examples: ['extend-deadline train --by 2h --why "one more epoch"'],
    shape: (command) =>
      command.requiredOption('--by <time>', 'how much to add, e.g. 90s, 15m, 2h', atMostAYear(someSeconds)),
    call: (command) => {
      const { by: seconds } = command.opts<{ by: number }>();
      return {
        fields: { seconds },
        sentence: `deadline extended by ${formatDuration(seconds * 1000, { isExact: true })}`,
      };
    },
  });
