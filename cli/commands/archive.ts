import { Command } from 'commander';
import type { ArchiverStatus } from '../../client/use-cases/archive/archiver.ts';
import type { ArchiveProgress, ArchiveRequest } from '../../contracts/archiver.ts';
import { isFinal } from '../../contracts/status.ts';
import { archiveDeleteCommand } from '../archive/delete-command.ts';
import { requestDone } from '../archive/request-done.ts';
import { aboutJobs } from '../input/job-options.ts';
import { momentOrDuration } from '../input/parse.ts';
import { chosenJob, findJob } from '../jobs/job-choice.ts';
import { type Format, note, outputOption, print } from '../print/output.ts';
import { formatTable } from '../print/table.ts';
import { clock } from '../print/times.ts';
import { type Session, withClient } from '../session/session.ts';
import { UsageError } from '../shell/errors.ts';
import { exitWith } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';

interface ArchiveFlags {
  readonly all?: boolean;
  /** A time, or how many milliseconds ago. */
  readonly since?: Date | number;
  readonly wait?: boolean;
  readonly output: Format;
}

const HELP = `Workers archive jobs as they end. This command archives ended jobs now; existing archives do not change. It needs a
worker with an archive; docs/archive.md.`;

export const archiveCommand = (): Command =>
  withExamples(
    aboutJobs(new Command('archive')),
    [
      'archive train --wait',
      'archive --since 30d',
      'archive --all --wait',
      'archive status',
      "archive delete train --why 'asked by its owner'",
    ],
    HELP,
  )
    .description('archive ended jobs now; show what is not archived yet')
    .option('--all', 'all ended jobs that Temporal still has')
    .option(
      '--since <time>',
      'all jobs that ended then or later: RFC 3339, a day, or a duration ago',
      momentOrDuration,
    )
    .option('-w, --wait', 'wait until they are archived')
    .addOption(outputOption())
    .action(async (names: readonly string[], flags: ArchiveFlags, command: Command) => {
      await withClient(command, async (session) => {
        const request = await archiveRequest(names, flags, { session, command });
        const number = await session.client.archiver.ask(request);
        if (!flags.wait) return note(`request ${number} is with the archiver: signalbox archive status`);
        await showResult(await requestDone(session.client, number), flags);
      });
    })
    .addCommand(statusCommand())
    .addCommand(archiveDeleteCommand());

const statusCommand = (): Command =>
  withExamples(new Command('status'), ['archive status', 'archive status -o json'])
    .description('show which ended jobs are not archived yet, and why')
    .addOption(outputOption())
    .action(async ({ output }: { readonly output: Format }, command: Command) => {
      await withClient(command, async ({ client, settings }) => {
        const status = await client.archiver.status();
        await print(status, output, async () => {
          const { verifierAdvice } = await import('../archive/verifier-advice.ts');
          return statusText(status, placeOfArchive(settings), await verifierAdvice(settings.archive));
        });
        if (status.problem ?? status.failure) exitWith('unhealthy');
      });
    });

async function archiveRequest(
  names: readonly string[],
  { all, since }: ArchiveFlags,
  { session, command }: { readonly session: Session; readonly command: Command },
): Promise<ArchiveRequest> {
  const { workflowId } = command.opts<{ readonly workflowId?: string }>();
  const chosen = workflowId === undefined ? names : [undefined];
  if ([chosen.length > 0, all, since !== undefined].filter(Boolean).length !== 1)
    throw new UsageError('Pass one of NAME..., --workflow-id, --all or --since.');
  if (all) return { all: true };
  if (since !== undefined)
    return typeof since === 'number' ? { forMs: since } : { since: since.toISOString() };
  const workflowIds: string[] = [];
  for (const name of chosen) {
    const job = await findJob(session.client, chosenJob(name, command));
    const { phase, endTime } = await job.summary();
    if (!isFinal(phase) || endTime === undefined)
      throw new UsageError(`${job.workflowId} is still running; it is archived when it ends.`);
    workflowIds.push(job.workflowId);
  }
  return { workflowIds };
}

async function showResult(result: ArchiveProgress, { output }: ArchiveFlags): Promise<void> {
  await print(result, output, () => resultText(result));
  if (result.failed.length > 0) exitWith('unexpected');
}

function resultText({ archived, known, failed }: ArchiveProgress): string {
  const before = known > 0 ? `, ${known} in the archive before` : '';
  return [
    `${archived} archived${before}`,
    ...failed.map(({ workflowId, why }) => `${workflowId}: ${why}`),
  ].join('\n');
}

const placeOfArchive = ({ archive: { store } }: Session['settings']): string =>
  store === undefined ? 'none' : store.store === 'files' ? store.directory : `s3://${store.bucket}`;

async function statusText(status: ArchiverStatus, place: string, advice?: string): Promise<string> {
  const {
    archived = 0,
    waiting = 0,
    oldestWaiting,
    endangered = 0,
    problem,
    failures = 0,
    failed = [],
    failure,
    at,
    requests,
  } = status;
  const rows = [
    ['archive', place],
    ['archived', `${archived} since the archiver was started`],
    ['waiting', waiting === 0 ? 'no job' : `${waiting}, the first since ${oldestWaiting}`],
    [
      'endangered',
      endangered === 0 ? 'no job' : `${endangered} with less than a quarter of the retention time left`,
    ],
    ['last look', at ? clock(at) : 'none yet'],
    ...(problem ? [['problem', problem]] : []),
    ...failed.map(({ workflowId, why }) => ['not archived', `${workflowId}: ${why}`]),
    ...(failures > failed.length ? [['not archived', `and ${failures - failed.length} more`]] : []),
    ...(failure ? [['failure', failure]] : []),
    ...(advice ? [['to verify', advice]] : []),
    ...(requests ? [] : [['worker', 'none answers; requests are not shown']]),
    ...(requests ?? []).map((one) => [`request ${one.number}`, `${one.state}: ${resultText(one)}`]),
  ];
  return formatTable(undefined, rows);
}
