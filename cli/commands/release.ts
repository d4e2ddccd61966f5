import type { Command } from 'commander';
import { REQUESTS } from '../../client/handles/interventions.ts';
import { interventionCommand } from '../jobs/intervention-command.ts';

export const releaseCommand = (): Command =>
  interventionCommand(REQUESTS.release, {
    examples: ['release train --why "seen enough"'],
    call: () => ({ sentence: 'release requested' }),
  });
