import { Command, Option } from 'commander';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { SubmissionResult } from '../../client/servers/client-settings.ts';
import type { Document } from '../input/documents.ts';
import { cleanUpTimeoutOption, manifestFiles, workflowIdOption } from '../input/job-options.ts';
import { type Labels, oneMoreLabel } from '../input/labels.ts';
import { readManifests } from '../input/manifests.ts';
import { cleanUpOptions } from '../jobs/clean-up-options.ts';
import { printUntilEnd } from '../jobs/follow.ts';
import { checkAll, handleOther, ofEach } from '../jobs/manifest-jobs.ts';
import { endWith, waitForAll } from '../jobs/wait.ts';
import { type Format, note, oneOrAll, outputOption, print } from '../print/output.ts';
import { withClient } from '../session/session.ts';
import { UsageError } from '../shell/errors.ts';
import { exitCodeTable } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';

interface SubmitFlags {
  readonly namespace?: string;
  readonly workflowId?: string;
  readonly rerun?: boolean;
  readonly key?: string;
  readonly label?: Labels;
  readonly why?: string;
  readonly createOthers?: boolean;
  readonly cleanUpTimeout?: number;
  readonly wait?: boolean;
  readonly follow?: boolean;
  readonly output: Format;
}

const SENTENCES: Readonly<Record<SubmissionResult, string>> = {
  started: 'started',
  'already-running': 'is already running; the same manifest was submitted before',
  'already-completed': 'has already completed',
  'already-ended': 'has already ended',
};

function sentenceOfSubmission(
  { workflowId, submission = 'started' }: JobHandle,
  { key }: SubmitFlags,
): string {
  const again = key === undefined ? '--rerun runs it again' : 'another --key runs it again';
  return `${workflowId} ${SENTENCES[submission]}${submission === 'already-completed' ? `; ${again}` : ''}`;
}

const EXAMPLES = [
  'submit job.yaml',
  'submit job.yaml --follow',
  'submit jobs/ --wait -n ml',
  'submit job.yaml --rerun --why "with the new data"',
  'submit job.yaml --key nightly-2026-11-23 --label team=nlp',
  'submit - -o json',
];

const HELP = `All jobs of all files are checked before the first one starts. Other objects in the files, e.g. a volume claim, are
skipped unless --create-others is given. If one of several jobs cannot be started, the others still are; the exit code
is that of the first failure. While an ended job of the same name is cleaned up, the new one waits; Ctrl-C gives up.`;

export const submitCommand = (): Command =>
  withExamples(manifestFiles(new Command('submit')), EXAMPLES, `${HELP}\n\nExit codes:\n${exitCodeTable()}`)
    .description('start the jobs in manifests; submitting a manifest twice gives one job')
    .addOption(workflowIdOption('workflow id instead of job/NAMESPACE/NAME; for one job only'))
    .option('--key <key>', 'idempotency key: submitting with it again finds the same run; for one job only')
    .option('--label <key=value>', 'add a label to the job; repeatable', oneMoreLabel)
    .option('--why <text>', 'the reason, recorded with the job')
    .option('--create-others', 'first create the other objects in the files, unless they exist')
    .option('--rerun', 'run a job again that has already completed')
    .addOption(cleanUpTimeoutOption())
    .addOption(new Option('-w, --wait', 'wait until all jobs have ended').conflicts('follow'))
    .option('-f, --follow', 'print phases, causes and the job’s log until it has ended; for one job only')
    .addOption(outputOption())
    .action(async (files: readonly string[], flags: SubmitFlags, command: Command) => {
      refuseKeyWithRerun(flags);
      const { jobs, others } = await readManifests(files);
      refuseForMany(jobs, flags);
      const manifests = await checkAll(jobs, command, flags.key);
      await withClient(command, async ({ client }) => {
        for (const other of others) await handleOther(client, other, flags);
        const submitted = await ofEach(manifests, (manifest) =>
          client.submit(manifest, { ...flags, ...cleanUpOptions(flags), labels: flags.label }),
        );
        await printSubmitted(submitted, flags, manifests.length === 1);
      });
    });

/** A key that was used finds its run again, so that --rerun would have no effect. */
function refuseKeyWithRerun({ key, rerun }: SubmitFlags): void {
  if (key === undefined || !rerun) return;
  throw new UsageError('--rerun cannot be used with --key: a key that was used finds its run again.', {
    remedy: 'To run the job again, submit it with another key.',
  });
}

function refuseForMany({ length }: readonly Document[], { workflowId, key, follow }: SubmitFlags): void {
  if (length === 1) return;
  const one = `takes one job, got ${length}`;
  if (workflowId !== undefined) throw new UsageError(`--workflow-id ${one}.`);
  if (key !== undefined) throw new UsageError(`--key ${one}.`);
  if (follow) throw new UsageError(`--follow ${one}.`, { remedy: 'Use --wait.' });
}

async function printSubmitted(
  submitted: readonly JobHandle[],
  flags: SubmitFlags,
  isOne: boolean,
): Promise<void> {
  const sentences = submitted.map((job) => sentenceOfSubmission(job, flags));
  if (submitted.length === 0) return;
  for (const warning of new Set(submitted.flatMap(({ warnings }) => warnings))) note(`warning: ${warning}`);
  if (!flags.wait && !flags.follow) {
    const data = submitted.map(({ workflowId, runId, submission }) => ({ workflowId, runId, submission }));
    return print(oneOrAll(data, isOne), flags.output, () => sentences.join('\n'));
  }
  for (const sentence of sentences) note(sentence);
  const ends = flags.follow ? [await printUntilEnd(submitted[0]!)] : await waitForAll(submitted);
  await endWith(ends, flags.output, { isOne });
}
