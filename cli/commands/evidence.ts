import { Command } from 'commander';
import type { EvidenceChoice } from '../../client/evidence.ts';
import type { EvidenceRecord } from '../../contracts/evidence-record.ts';
import { aboutJob, evidenceOptions } from '../input/job-options.ts';
import { wholeNumber } from '../input/parse.ts';
import { type Format, outputOption, print } from '../print/output.ts';
import { selectedJob, withClient } from '../session.ts';

interface EvidenceFlags extends EvidenceChoice {
  readonly output: Format;
}

export const evidenceCommand = (): Command =>
  evidenceOptions(
    aboutJob(new Command('evidence'))
      .description(
        'show why pods of a job failed: exit code, last log lines, node, events; also for deleted pods',
      )
      .option('--pod <name>', 'only this pod')
      .option('--attempt <number>', 'only this attempt', wholeNumber)
      .addOption(outputOption()),
  ).action(async (name: string | undefined, flags: EvidenceFlags, command: Command) => {
    const asked = selectedJob(name, command);
    const { pod, attempt, output } = flags;
    await withClient(command, async ({ client }) => {
      const records: EvidenceRecord[] = [];
      const job = await client.find(asked);
      for await (const record of job.evidence({ pod, attempt })) records.push(record);
      const { evidencePages } = await import('../print/evidence-pages.ts');
      await print(records, output, () => evidencePages(records));
    });
  });
