import type { Command } from 'commander';
import { interventionCommand } from '../intervention-command.ts';

export const retryNowCommand = (): Command =>
  interventionCommand('retry-now', {
    description: 'end the pause before a job’s next restart',
    example: 'retry-now train --why "the image is there now"',
    wish: () => ({ ask: (job, who) => job.retryNow(who), words: 'retry requested' }),
  });
