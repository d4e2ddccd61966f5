import type { Command } from 'commander';
import { REQUESTS } from '../../client/handles/interventions.ts';
import { interventionCommand } from '../jobs/intervention-command.ts';

export const suspendCommand = (): Command =>
  interventionCommand(REQUESTS.suspend, {
    examples: [
      'suspend train --why "the nodes are needed for the demo"',
      'suspend -l team=vision --phase Running -n ml',
    ],
    takesMany: true,
    call: () => ({ sentence: 'suspend requested' }),
  });
