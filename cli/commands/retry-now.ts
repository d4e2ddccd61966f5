import type { Command } from 'commander';
import { REQUESTS } from '../../client/handles/interventions.ts';
import { interventionCommand } from '../jobs/intervention-command.ts';

export const retryNowCommand = (): Command =>
  interventionCommand(REQUESTS.retryNow, {
    examples: ['retry-now train --why "the image is available now"', 'retry-now --all'],
    takesMany: true,
    call: () => ({ sentence: 'retry requested' }),
  });
