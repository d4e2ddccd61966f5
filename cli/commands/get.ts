import { Command } from 'commander';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { JobSummary } from '../../client/servers/summary.ts';
import { isFinal } from '../../contracts/status.ts';
import { callAfter } from '../../language/timers.ts';
import type { ArchivedJob } from '../../record/archive/archived-job.ts';
import { type ArchivedFlags, archivedOptions, liveOrArchived } from '../archived/archived.ts';
import { withArchive } from '../archived/archived-job.ts';
import { aboutJobs } from '../input/job-options.ts';
import { type ChosenJob, chosenJob, findJob } from '../jobs/job-choice.ts';
import { otherJobs, otherJobsText } from '../jobs/other-jobs.ts';
import { everyTwoSeconds, printTables } from '../jobs/watch.ts';
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
import type { Settings } from '../settings/settings.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';

interface GetFlags extends ArchivedFlags {
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
];

const HELP = `@-1 is the job before the newest of that name, @-2 the one before that; @ and the beginning of a run id also names
one. See \`signalbox list -o wide\` for all jobs and their runs.`;

export const getCommand = (): Command =>
  withExamples(archivedOptions(aboutJobs(new Command('get'))), EXAMPLES, HELP)
    .description('show a job’s phase, its cause and its replicas')
    .option('-w, --watch', 'show changes until all jobs have ended')
    .addOption(headingsOption())
    .addOption(outputOption('name', 'wide'))
    .action(async (names: readonly string[], flags: GetFlags, command: Command) => {
      const chosen = chosenJobs(names, flags, command);
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

interface FoundJob {
  readonly workflowId: string;
  readonly status: SubmittedStatus;
  /** Sentences about other jobs of the name. */
  readonly others?: readonly string[];
}

async function printStatus(
  chosen: readonly ChosenJob[],
  { output, archived }: GetFlags,
  command: Command,
): Promise<void> {
  const found: FoundJob[] = [];
  for (const each of chosen) {
    const isNameOnly = output === 'name';
    found.push(
      await liveOrArchived<FoundJob>({ command, archived }, each, {
        server: (job, session) => (isNameOnly ? idsOfJob(job) : statusOf(job, session)),
        archive: async ({ job }) => ({ workflowId: job.workflowId, status: await archivedStatusOf(job) }),
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
    const texts = found.map((job) => textOfJob(job, isWide));
    return (await Promise.all(texts)).join('\n\n');
  });
}

/** A name needs no status. */
const idsOfJob = async ({ workflowId }: JobHandle): Promise<FoundJob> => ({
  workflowId,
  status: {} as SubmittedStatus,
});

async function statusOf(job: JobHandle, session: Session): Promise<FoundJob> {
  const summary = job.summary();
  const [status, { submittedBy, why, rerunOf }, others, silence] = await Promise.all([
    job.status(),
    summary,
    otherJobs(session.client, summary, session.settings),
    // The cluster loads while Temporal answers.
    silenceOf(summary, session),
  ]);
  noteIfRecorded(job, status);
  const [archive, left] = isFinal(status.phase)
    ? await Promise.all([archiveStateOf(job, summary, session), leftOf(job)])
    : [];
  const silent = status.phase === 'Running' ? silence : {};
  const all = { ...status, submittedBy, why, rerunOf, ...archive, ...left, ...silent };
  return { workflowId: job.workflowId, status: all, others: otherJobsText(others) };
}

/** Users without access to the cluster get no answer about it, and need not wait for one. */
async function leftOf(job: JobHandle): Promise<Pick<SubmittedStatus, 'remainingPods'>> {
  const late = new Promise<undefined>((resolve) => {
    callAfter(CLUSTER_MS, () => resolve(undefined), { keepsAlive: false });
  });
  const remainingPods = await Promise.race([job.remainingPods().catch(() => undefined), late]);
  return remainingPods ? { remainingPods } : {};
}

async function silenceOf(
  summary: Promise<JobSummary>,
  { client }: Session,
): Promise<Pick<SubmittedStatus, 'silence'>> {
  const job = await summary;
  const silence = (await client.silences([job])).get(job.workflowId);
  return silence ? { silence } : {};
}

const CLUSTER_MS = 3_000;

async function archiveStateOf(
  job: JobHandle,
  summary: Promise<JobSummary>,
  { client, settings }: Session,
): Promise<Pick<SubmittedStatus, 'archivedAt' | 'notArchived'>> {
  const archivedAt = await archivedAtOf(job, settings);
  if (archivedAt) return { archivedAt };
  const notArchived = await client.archiver.whyNotArchived(await summary).catch(() => undefined);
  return notArchived ? { notArchived } : {};
}

/** Users without access to the archive get no answer about it. */
async function archivedAtOf(job: JobHandle, settings: Settings): Promise<string | undefined> {
  if (!settings.archive.store) return undefined;
  try {
    const wanted = { workflowId: job.workflowId, runId: await job.firstRunId() };
    return await withArchive(settings, async (archive) => (await archive.find(wanted))?.job.archivedAt);
  } catch {
    return undefined;
  }
}

async function archivedStatusOf(job: ArchivedJob): Promise<SubmittedStatus> {
  const { archivedStatus } = await import('../print/archived-status.ts');
  return archivedStatus(job);
}

async function textOfJob({ workflowId, status, others = [] }: FoundJob, isWide: boolean): Promise<string> {
  const { conditionsText, jobText } = await import('../print/job-text.ts');
  const text = await jobText(status, workflowId);
  const parts = [text, isWide && (await conditionsText(status)), others.join('\n')];
  return parts.filter(Boolean).join('\n\n');
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
