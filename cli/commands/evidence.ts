import { Command, Option } from 'commander';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { EvidenceChoice } from '../../client/use-cases/pods/evidence.ts';
import type { EvidenceRecord } from '../../contracts/types.ts';
import { allOf } from '../../language/all-of.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import { type ArchivedFlags, archivedOptions, liveOrArchived } from '../archived/archived.ts';
import { aboutJob, evidenceOptions } from '../input/job-options.ts';
import { wholeNumber } from '../input/parse.ts';
import { chosenJob } from '../jobs/job-choice.ts';
import { otherJobs } from '../jobs/other-jobs.ts';
import { openInConsole, type WebFlags, webOption } from '../jobs/web.ts';
import { type Format, outputOption, print } from '../print/output.ts';
import type { Session } from '../session/session.ts';
import { completedBy } from '../shell/completed-by.ts';
import { hasCode } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';

interface EvidenceFlags extends EvidenceChoice, ArchivedFlags, WebFlags {
  readonly output: Format;
}

export const evidenceCommand = (): Command =>
  evidenceOptions(
    withExamples(webOption(archivedOptions(aboutJob(new Command('evidence')))), [
      'evidence train',
      'evidence train --attempt 2 -o json',
      'evidence train --pod train-worker-3',
      'evidence train@-1',
      'evidence train --archived',
    ])
      .description(
        'show why pods of a job failed: exit code, last log lines, node, events; also for deleted pods',
      )
      .addOption(completedBy('pods', new Option('--pod <name>', 'only this pod')))
      .option('--attempt <number>', 'only this attempt', wholeNumber)
      .addOption(outputOption()),
  ).action(async (name: string | undefined, flags: EvidenceFlags, command: Command) => {
    const asked = chosenJob(name, command);
    const { pod, attempt, output, archived } = flags;
    if (flags.web) return openInConsole([asked], command, { section: 'failures', archived });
    const records = await liveOrArchived({ command, archived }, asked, {
      server: (job, session) => chosenEvidence(job, { pod, attempt }, session),
      archive: (archive) => recordsIn(archive, { pod, attempt }),
    });
    const { evidencePages } = await import('../print/evidence-pages.ts');
    await print(records, output, () => evidencePages(records));
  });

/** Says which job of the name it is about: the one that failed may be the one before. */
async function chosenEvidence(
  job: JobHandle,
  choice: EvidenceChoice,
  { client, settings }: Session,
): Promise<EvidenceRecord[]> {
  try {
    return await allOf(job.evidence(choice));
  } catch (error) {
    if (!hasCode(error, 'NoEvidence')) throw error;
    const { before, newest } = await otherJobs(client, job.summary(), settings);
    const failed = [before, newest].filter((other) => other?.job.phase === 'Failed');
    if (failed.length === 0) throw error;
    const { NoEvidenceError } = await import('../../client/errors/errors.ts');
    throw new NoEvidenceError(error.message, {
      cause: error,
      remedy: `Another job of that name Failed: ${failed.map((other) => `signalbox evidence ${other!.named}`).join(', ')}`,
    });
  }
}

async function recordsIn(archive: JobArchive, choice: EvidenceChoice): Promise<EvidenceRecord[]> {
  const [{ readEvidence }, { archivedEvidence }] = await Promise.all([
    import('../../client/use-cases/pods/evidence.ts'),
    import('../../record/archive/archived-evidence.ts'),
  ]);
  return allOf(readEvidence(await archivedEvidence(archive), archive.job.status, choice));
}
