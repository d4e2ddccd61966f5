import { type Command, Option } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { isFinal, PHASES, type Phase } from '../../contracts/status.ts';
import { aboutJobs } from '../input/job-options.ts';
import { kindOf } from '../input/kind.ts';
import { type Labels, oneMoreLabel } from '../input/labels.ts';
import { someOf } from '../input/parse.ts';
import type { Settings } from '../settings/settings.ts';
import { completedBy } from '../shell/completed-by.ts';
import { UsageError } from '../shell/errors.ts';
import { type ChosenJob, chosenJob } from './job-choice.ts';

/** Live jobs chosen by what they have in common. */
interface Selector {
  readonly all?: boolean;
  readonly selector?: Labels;
  readonly phase?: readonly Phase[];
  readonly kind?: string;
  readonly allNamespaces?: boolean;
}

export type JobSelection = { readonly named: readonly ChosenJob[] } | { readonly selector: Selector };

export const phaseOption = () =>
  // The choices are for shell completion; the parser accepts any letter case.
  new Option('--phase <phase>', 'only jobs in this phase; several: separated by commas')
    .choices(PHASES)
    .argParser(someOf(PHASES));

export const kindOption = () =>
  completedBy('kinds', new Option('--kind <kind>', 'only jobs of this kind, e.g. PyTorchJob'));

export const selectorOption = () =>
  new Option(
    '-l, --selector <key=value>',
    'only jobs with this label; several: separated by commas',
  ).argParser(oneMoreLabel);

export const allNamespacesOption = () => new Option('-A, --all-namespaces', 'jobs of all namespaces');

/** Adds names, and what chooses jobs without naming them. */
export const selectingJobs = (command: Command): Command =>
  aboutJobs(command)
    .option('--all', 'all live jobs of the namespace')
    .addOption(selectorOption())
    .addOption(phaseOption())
    .addOption(kindOption())
    .addOption(allNamespacesOption());

/** Reads which jobs a command line chooses: by their names, or by a selector. Contacts no server. */
export async function selectionOfJobs(command: Command): Promise<JobSelection> {
  const { workflowId, all, selector, phase, kind, allNamespaces } = command.opts<
    Selector & { workflowId?: string }
  >();
  const isNamed = command.args.length > 0 || workflowId !== undefined;
  const isSelecting = all || [selector, phase, kind].some((each) => each !== undefined);
  if (isNamed && (isSelecting || allNamespaces)) {
    throw new UsageError('Expected names of jobs, or --all, -l, --phase or --kind, got both.');
  }
  if (isNamed) return { named: namesIn(command, workflowId) };
  if (!isSelecting)
    throw new UsageError('No job given. Expected its NAME, --workflow-id, --all, -l, --phase or --kind.');
  return { selector: { selector, phase, kind: kind && (await kindOf(kind)), allNamespaces } };
}

function namesIn(command: Command, workflowId: string | undefined): ChosenJob[] {
  if (workflowId === undefined) return command.args.map((given) => chosenJob(given, command));
  const [unexpected] = command.args;
  if (unexpected !== undefined)
    throw new UsageError(`Expected a NAME or --workflow-id, got both ${unexpected} and ${workflowId}.`);
  return [{ workflowId }];
}

/** Returns the live jobs that a selector chooses, newest first. */
export async function liveJobs(
  client: SignalboxClient,
  { selector: labels, phase, kind, allNamespaces }: Selector,
  settings: Settings,
): Promise<{ readonly job: JobHandle; readonly phase: Phase }[]> {
  const namespace = allNamespaces ? undefined : (settings.namespace ?? 'default');
  const found: { job: JobHandle; phase: Phase }[] = [];
  for await (const summary of client.list({ namespace, labels, phase, kind })) {
    if (isFinal(summary.phase)) continue;
    found.push({ job: client.job({ workflowId: summary.workflowId }), phase: summary.phase });
  }
  return found;
}
