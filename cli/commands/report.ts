import { Command } from 'commander';
import { withExamples } from '../help-text.ts';
import { aboutJob } from '../input/job-options.ts';
import { chosenJob, findJob } from '../job-choice.ts';
import { note } from '../print/output.ts';
import { withClient } from '../session.ts';

interface ReportFlags {
  readonly out?: string;
}

export const reportCommand = (): Command =>
  withExamples(aboutJob(new Command('report')), [
    'report train',
    'report train --out reports/train.html',
    'report train --out - > train.html',
  ])
    .description('write a page about a job that can be sent around: timeline, failures, waits, who did what')
    .option('--out <file>', 'the file to write; - is standard output; default: NAME.html')
    .action(async (name: string | undefined, flags: ReportFlags, command: Command) => {
      const asked = chosenJob(name, command);
      await withClient(command, async ({ client, settings }) => {
        const job = await findJob(client, asked);
        const { serverReport } = await import('../report/server-report.ts');
        const data = await serverReport(job, settings.temporal.address);
        const [{ renderReport }, { writeReport }] = await Promise.all([
          import('../report/render-report.ts'),
          import('../report/write-report.ts'),
        ]);
        for (const what of data.missing) note(`warning: the report lacks ${what}`);
        await writeReport(renderReport(data), flags.out ?? `${data.status.name}.html`);
      });
    });
