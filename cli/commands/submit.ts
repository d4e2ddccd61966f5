import { Command, Option } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { SubmissionAttempt } from '../../client/handles/submission-attempt.ts';
import type { Manifest } from '../../client/manifests/named-manifest.ts';
import type { SubmissionResult } from '../../client/servers/client-settings.ts';
import { consoleAddress } from '../../contracts/console-address.ts';
import type { Document } from '../input/documents.ts';
import { cleanUpTimeoutOption, manifestFiles, workflowIdOption } from '../input/job-options.ts';
import { type Labels, oneMoreLabel } from '../input/labels.ts';
import { readManifests } from '../input/manifests.ts';
import { cleanUpOptions } from '../jobs/clean-up-options.ts';
import { eachJob, failedJob } from '../jobs/each-job.ts';
import { printUntilEnd } from '../jobs/follow.ts';
import { checkAll, handleOther } from '../jobs/manifest-jobs.ts';
import { endWith, waitForAll } from '../jobs/wait.ts';
import { type Format, note, oneOrAll, outputOption, printData, write } from '../print/output.ts';
import { withClient } from '../session/session.ts';
import { UsageError } from '../shell/errors.ts';
import { exitCodeTable } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';

interface SubmitFlags {
  readonly namespace?: string;
  readonly workflowId?: string;
  readonly rerun?: boolean;
  readonly strict: boolean;
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
  'submit trials/ --key trials-7 -o json',
  'submit job.yaml --rerun --why "with the new data"',
  'submit job.yaml --key nightly-2026-11-23 --label team=nlp',
  'submit - -o json',
];

const HELP = `All jobs of all files are checked before the first one starts. Other objects in the files, e.g. a volume claim, are
skipped unless --create-others is given. Of several jobs many start at once. If one cannot be started, the others still
are; the exit code is that of the first failure. The same command continues where an earlier one stopped: jobs that it
started are found again, with --key also those that have ended since. While an ended job of the same name is cleaned up,
the new one waits; Ctrl-C gives up.`;

export const submitCommand = (): Command =>
  withExamples(manifestFiles(new Command('submit')), EXAMPLES, `${HELP}\n\nExit codes:\n${exitCodeTable()}`)
    .description('start the jobs in manifests; submitting a manifest twice gives one job')
    .addOption(workflowIdOption('workflow id instead of job/NAMESPACE/NAME; for one job only'))
    .option('--key <key>', 'idempotency key: submitting with it again finds the same run of each job')
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
      const { jobs, others } = await readManifests(files, command);
      refuseForMany(jobs, flags);
      const manifests = await checkAll(jobs, command, flags.key);
      await withClient(command, async ({ client, settings }) => {
        const addressOf = ({ metadata }: Manifest) => consoleAddress(settings.console.url, metadata);
        for (const other of others) await handleOther(client, other, flags);
        const submitted = await eachJob(submissions(client, manifests, flags), {
          manifests,
          step: 'submitting',
          warningsOf: ({ job }) => job.warnings,
          print: ({ job, manifest }) => printSubmitted(job, flags, addressOf(manifest)),
          resultOf: ({ job: { submission = 'started' } }) => submission.replace('-', ' '),
        });
        await printEnds(submitted, flags);
      });
    });

async function* submissions(
  client: SignalboxClient,
  manifests: readonly Manifest[],
  { workflowId, label, namespace, rerun, strict, key, why, cleanUpTimeout }: SubmitFlags,
): AsyncGenerator<SubmissionAttempt<Manifest>> {
  const cleanUp = cleanUpOptions(cleanUpTimeout === undefined ? {} : { cleanUpTimeout });
  const options = { namespace, rerun, strict, key, why, ...cleanUp, labels: label };
  if (manifests.length > 1) return yield* client.submitMany(manifests, options);
  const [manifest] = manifests;
  yield { manifest: manifest!, index: 0, job: await client.submit(manifest!, { ...options, workflowId }) };
}

/** A key that was used finds its run again, so that --rerun would have no effect. */
function refuseKeyWithRerun({ key, rerun }: SubmitFlags): void {
  if (key === undefined || !rerun) return;
  throw new UsageError('--rerun cannot be used with --key: a key that was used finds its run again.', {
    remedy: 'To run the job again, submit it with another key.',
  });
}

function refuseForMany({ length }: readonly Document[], { workflowId, follow }: SubmitFlags): void {
  if (length === 1) return;
  const one = `takes one job, got ${length}`;
  if (workflowId !== undefined) throw new UsageError(`--workflow-id ${one}.`);
  if (follow) throw new UsageError(`--follow ${one}.`, { remedy: 'Use --wait.' });
}

function printSubmitted(job: JobHandle, flags: SubmitFlags, address: string | undefined): void {
  const sentence = sentenceOfSubmission(job, flags);
  if (flags.wait || flags.follow) note(sentence);
  else if (!flags.output) write(sentence);
  if (address !== undefined && !flags.output) note(address);
}

async function printEnds(
  submitted: readonly SubmissionAttempt<Manifest>[],
  { wait, follow, output }: SubmitFlags,
): Promise<void> {
  const isOne = submitted.length === 1;
  if (wait || follow) {
    const jobs = submitted.flatMap(({ job }) => job ?? []);
    if (jobs.length === 0) return;
    const ends = follow ? [await printUntilEnd(jobs[0]!)] : await waitForAll(jobs);
    return endWith(ends, output, { isOne });
  }
  if (output) await printData(oneOrAll(submitted.map(dataOf), isOne), output);
}

function dataOf({ manifest, job, error }: SubmissionAttempt<Manifest>) {
  if (error) return failedJob(manifest, error, { submission: 'failed' });
  const { workflowId, runId, submission } = job;
  return { workflowId, runId, submission };
}
