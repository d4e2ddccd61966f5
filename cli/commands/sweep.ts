import { Command } from 'commander';
import type { SweepHandle } from '../../client/handles/sweep-handle.ts';
import type { SweepOptions } from '../../client/use-cases/parameter-sweep/sweep-options.ts';
import { parameterSweepOf, type SweepSummary } from '../../contracts/parameter-sweep.ts';
import { isFinal } from '../../contracts/status.ts';
import { strictOptions } from '../input/job-options.ts';
import { collected, environmentIn, environmentOption } from '../input/manifest-edits.ts';
import { readManifests } from '../input/manifests.ts';
import { parameterValues } from '../input/parameter-values.ts';
import { positive } from '../input/parse.ts';
import { untilSweepEnds } from '../jobs/until-sweep-ends.ts';
import { type Format, note, outputOption, print } from '../print/output.ts';
import { printPlan } from '../print/sweep-plan.ts';
import { sweepText } from '../print/sweep-text.ts';
import { settingsOf, withClient } from '../session/session.ts';
import { UsageError } from '../shell/errors.ts';
import { exitWithOutcomes } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';
import { sweepListCommand } from '../sweeps/list.ts';
import { aSweep, sweepNamed } from '../sweeps/named-sweep.ts';
import { sweepStatusCommand } from '../sweeps/status.ts';

interface SweepFlags {
  readonly set?: readonly string[];
  readonly env?: readonly string[];
  readonly atMost?: number;
  readonly name?: string;
  readonly namespace?: string;
  readonly rerun?: boolean;
  readonly stopOnFailure?: boolean;
  readonly why?: string;
  readonly strict: boolean;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly output: Format;
}

const EXAMPLES = [
  'sweep job.yaml --set lr=0.1,0.01 --set seed=1..100 --at-most 20',
  'sweep job.yaml --set lr=1e-4..1e-1*10 --set dropout=0.1..0.5/0.1 --dry-run',
  'sweep job.yaml --set lr=0.1,0.01 --env NCCL_DEBUG=INFO --stop-on-failure --wait',
  'sweep job.yaml --set spec.pytorchReplicaSpecs.Worker.replicas=2,4,8 --name scaling --wait',
  'sweep list',
  'sweep status train --sort progress',
  "sweep stop train --why 'wrong data'",
  'list -l signalbox.dev/sweep=train --phase failed',
];

const HELP = `There is a trial for each combination of values: the job NAME-0, NAME-1, and so on. A plain name is an environment
variable of the containers that use it, e.g. as $(lr) in args; a name with a dot is the path of a field, as in \`rerun\`.
--env sets one in every container, the same in all trials.
Values are separated by commas; 1..100, 0.1..0.5/0.1 (step) and 1e-4..1e-1*10 (factor) are ranges. All trials are checked before the first one starts. A worker starts
them, so this command may end. The same command again runs the trials that have not completed.`;

export const sweepCommand = (): Command =>
  withExamples(strictOptions(new Command('sweep')), EXAMPLES, HELP)
    .description('run a job for each combination of parameters; list, show or stop such sweeps')
    .argument('<file>', 'a YAML or JSON file with one job; - reads standard input')
    .option('--set <name=values>', 'the values of a parameter; repeatable', collected)
    .addOption(environmentOption())
    .option('--at-most <number>', 'how many trials run at once (default: 50)', positive)
    .option('--name <name>', 'name of the sweep and beginning of the trials’ names; default: that of the job')
    .option('--why <text>', 'the reason, recorded with each trial')
    .option('--rerun', 'also run trials that an earlier sweep of this name has completed')
    .option('--stop-on-failure', 'when a trial has failed, start no more, and stop those that run')
    .option('--dry-run', 'print the combinations and the first manifest, and start nothing')
    .option(
      '-w, --wait',
      'wait until the last trial has ended; the exit code says whether all have completed',
    )
    .addOption(outputOption())
    .action(async (file: string, flags: SweepFlags, command: Command) => {
      const manifest = await jobIn(file, command);
      const { namespace } = await settingsOf(command);
      const options = await optionsOf(flags, namespace);
      if (flags.dryRun) return printPlan(manifest, options, flags.output);
      await withClient(command, async ({ client }) => {
        const sweep = await client.sweep(manifest, options);
        if (flags.wait) note(`${sweep.workflowId} started`);
        if (flags.wait) return endWith(await untilSweepEnds(sweep), flags.output);
        await print({ workflowId: sweep.workflowId }, flags.output, () => startedText(sweep));
      });
    })
    .addCommand(sweepListCommand())
    .addCommand(sweepStatusCommand())
    .addCommand(stopCommand());

async function jobIn(file: string, command: Command): Promise<object> {
  const { jobs, others } = await readManifests([file], command);
  if (jobs.length > 1) throw new UsageError(`sweep takes one job, got ${jobs.length}.`);
  for (const { where } of others) note(`${where} is not a job; skipped`);
  return jobs[0]!.value as object;
}

async function optionsOf(
  { set = [], env = [], ...flags }: SweepFlags,
  namespace?: string,
): Promise<SweepOptions> {
  if (set.length === 0)
    throw new UsageError('No parameter given. Expected --set NAME=VALUES, e.g. --set lr=0.1,0.01.');
  const { atMost, name, rerun, stopOnFailure, why, strict } = flags;
  const given = { set: await parameterValues(set), env: environmentIn(env) };
  return { ...given, atMost, name, namespace, rerun, stopOnFailure, why, strict };
}

const startedText = ({ workflowId }: SweepHandle) => {
  const { namespace, name } = parameterSweepOf(workflowId)!;
  return `${workflowId} started; see signalbox sweep status ${name} -n ${namespace}`;
};

async function endWith(summary: SweepSummary, output: Format): Promise<void> {
  await print(summary, output, () => sweepText(summary));
  const { phase } = summary;
  if (isFinal(phase)) exitWithOutcomes([{ phase }]);
}

const stopCommand = (): Command =>
  withExamples(new Command('stop'), ["sweep stop train --why 'wrong data'", 'sweep stop ml/train --wait'])
    .description('start no more trials, and stop those that run')
    .addArgument(aSweep())
    .option('--why <text>', 'the reason, recorded with each trial')
    .option('-w, --wait', 'wait until the last trial has ended')
    .addOption(outputOption())
    .action(async (name: string, { why, wait, output }: SweepFlags, command: Command) => {
      await withClient(command, async ({ client }) => {
        const sweep = sweepNamed(client, name);
        const asked = await sweep.stop({ why });
        const sentence = `${sweep.workflowId} ${asked === 'requested' ? 'is being stopped' : 'has already ended'}`;
        if (!wait) return print({ workflowId: sweep.workflowId, stop: asked }, output, () => sentence);
        note(sentence);
        const summary = await untilSweepEnds(sweep);
        await print(summary, output, () => sweepText(summary));
      });
    });
