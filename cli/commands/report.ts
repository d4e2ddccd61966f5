import { Command } from 'commander';
import { type ArchivedFlags, archivedOptions, liveOrArchived } from '../archived/archived.ts';
import { aboutJob, evidenceOptions } from '../input/job-options.ts';
import { chosenJob } from '../jobs/job-choice.ts';
import { note } from '../print/output.ts';
import { withExamples } from '../shell/help-text.ts';

interface ReportFlags extends ArchivedFlags {
  readonly out?: string;
}

const EXAMPLES = ['report train', 'report train -o reports/train.html', 'report train --archived -o -'];

export const reportCommand = (): Command =>
  evidenceOptions(withExamples(archivedOptions(aboutJob(new Command('report'))), EXAMPLES))
    .description('write one HTML file about a job: timeline, failures, waits, requests')
    .option('-o, --out <file>', 'the file to write; - is standard output; default: NAME.html')
    .action(async (name: string | undefined, { archived, out }: ReportFlags, command: Command) => {
      const data = await liveOrArchived({ command, archived }, chosenJob(name, command), {
        server: (job) => job.report(),
        archive: async (archive) => {
          const { archivedReport } = await import('../../client/use-cases/report/archived-report.ts');
          return archivedReport(archive);
        },
      });
      const [{ renderReport }, { writeReport }] = await Promise.all([
        import('../report/render-report.ts'),
        import('../report/write-report.ts'),
      ]);
      for (const what of data.missing) note(`warning: the report lacks ${what}`);
      await writeReport(renderReport(data), out ?? `${data.status.name}.html`);
    });
