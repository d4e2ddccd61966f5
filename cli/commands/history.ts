import { Command } from 'commander';
import { aboutJob } from '../input/job-options.ts';
import { type Format, outputOption, print } from '../print/output.ts';
import { selectedJob, withClient } from '../session.ts';

export const historyCommand = (): Command =>
  aboutJob(new Command('history'))
    .description('show what happened to a job, when, and why')
    .addOption(outputOption())
    .action(async (name: string | undefined, { output }: { output: Format }, command: Command) => {
      const asked = selectedJob(name, command);
      await withClient(command, async ({ client }) => {
        const status = await (await client.find(asked)).status();
        const { timelineText } = await import('../print/job-text.ts');
        await print(status.timeline, output, () => timelineText(status));
      });
    });
