import type { Command } from 'commander';
import { REQUESTS } from '../../client/handles/interventions.ts';
import { interventionCommand } from '../jobs/intervention-command.ts';
import { printOutcomes, waitForAll } from '../jobs/wait.ts';
import type { FormatOrName } from '../print/output.ts';

interface StopFlags {
  readonly checkpoint?: boolean;
  readonly wait?: boolean;
  readonly output: FormatOrName;
}

export const stopCommand = (): Command =>
  interventionCommand(REQUESTS.stop, {
    examples: [
      'stop train --checkpoint --wait --why "wrong learning rate"',
      'stop job/ml/train train-2',
      'stop -l team=nlp --phase Pending -n ml --why "the quota is used up"',
      'stop --all -o json',
    ],
    shape: (command) =>
      command
        .option('--checkpoint', 'first ask the job for a checkpoint')
        .option('--wait', 'wait until the job has ended'),
    takesMany: true,
    call: (command) => {
      const { checkpoint, wait, output } = command.opts<StopFlags>();
      const format = output === 'name' ? undefined : output;
      return {
        fields: { checkpoint },
        sentence: checkpoint ? 'checkpoint and stop requested' : 'stop requested',
        // The user asked for a stop, so the exit code is 0 whatever the outcome is.
        report: wait
          ? async (jobs) => printOutcomes(await waitForAll(jobs), format, { isOne: jobs.length === 1 })
          : undefined,
      };
    },
  });
