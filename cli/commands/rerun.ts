import { Command, Option } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { RerunPlan } from '../../client/use-cases/rerun/rerun-manifest.ts';
import type { RerunOptions } from '../../client/use-cases/rerun/rerun-options.ts';
import { parentText } from '../../contracts/parent-job.ts';
import { isRunReference, RUN_EXPECTED } from '../../contracts/run-reference.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import { type ArchivedFlags, archivedOptions } from '../archived/archived.ts';
import { orArchived, withArchivedJob } from '../archived/archived-job.ts';
import { aboutJob, cleanUpTimeoutOption, strictOptions } from '../input/job-options.ts';
import { collected, environmentIn, environmentOption, manifestEdits } from '../input/manifest-edits.ts';
import { positive } from '../input/parse.ts';
import { cleanUpOptions } from '../jobs/clean-up-options.ts';
import { printUntilEnd } from '../jobs/follow.ts';
import { type ChosenJob, chosenJob, findJob } from '../jobs/job-choice.ts';
import { endWith, waitForAll } from '../jobs/wait.ts';
import { type Format, formatted, note, outputOption, print, writeData } from '../print/output.ts';
import { settingsOf, withClient } from '../session/session.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';

interface RerunFlags extends ArchivedFlags {
  readonly set?: readonly string[];
  readonly env?: readonly string[];
  readonly revision?: number;
  readonly run?: string;
  readonly name?: string;
  readonly strict: boolean;
  readonly why?: string;
  readonly key?: string;
  readonly wait?: boolean;
  readonly follow?: boolean;
  readonly dryRun?: boolean;
  readonly cleanUpTimeout?: number;
  readonly output: Format;
}

const EXAMPLES = [
  'rerun train',
  'rerun train --set lr=0.05 --env NCCL_DEBUG=INFO',
  'rerun train --name train-2 --set spec.pytorchReplicaSpecs.Worker.replicas=4 --why "twice the workers"',
  "rerun train --set 'spec.pytorchReplicaSpecs.Worker.template.spec.containers[pytorch].image=train:2' --dry-run",
  "rerun train --set 'metadata.annotations[signalbox.dev/policy].failures.classes.userCode.budget=5'",
  'rerun train --revision 2 --wait',
  'rerun train --follow',
];

const HELP = `A plain name is an environment variable of the containers that use it, in all roles, as in \`sweep\`; --env also sets one
that none uses. A name with a dot is a path: paths are written as in errors, their values are YAML. Items of a list are chosen by index or name, [+] appends one, null removes, and paths
below the policy’s annotation are fields of the policy. The new manifest is validated before anything starts. A live
job keeps its name: give the new one another, with --name.`;

export const rerunCommand = (): Command =>
  withExamples(strictOptions(archivedOptions(aboutJob(new Command('rerun')))), EXAMPLES, HELP)
    .description('start a new job from the recorded manifest of another one')
    .option('--set <name=value>', 'set a variable, or the field of a path; repeatable', collected)
    .addOption(environmentOption())
    .option('--revision <number>', 'sizes and policy of this revision; default: as submitted', positive)
    .option('--run <id>', 'as NAME@RUN: one of several jobs that had this name; default: the last one')
    .option('--name <name>', 'name of the new job; default: the same')
    .option('--why <text>', 'the reason, recorded with the job')
    .option('--key <key>', 'idempotency key: starting with it again finds the same run')
    .addOption(cleanUpTimeoutOption())
    .addOption(new Option('-w, --wait', 'wait until the new job has ended').conflicts('follow'))
    .option('-f, --follow', 'print phases, causes and the log of the new job until it has ended')
    .option('--dry-run', 'print the manifest, and start nothing')
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: RerunFlags, command: Command) => {
      const chosen = withRun(chosenJob(name, command), flags);
      const { revision, name: newName, why, key, strict } = flags;
      const set = await manifestEdits(flags.set ?? []);
      const env = environmentIn(flags.env ?? []);
      const options = { set, env, revision, name: newName, why, key, strict };
      const settings = await settingsOf(command);
      const fromArchive = async (archive: JobArchive) => {
        const { checkLogged } = await import('../archive/logged-archive.ts');
        await checkLogged(archive, settings);
        const { planArchivedRerun } = await import('../../client/use-cases/archive/rerun-archived.ts');
        return planArchivedRerun(archive, options, settings.temporal);
      };
      if (flags.archived && flags.dryRun) {
        return show(await withArchivedJob(chosen, settings, fromArchive), options, flags);
      }
      await withClient(command, async ({ client }) => {
        const ask = async () => (await findJob(client, chosen)).planRerun(options);
        const plan = await (flags.archived
          ? withArchivedJob(chosen, settings, fromArchive)
          : orArchived(ask, { chosen, settings, read: fromArchive }));
        if (flags.dryRun) return show(plan, options, flags);
        printPlan(plan, options);
        await startRerun(client, plan, flags);
      });
    });

/** `--run` for those whose workflow id is given, or has an @. */
function withRun(chosen: ChosenJob, { run }: RerunFlags): ChosenJob {
  if (run === undefined) return chosen;
  if (chosen.run !== undefined)
    throw new UsageError(`Expected one run, got @${chosen.run} and --run ${run}.`);
  if (!isRunReference(run)) throw new UsageError(`--run: expected ${RUN_EXPECTED}, got ${run}.`);
  return { ...chosen, run };
}

async function show(plan: RerunPlan, options: RerunOptions, { output = 'yaml' }: RerunFlags): Promise<void> {
  printPlan(plan, options);
  writeData(await formatted(plan.manifest, output), output);
}

function printPlan({ warnings, parent, revisions }: RerunPlan, { revision }: RerunOptions): void {
  for (const warning of warnings) note(`warning: ${warning}`);
  note(`A rerun of ${parentText(parent)}.`);
  if (revision === undefined && revisions > 1)
    note(`It was amended: --revision ${revisions} takes the sizes and the policy that it ended with.`);
}

async function startRerun(client: SignalboxClient, plan: RerunPlan, flags: RerunFlags): Promise<void> {
  const { name, key, why, wait, follow, output } = flags;
  const planRerun = () => Promise.resolve(plan);
  const job = await client.rerun({ planRerun }, { name, key, why, ...cleanUpOptions(flags) });
  const { runId, submission, warnings } = job;
  for (const warning of warnings) note(`warning: ${warning}`);
  const sentence = `${job.workflowId} ${submission === 'started' ? 'started' : 'was started before'}`;
  if (wait || follow) {
    note(sentence);
    return endWith(follow ? [await printUntilEnd(job)] : await waitForAll([job]), output);
  }
  const data = { workflowId: job.workflowId, runId, submission, rerunOf: plan.parent };
  await print(data, output, () => sentence);
}
