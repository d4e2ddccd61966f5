import type { Command } from 'commander';
import { interventionCommand } from '../jobs/intervention-command.ts';

export const suspendCommand = (): Command =>
  interventionCommand('suspend', {
    description: 'remove a job’s pods until it is resumed; no deadline runs meanwhile',
    examples: [
      'suspend train --why "the nodes are needed for the demo"',
      'suspend -l team=vision --phase Running -n ml',
    ],
    selects: (phase) => phase !== 'Suspended',
    call: () => ({ ask: (job, who) => job.suspend(who), sentence: 'suspend requested' }),
  });
