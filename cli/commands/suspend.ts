import { Command } from 'commander';
import type { JobHandle } from '../../client/job-handle.ts';
import { whoAmI } from '../../client/who.ts';
import type { Intervention } from '../../contracts/messages.ts';
import { askedJob, withClient } from '../context.ts';
import { aboutJob } from '../job-options.ts';
import { type Format, outputOption, print } from '../output.ts';

export const suspendCommand = (): Command =>
  interventionCommand('suspend', {
    description: 'remove a job’s pods until it is resumed; no deadline runs meanwhile',
    ask: (job, request) => job.suspend(request),
  });

export const resumeCommand = (): Command =>
  interventionCommand('resume', {
    description: 'start the pods of a suspended job again',
    ask: (job, request) => job.resume(request),
  });

interface Described {
  readonly description: string;
  readonly ask: (job: JobHandle, request: Intervention) => Promise<void>;
}

/** A command that asks a job for something, and leaves who asked, and why, in its history. */
function interventionCommand(verb: 'suspend' | 'resume', { description, ask }: Described): Command {
  return aboutJob(new Command(verb))
    .description(description)
    .option('--why <text>', 'recorded with the request')
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: { why?: string; output: Format }, command: Command) => {
      const asked = askedJob(name, command);
      await withClient(command, async ({ client }) => {
        const job = client.job(asked);
        await ask(job, { by: whoAmI(), why: flags.why });
        const answer = { workflowId: job.workflowId, outcome: 'requested' };
        await print(answer, flags.output, () => `${job.workflowId}: ${verb} requested`);
      });
    });
}
