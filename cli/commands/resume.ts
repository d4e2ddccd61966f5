import type { Command } from 'commander';
import { interventionCommand } from '../jobs/intervention-command.ts';

export const resumeCommand = (): Command =>
  interventionCommand('resume', {
    description: 'start the pods of a suspended job again',
    examples: ['resume train', 'resume --all -n ml'],
    selects: (phase) => phase === 'Suspended',
    call: () => ({ ask: (job, who) => job.resume(who), sentence: 'resume requested' }),
  });
