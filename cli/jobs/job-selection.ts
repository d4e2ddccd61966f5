import { type Command, Option } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { ExactFilter } from '../../contracts/filters.ts';
import { isFinal } from '../../contracts/status.ts';
import type { Phase } from '../../contracts/types.ts';
import { filterOptions, filtersGiven } from '../input/filter-options.ts';
import { aboutJobs } from '../input/job-options.ts';
import type { Settings } from '../settings/settings.ts';
import { UsageError } from '../shell/errors.ts';
import { type ChosenJob, chosenJob } from './job-choice.ts';

/** Live jobs chosen by what they have in common. */
interface Selector {
  readonly filter: ExactFilter;
  readonly allNamespaces?: boolean;
}

export type JobSelection = { readonly named: readonly ChosenJob[] } | { readonly selector: Selector };

export const allNamespacesOption = () => new Option('-A, --all-namespaces', 'jobs of all namespaces');

/** Adds names, and what chooses jobs without naming them. */
export const selectingJobs = (command: Command): Command =>
  filterOptions(aboutJobs(command).option('--all', 'all live jobs of the namespace'), [
    'labels',
    'phase',
    'kind',
  ]).addOption(allNamespacesOption());

/** Reads which jobs a command line chooses: by their names, or by a selector. Contacts no server. */
export async function selectionOfJobs(command: Command): Promise<JobSelection> {
  const { workflowId, all, allNamespaces } = command.opts<SelectionFlags>();
  const filter = await filtersGiven(command);
  const isNamed = command.args.length > 0 || workflowId !== undefined;
  const isSelecting = all || Object.keys(filter).length > 0;
  if (isNamed && (isSelecting || allNamespaces)) {
    throw new UsageError('Expected names of jobs, or --all, -l, --phase or --kind, got both.');
  }
  if (isNamed) return { named: namesIn(command, workflowId) };
  if (!isSelecting)
    throw new UsageError('No job given. Expected its NAME, --workflow-id, --all, -l, --phase or --kind.');
  return { selector: { filter, allNamespaces } };
}

interface SelectionFlags {
  readonly workflowId?: string;
  readonly all?: boolean;
  readonly allNamespaces?: boolean;
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
  { filter, allNamespaces }: Selector,
  settings: Settings,
): Promise<{ readonly job: JobHandle; readonly phase: Phase }[]> {
  const namespace = allNamespaces ? undefined : (settings.namespace ?? 'default');
  const found: { job: JobHandle; phase: Phase }[] = [];
  for await (const summary of client.list({ namespace, ...filter })) {
    if (isFinal(summary.phase)) continue;
    found.push({ job: client.job({ workflowId: summary.workflowId }), phase: summary.phase });
  }
  return found;
}
