import { Command, Option } from 'commander';
import type { JobHandle } from '../../client/job-handle.ts';
import type { Manifest } from '../../client/manifest.ts';
import type { SubmitOutcome } from '../../client/submit.ts';
import { settingsOf, withClient } from '../context.ts';
import { followAloud } from '../following.ts';
import { namespaceOption, workflowIdOption } from '../job-options.ts';
import { readManifest } from '../manifest-file.ts';
import { type Format, note, outputOption, print } from '../output.ts';
import { endWith, waitQuietly } from '../waiting.ts';

interface SubmitFlags {
  readonly namespace?: string;
  readonly workflowId?: string;
  readonly rerun?: boolean;
  readonly wait?: boolean;
  readonly follow?: boolean;
  readonly output: Format;
}

const SENTENCES: Readonly<Record<SubmitOutcome, string>> = {
  started: 'started',
  'already-running': 'runs already; the same manifest was submitted before',
  'already-completed': 'has completed already; --rerun runs it again',
};

export const submitCommand = (): Command =>
  new Command('submit')
    .description('start the job of a manifest; the same manifest twice is one job')
    .argument('<file>', 'YAML or JSON; - is standard input')
    .addOption(namespaceOption())
    .addOption(workflowIdOption('run as this workflow instead of job/NAMESPACE/NAME'))
    .option('--rerun', 'run again what has completed already')
    .addOption(new Option('-w, --wait', 'until the job has ended').conflicts('follow'))
    .option('-f, --follow', 'print phases, causes and rank 0’s log until the job has ended')
    .addOption(outputOption())
    .action(async (file: string, flags: SubmitFlags, command: Command) => {
      const manifest = await checked(await readManifest(file), command);
      await withClient(command, async ({ client }) => {
        const { job, outcome } = await client.submit(manifest, flags);
        await report(job, outcome, flags);
      });
    });

async function report(job: JobHandle, outcome: SubmitOutcome, flags: SubmitFlags): Promise<void> {
  const sentence = `${job.workflowId} ${SENTENCES[outcome]}`;
  if (!flags.wait && !flags.follow) {
    return print({ workflowId: job.workflowId, outcome }, flags.output, () => sentence);
  }
  note(sentence);
  const end = flags.follow ? await followAloud(job) : await waitQuietly(job);
  await endWith(end, flags.output);
}

/** Faults are found here, before any server is asked; the first activity of the job checks again. */
async function checked(given: unknown, command: Command): Promise<Manifest> {
  const [{ namespace = 'default' }, { parseManifest }, { checkedManifest }] = await Promise.all([
    settingsOf(command),
    import('../../frameworks/parse-manifest.ts'),
    import('../../client/manifest.ts'),
  ]);
  const validate = (manifest: Manifest) => {
    const parsed = parseManifest(manifest, { namespace: manifest.metadata.namespace });
    if ('faults' in parsed) return parsed.faults;
    for (const warning of parsed.job.warnings) note(`warning: ${warning}`);
    return [];
  };
  return checkedManifest(given, { namespace, validate });
}
