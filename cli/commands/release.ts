import type { Command } from 'commander';
import { interventionCommand } from '../jobs/intervention-command.ts';

export const releaseCommand = (): Command =>
  interventionCommand('release', {
    description: 'let a held job continue',
    examples: ['release train --why "seen enough"'],
    call: () => ({ ask: (job, who) => job.release(who), sentence: 'release requested' }),
  });
