import { Command } from 'commander';
import type { EvidenceChoice } from '../../client/evidence.ts';
import type { EvidenceRecord } from '../../contracts/evidence-record.ts';
import { withExamples } from '../help-text.ts';
import { aboutJob, evidenceOptions } from '../input/job-options.ts';
import { wholeNumber } from '../input/parse.ts';
import { chosenJob, findJob } from '../job-choice.ts';
import { type Format, outputOption, print } from '../print/output.ts';
import { withClient } from '../session.ts';

interface EvidenceFlags extends EvidenceChoice {
  readonly output: Format;
}

export const evidenceCommand = (): Command =>
  evidenceOptions(
    withExamples(aboutJob(new Command('evidence')), [
      'evidence train',
      'evidence train --attempt 2 -o json',
      'evidence train --pod train-worker-3',
    ])
      .description(
        'show why pods of a job failed: exit code, last log lines, node, events; also for deleted pods',
      )
      .option('--pod <name>', 'only this pod')
      .option('--attempt <number>', 'only this attempt', wholeNumber)
      .addOption(outputOption()),
  ).action(async (name: string | undefined, flags: EvidenceFlags, command: Command) => {
    const asked = chosenJob(name, command);
    const { pod, attempt, output } = flags;
    await withClient(command, async ({ client }) => {
      const records: EvidenceRecord[] = [];
      const job = await findJob(client, asked);
      for await (const record of job.evidence({ pod, attempt })) records.push(record);
      const { evidencePages } = await import('../print/evidence-pages.ts');
      await print(records, output, () => evidencePages(records));
    });
  });
