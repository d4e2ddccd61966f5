import { Command } from 'commander';
import { withExamples } from '../help-text.ts';
import { aboutJob } from '../input/job-options.ts';
import { chosenJob, findJob } from '../job-choice.ts';
import { type Format, outputOption, print } from '../print/output.ts';
import { noteIfRecorded } from '../print/recorded.ts';
import { withClient } from '../session.ts';

export const historyCommand = (): Command =>
  withExamples(aboutJob(new Command('history')), ['history train', 'history job/ml/train -o json'])
    .description('show what happened to a job, when, and why')
    .addOption(outputOption())
    .action(async (name: string | undefined, { output }: { output: Format }, command: Command) => {
      const asked = chosenJob(name, command);
      await withClient(command, async ({ client }) => {
        const job = await findJob(client, asked);
        const status = await job.status();
        noteIfRecorded(job, status);
        const { timelineText } = await import('../print/job-text.ts');
        await print(status.timeline, output, () => timelineText(status));
      });
    });
