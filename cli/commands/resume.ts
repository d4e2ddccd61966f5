import type { Command } from 'commander';
import { REQUESTS } from '../../client/handles/interventions.ts';
import { interventionCommand } from '../jobs/intervention-command.ts';

export const resumeCommand = (): Command =>
  interventionCommand(REQUESTS.resume, {
    examples: ['resume train', 'resume --all -n ml'],
    takesMany: true,
    call: () => ({ sentence: 'resume requested' }),
  });
