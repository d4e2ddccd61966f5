import { Command, Option } from 'commander';
import type { AppliedJob } from '../../client/handles/applied-job.ts';
import type { Manifest } from '../../client/manifests/named-manifest.ts';
import { inFlight, type Settled } from '../../client/servers/in-flight.ts';
import type { ManifestChange } from '../../contracts/differences/manifest-change.ts';
import { cleanUpTimeoutOption, strictOptions } from '../input/job-options.ts';
import { readManifests } from '../input/manifests.ts';
import { cleanUpOptions } from '../jobs/clean-up-options.ts';
import { eachJob, failedJob } from '../jobs/each-job.ts';
import { checkAll, handleOther } from '../jobs/manifest-jobs.ts';
import { type Format, oneOrAll, outputOption, printData, write } from '../print/output.ts';
import { withClient } from '../session/session.ts';
import { exitCodeTable } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';

interface ApplyFlags {
  readonly filename: readonly string[];
  readonly namespace?: string;
  readonly why?: string;
  readonly strict: boolean;
  readonly dryRun?: boolean;
  readonly createOthers?: boolean;
  readonly cleanUpTimeout?: number;
  readonly output: Format;
}

const EXAMPLES = [
  'apply -f job.yaml',
  'apply -f job.yaml --dry-run',
  'apply -f jobs/ -f more.yaml -n ml --why "four nodes are back"',
  'apply -f - -o json',
];

const HELP = `Of a live job these can change: the replicas of a role as \`scale\` can, suspend, a longer
activeDeadlineSeconds, and the policy. Anything else is an error that names the field, and nothing is changed. The manifest
says all: what it leaves out has its default, also if the job was scaled, suspended or amended. An ended job with
the same manifest stays as it is; \`rerun\` runs it again. Applying a manifest twice does no more than once.`;

export const applyCommand = (): Command =>
  withExamples(strictOptions(new Command('apply')), EXAMPLES, `${HELP}\n\nExit codes:\n${exitCodeTable()}`)
    .description('make jobs what their manifests say: start them, or change live ones')
    .addOption(
      new Option('-f, --filename <file>', 'a YAML or JSON file, or a folder of them; - reads standard input')
        .argParser((file: string, before: readonly string[] = []) => [...before, file])
        .makeOptionMandatory(),
    )
    .option('--dry-run', 'print what would be done, and do nothing')
    .option('--why <text>', 'the reason, recorded with the job or with each change')
    .option('--create-others', 'first create the other objects in the files, unless they exist')
    .addOption(cleanUpTimeoutOption())
    .addOption(outputOption())
    .action(async (flags: ApplyFlags, command: Command) => {
      const { jobs, others } = await readManifests(flags.filename, command);
      const manifests = await checkAll(jobs, command);
      const { why, strict, dryRun } = flags;
      const options = { why, strict, dryRun, ...cleanUpOptions(flags) };
      await withClient(command, async ({ client }) => {
        for (const other of others)
          await handleOther(client, other, { ...flags, createOthers: flags.createOthers && !dryRun });
        const applied = await eachJob(
          inFlight(manifests, (manifest) => client.apply(manifest, options)),
          {
            manifests,
            step: 'applying manifests',
            warningsOf: ({ value: { job, kept } }) => [...job.warnings, ...kept.map(keptText)],
            print: ({ value }) => {
              if (!flags.output) write(textOfApplied(value, flags));
            },
            resultOf: ({ value }) => value.result,
          },
        );
        const data = applied.map((one) => dataOf(one, flags));
        if (flags.output) await printData(oneOrAll(data, data.length === 1), flags.output);
      });
    });

function dataOf({ item, value, error }: Settled<Manifest, AppliedJob>, { dryRun = false }: ApplyFlags) {
  if (error) return failedJob(item, error, { result: 'failed' });
  const { job, result, changes, kept, ended } = value;
  const { workflowId, runId } = job;
  return { workflowId, runId, result, ended, dryRun, changes, kept };
}

const keptText = ({ path, from }: ManifestChange) =>
  `a live job keeps its labels: ${path} stays ${from === undefined ? 'absent' : shownValue(from)}`;

function textOfApplied({ job, result, changes, ended }: AppliedJob, { dryRun }: ApplyFlags): string {
  const end = ended ? `; it has ${ended === 'Stopped' ? 'been Stopped' : ended}` : '';
  const first = `${job.workflowId} ${result}${end}${dryRun ? ' (dry run)' : ''}`;
  return [first, ...changes.map(changeText)].join('\n');
}

const changeText = ({ path, from, to }: ManifestChange) =>
  `  ${path}: ${shownValue(from)} -> ${shownValue(to)}`;

const shownValue = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
