import type { Command } from 'commander';
import { interventionCommand } from '../intervention-command.ts';
import type { Format } from '../print/output.ts';
import { endWith, waitForAll } from '../wait.ts';

interface StopFlags {
  readonly checkpoint?: boolean;
  readonly wait?: boolean;
  readonly output: Format;
}

export const stopCommand = (): Command =>
  interventionCommand('stop', {
    description: 'stop a job: remove its pods and end it as Stopped',
    example: 'stop train --checkpoint --wait --why "wrong learning rate"',
    help: 'With --checkpoint, the job’s policy says how to ask for a checkpoint and how long to wait for it.',
    shape: (command) =>
      command
        .option('--checkpoint', 'first ask the job for a checkpoint')
        .option('--wait', 'wait until the job has ended'),
    call: (command) => {
      const { checkpoint, wait, output } = command.opts<StopFlags>();
      return {
        ask: (job, who) => job.stop({ ...who, checkpoint }),
        sentence: checkpoint ? 'checkpoint and stop requested' : 'stop requested',
        // The user asked for a stop, so the exit code is 0 whatever the outcome is.
        report: wait ? async (job) => endWith(await waitForAll([job]), output, { exitCode: 0 }) : undefined,
      };
    },
  });
