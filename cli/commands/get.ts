import { Command } from 'commander';
import type { JobHandle } from '../../client/job-handle.ts';
import { isFinal } from '../../contracts/status.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../help-text.ts';
import { aboutJobs } from '../input/job-options.ts';
import { type ChosenJob, chosenJob, findJob } from '../job-choice.ts';
import { jobTable } from '../print/job-table.ts';
import type { SubmittedStatus } from '../print/job-text.ts';
import { headingsOption, oneOrAll, outputOption, print, type TableFormat, write } from '../print/output.ts';
import { noteIfRecorded } from '../print/recorded.ts';
import { withClient } from '../session.ts';
import { everyTwoSeconds, printTables } from '../watch.ts';

interface GetFlags {
  readonly workflowId?: string;
  readonly watch?: boolean;
  readonly headers: boolean;
  readonly output: TableFormat;
}

const EXAMPLES = [
  'get train',
  'get job/ml/train',
  'get train train-2 -n ml -o json',
  'get train -o wide',
  'get train --watch',
];

export const getCommand = (): Command =>
  withExamples(aboutJobs(new Command('get')), EXAMPLES, 'See `signalbox list` for all jobs.')
    .description('show a job’s phase, its cause and its replicas')
    .option('-w, --watch', 'show changes until all jobs have ended')
    .addOption(headingsOption())
    .addOption(outputOption('name', 'wide'))
    .action(async (names: readonly string[], flags: GetFlags, command: Command) => {
      const chosen = chosenJobs(names, flags, command);
      await withClient(command, async ({ client }) => {
        const jobs: JobHandle[] = [];
        for (const each of chosen) jobs.push(await findJob(client, each));
        return flags.watch ? watchStatus(jobs, flags) : printStatus(jobs, flags);
      });
    });

function chosenJobs(names: readonly string[], { workflowId }: GetFlags, command: Command): ChosenJob[] {
  if (workflowId === undefined && names.length > 0) return names.map((name) => chosenJob(name, command));
  if (workflowId !== undefined && names[0] !== undefined)
    throw new UsageError(`Expected a NAME or --workflow-id, got both ${names[0]} and ${workflowId}.`);
  return [chosenJob(undefined, command)];
}

async function printStatus(jobs: readonly JobHandle[], { output }: GetFlags): Promise<void> {
  if (output === 'name') {
    for (const { workflowId } of jobs) write(workflowId);
    return;
  }
  const found: { job: JobHandle; status: SubmittedStatus }[] = [];
  for (const job of jobs) {
    const [status, { submittedBy, why, rerunOf }] = await Promise.all([job.status(), job.summary()]);
    noteIfRecorded(job, status);
    found.push({ job, status: { ...status, submittedBy, why, rerunOf } });
  }
  const data = oneOrAll(
    found.map(({ status }) => status),
    jobs.length === 1,
  );
  const isWide = output === 'wide';
  await print(data, isWide ? undefined : output, async () => {
    const texts = found.map(({ job, status }) => textOf(job, status, isWide));
    return (await Promise.all(texts)).join('\n\n');
  });
}

async function textOf(job: JobHandle, status: SubmittedStatus, isWide: boolean): Promise<string> {
  const { conditionsText, jobText } = await import('../print/job-text.ts');
  const text = await jobText(status, job.workflowId);
  return isWide ? `${text}\n\n${await conditionsText(status)}` : text;
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
