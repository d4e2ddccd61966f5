import { Command } from 'commander';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { errorMessage } from '../../language/error-message.ts';
import { type ArchivedFlags, archivedOptions, liveOrArchived } from '../archived/archived.ts';
import { aboutJob } from '../input/job-options.ts';
import { momentOf, positive } from '../input/parse.ts';
import { chosenJob } from '../jobs/job-choice.ts';
import { replayHere } from '../jobs/replay-ledger.ts';
import { untilInterrupted } from '../jobs/wait.ts';
import { openInConsole, type WebFlags, webOption } from '../jobs/web.ts';
import type { LedgerFormat, ShownLedger } from '../print/ledger.ts';
import { note, outputOption } from '../print/output.ts';
import type { Session } from '../session/session.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';

interface HistoryFlags extends ArchivedFlags, ShownLedger, WebFlags {
  readonly follow?: boolean;
  readonly output: LedgerFormat;
}

const EXAMPLES = [
  'history train',
  'history train --attempt 2 --since 1h',
  'history train --follow',
  'history job/ml/train -o json',
  'history train@-1',
  'history train -o jsonl | sha256sum',
  'history train --archived',
];

const HELP = `"claimed" is what the caller said, "authenticated" what Temporal's authorizer has checked. -o jsonl prints the lines of
the job's ledger as its archive has them, each with the SHA-256 of the line before.`;

export const historyCommand = (): Command =>
  withExamples(webOption(archivedOptions(aboutJob(new Command('history')))), EXAMPLES, HELP)
    .description('show what happened to a job, when, why, and who asked for it')
    .option('--attempt <number>', 'only this attempt', positive)
    .option('--since <time>', 'only then or later: RFC 3339, a day, or a duration ago like 2h', momentOf)
    .option('-f, --follow', 'show new entries until the job has ended')
    .addOption(outputOption('jsonl'))
    .action(async (name: string | undefined, flags: HistoryFlags, command: Command) => {
      const asked = chosenJob(name, command);
      if (flags.web) return openInConsole([asked], command, { section: 'ledger', archived: flags.archived });
      const { follow, output } = flags;
      if (follow && (output === 'json' || output === 'yaml')) {
        throw new UsageError(`--follow prints text or jsonl, got -o ${output}.`, { remedy: 'Use -o jsonl.' });
      }
      await liveOrArchived({ command, archived: flags.archived }, asked, {
        server: (job, session) => printJob(job, flags, session),
        archive: async (archive) => {
          const { printLedger } = await import('../print/ledger.ts');
          await printLedger(await archive.entries(), archive.job, flags);
        },
      });
    });

async function printJob(job: JobHandle, flags: HistoryFlags, { client, settings }: Session): Promise<void> {
  const { printLedger } = await import('../print/ledger.ts');
  const subject = { workflowId: job.workflowId, firstRunId: await job.firstRunId() };
  const replay = replayHere(settings.temporal);
  if (!flags.follow) {
    const entries = await job.history({ replay });
    await printLedger(entries, subject, flags);
    if (flags.output) return;
    const { writeTold } = await import('../notify/told.ts');
    return writeTold(client, await job.summary(), entries);
  }
  const following = (signal: AbortSignal) => job.followHistory({ signal, replay, onInterrupted });
  await untilInterrupted([job], (signal) => printLedger(following(signal), subject, flags));
}

const onInterrupted = (error: unknown): void => note(`(${errorMessage(error)} Trying again.)`);
