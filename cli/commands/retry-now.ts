import type { Command } from 'commander';
import { interventionCommand } from '../jobs/intervention-command.ts';

export const retryNowCommand = (): Command =>
  interventionCommand('retry-now', {
    description: 'skip the wait before a job’s next restart',
    examples: ['retry-now train --why "the image is available now"', 'retry-now --all'],
    selects: (phase) => phase === 'Restarting',
    call: () => ({ ask: (job, who) => job.retryNow(who), sentence: 'retry requested' }),
  });
