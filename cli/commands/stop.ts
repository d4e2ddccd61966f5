import type { Command } from 'commander';
import { interventionCommand } from '../jobs/intervention-command.ts';
import { printOutcomes, waitForAll } from '../jobs/wait.ts';
import type { FormatOrName } from '../print/output.ts';

interface StopFlags {
  readonly checkpoint?: boolean;
  readonly wait?: boolean;
  readonly output: FormatOrName;
}

export const stopCommand = (): Command =>
  interventionCommand('stop', {
    description: 'stop a job: remove its pods and end it as Stopped',
    examples: [
      'stop train --checkpoint --wait --why "wrong learning rate"',
      'stop job/ml/train train-2',
      'stop -l team=nlp --phase Pending -n ml --why "the quota is used up"',
      'stop --all -o json',
    ],
    help: 'With --checkpoint, the job’s policy says how to ask for a checkpoint and how long to wait for it.',
    shape: (command) =>
      command
        .option('--checkpoint', 'first ask the job for a checkpoint')
        .option('--wait', 'wait until the job has ended'),
    selects: () => true,
    call: (command) => {
      const { checkpoint, wait, output } = command.opts<StopFlags>();
      const format = output === 'name' ? undefined : output;
      return {
        ask: (job, who) => job.stop({ ...who, checkpoint }),
        sentence: checkpoint ? 'checkpoint and stop requested' : 'stop requested',
        // The user asked for a stop, so the exit code is 0 whatever the outcome is.
        report: wait
          ? async (jobs) => printOutcomes(await waitForAll(jobs), format, { isOne: jobs.length === 1 })
          : undefined,
      };
    },
  });
