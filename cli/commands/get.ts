import { Command } from 'commander';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { isFinal } from '../../contracts/status.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import { type ArchivedFlags, archivedOptions, liveOrArchived } from '../archived/archived.ts';
import { type JobToShow, readShownJob, shownJobText } from '../archived/shown-job.ts';
import { aboutJobs } from '../input/job-options.ts';
import { type ChosenJob, chosenJob, findJob } from '../jobs/job-choice.ts';
import { everyTwoSeconds, printTables } from '../jobs/watch.ts';
import { openInConsole, type WebFlags, webOption } from '../jobs/web.ts';
import { jobTable } from '../print/job-table.ts';
import type { SubmittedStatus } from '../print/job-text.ts';
import {
  headingsOption,
  oneOrAll,
  outputOption,
  print,
  type TableFormat,
  writeData,
} from '../print/output.ts';
import { noteIfRecorded } from '../print/recorded.ts';
import { type Session, withClient } from '../session/session.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';

interface GetFlags extends ArchivedFlags, WebFlags {
  readonly workflowId?: string;
  readonly watch?: boolean;
  readonly headers: boolean;
  readonly output: TableFormat;
}

const EXAMPLES = [
  'get train',
  'get job/ml/train',
  'get train@-1',
  'get train train-2 -n ml -o json',
  'get train -o wide',
  'get train --watch',
  'get train --archived',
  'get train --web',
];

const HELP = `@-1 is the job before the newest of that name, @-2 the one before that; @ and the beginning of a run id also names
one. See \`signalbox list -o wide\` for all jobs and their runs.`;

export const getCommand = (): Command =>
  withExamples(webOption(archivedOptions(aboutJobs(new Command('get')))), EXAMPLES, HELP)
    .description('show a job’s phase, its cause and its replicas')
    .option('-w, --watch', 'show changes until all jobs have ended')
    .addOption(headingsOption())
    .addOption(outputOption('name', 'wide'))
    .action(async (names: readonly string[], flags: GetFlags, command: Command) => {
      const chosen = chosenJobs(names, flags, command);
      if (flags.web && flags.watch) throw new UsageError('Expected --web or --watch, got both.');
      if (flags.web) return openInConsole(chosen, command, flags);
      if (!flags.watch) return printStatus(chosen, flags, command);
      if (flags.archived) throw new UsageError('--watch: an archived job does not change.');
      await withClient(command, async ({ client }) => {
        const jobs: JobHandle[] = [];
        for (const each of chosen) jobs.push(await findJob(client, each));
        return watchStatus(jobs, flags);
      });
    });

function chosenJobs(names: readonly string[], { workflowId }: GetFlags, command: Command): ChosenJob[] {
  if (workflowId === undefined && names.length > 0) return names.map((name) => chosenJob(name, command));
  if (workflowId !== undefined && names[0] !== undefined)
    throw new UsageError(`Expected a NAME or --workflow-id, got both ${names[0]} and ${workflowId}.`);
  return [chosenJob(undefined, command)];
}

async function printStatus(
  chosen: readonly ChosenJob[],
  { output, archived }: GetFlags,
  command: Command,
): Promise<void> {
  const found: JobToShow[] = [];
  for (const each of chosen) {
    const isNameOnly = output === 'name';
    found.push(
      await liveOrArchived<JobToShow>({ command, archived }, each, {
        server: (job, session) => (isNameOnly ? idsOfJob(job) : foundJob(job, session)),
        archive: async (archive) => ({
          workflowId: archive.job.workflowId,
          status: await archivedStatusOf(archive),
        }),
      }),
    );
  }
  if (output === 'name') {
    for (const { workflowId } of found) writeData(workflowId, 'text');
    return;
  }
  const data = oneOrAll(
    found.map(({ status }) => status),
    found.length === 1,
  );
  const isWide = output === 'wide';
  await print(data, isWide ? undefined : output, async () => {
    const texts = found.map((job) => shownJobText(job, { isWide }));
    return (await Promise.all(texts)).join('\n\n');
  });
}

async function foundJob(job: JobHandle, session: Session): Promise<JobToShow> {
  const found = await readShownJob(job, session);
  noteIfRecorded(job, found.status);
  return found;
}

/** A name needs no status. */
const idsOfJob = async ({ workflowId }: JobHandle): Promise<JobToShow> => ({
  workflowId,
  status: {} as SubmittedStatus,
});

async function archivedStatusOf(archive: JobArchive): Promise<SubmittedStatus> {
  const { archivedStatus } = await import('../print/archived-status.ts');
  return archivedStatus(archive.job);
}

/** A row for each job, from what Temporal records: needs no worker. */
function watchStatus(jobs: readonly JobHandle[], { headers, output }: GetFlags): Promise<void> {
  const read = async () => {
    const summaries = await Promise.all(jobs.map((job) => job.summary()));
    return {
      rows: summaries.map((job) => ({ key: job.workflowId, name: job.workflowId, data: job })),
      text: () => jobTable(summaries, { isWide: output === 'wide', hasHeadings: headers }),
      hasHeadings: headers,
      isLast: summaries.every(({ phase }) => isFinal(phase)),
    };
  };
  return printTables(
    everyTwoSeconds(read, ({ isLast }) => isLast),
    output,
  );
}
