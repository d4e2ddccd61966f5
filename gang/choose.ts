import { ANNOTATIONS } from '../contracts/labels.ts';
import {
  type GangChoice,
  type GangProvider,
  type GangRequest,
  gangTraits,
  givesQuota,
  type TrainingJob,
} from '../contracts/training-job.ts';
import type { Fault } from '../contracts/types.ts';
import { frameworkOf } from '../frameworks/kinds/registry.ts';
import { KUEUE_QUEUE } from '../frameworks/manifest/gang-request.ts';
import { isAdmittedByKueue, notQueued } from '../frameworks/manifest/queue-labels.ts';
import { POLICY_PATH } from '../frameworks/policy/document.ts';
import { COSCHEDULING_SCHEDULER } from './coscheduling.ts';
import type { PolicyField } from './gang.ts';
import { namedSchedulers, otherSchedulers } from './other-scheduler.ts';
import { GANG_ADAPTERS } from './registry.ts';

interface GangOptions {
  /** The worker's configuration. */
  readonly configured: GangChoice;
  /** Returns whether the cluster serves the group API of a scheduler. */
  serves(provider: GangProvider): Promise<boolean>;
}

type ChosenGang =
  | { readonly provider: GangProvider; readonly warnings: readonly string[] }
  | { readonly faults: readonly Fault[] };

/**
 * Chooses the gang scheduler of a job. The first of these decides: the job's annotation, its queue of Kueue if the cluster has
 * Kueue, a template's schedulerName, the worker's configuration, what the cluster serves. Returns a fault if the cluster does
 * not serve the choice.
 */
export async function chooseGang(job: TrainingJob, { configured, serves }: GangOptions): Promise<ChosenGang> {
  if (namesQueueOfKueue(job) && (await serves('kueue'))) return withWarnings(job, 'kueue');
  const choice =
    findChosen(job) ?? (await findPreferred(job, { configured, serves })) ?? asConfigured(job, configured);
  if (!choice) return withWarnings(job, await discover(job, serves));
  const { provider, path } = choice;
  const { resource, refuses } = GANG_ADAPTERS[provider];
  const faults = refuses?.(job) ?? [];
  if (faults.length > 0) return { faults };
  if (resource === undefined || (await serves(provider))) return withWarnings(job, provider);
  const got = `${provider}, whose ${resource.apiVersion} ${resource.kind} it does not have: install it, or name another`;
  return { faults: [{ path, expected: 'a gang scheduler whose API this cluster serves', got }] };
}

/** Kueue itself suspends and resumes custom resources. */
const namesQueueOfKueue = ({ gang, resource }: TrainingJob): boolean =>
  gang.kueue?.queue !== undefined &&
  resource === undefined &&
  (gang.scheduler === undefined || gang.scheduler === 'auto');

interface Choice {
  readonly provider: GangProvider;
  /** Path of the setting that made the choice. */
  readonly path: string;
}

/** Finds what the annotation or a template chooses. */
function findChosen(job: TrainingJob): Choice | undefined {
  const { scheduler } = job.gang;
  if (scheduler && scheduler !== 'auto') {
    return { provider: scheduler, path: `metadata.annotations[${ANNOTATIONS.gang}]` };
  }
  return findNamed(job);
}

/** Finds what the kind prefers: not where this installation hands out quota, nor where the cluster does not have it. */
async function findPreferred(
  { gang: { prefers } }: TrainingJob,
  { configured, serves }: GangOptions,
): Promise<Choice | undefined> {
  if (prefers === undefined || (configured !== 'auto' && givesQuota(configured))) return undefined;
  return (await serves(prefers)) ? { provider: prefers, path: 'the kind of the job' } : undefined;
}

/** Returns undefined if the choice depends on what the cluster serves. */
function asConfigured(job: TrainingJob, configured: GangChoice): Choice | undefined {
  if (job.gang.scheduler === 'auto' || configured === 'auto') return undefined;
  // Kueue has a Workload of its own for a custom resource that names a queue.
  if (givesQuota(configured) && job.resource) return undefined;
  const provider = leavesToOthers(job, configured) ? 'none' : configured;
  return { provider, path: 'the worker’s gang-scheduling settings' };
}

/** Finds the gang scheduler that a template names. */
function findNamed(job: TrainingJob): Choice | undefined {
  const providers = new Map<string, GangProvider>([
    [job.gang.schedulerName ?? COSCHEDULING_SCHEDULER, 'coscheduling'],
    ['volcano', 'volcano'],
    ['kube-batch', 'kube-batch'],
  ]);
  for (const { scheduler, path } of namedSchedulers(job)) {
    const provider = providers.get(scheduler);
    if (provider) return { provider, path };
  }
  return undefined;
}

/** Like the job's original operator, create no group if a template names another scheduler. */
const leavesToOthers = (job: TrainingJob, provider: GangProvider) =>
  frameworkOf(job).dialect.groupsOnlyForOneScheduler === true && otherSchedulers(job, provider).length > 0;

/** Asks for one scheduler at a time: the first that is served ends the search. A single pod needs no gang. */
async function discover(job: TrainingJob, serves: GangOptions['serves']): Promise<GangProvider> {
  if (job.gang.minMember <= 1) return 'none';
  const missing = (provider: GangProvider) => ignoredFields(job.gang, provider).length;
  const candidates = DISCOVERED.filter((provider) => !leavesToOthers(job, provider));
  for (const provider of candidates.toSorted((a, b) => missing(a) - missing(b))) {
    if (await serves(provider)) return provider;
  }
  return 'none';
}

/** Preferred first, if they support as much of the policy. kube-batch, long archived, must be named. */
const DISCOVERED: readonly GangProvider[] = ['native', 'volcano', 'coscheduling'];

function withWarnings(job: TrainingJob, provider: GangProvider): ChosenGang {
  const { schedulingPolicyPath, schedulingPaths = {} } = frameworkOf(job).dialect;
  const { ignores } = GANG_ADAPTERS[provider];
  const ignored = ignoredFields(job.gang, provider).map(
    (field) => `${schedulingPaths[field] ?? `${schedulingPolicyPath}.${field}`}: ignored; ${ignores[field]}`,
  );
  return {
    provider,
    warnings: [
      ...ignored,
      ...otherSchedulers(job, provider),
      ...queueWarnings(job, provider),
      ...liftWarnings(job, provider),
    ],
  };
}

function liftWarnings({ plan }: TrainingJob, provider: GangProvider): string[] {
  if (plan.policy?.gang?.lift === undefined || gangTraits(provider).isGated) return [];
  return [
    `${POLICY_PATH}.gang.lift: no effect; only pods of gated gangs have gates, and this one is ${provider}`,
  ];
}

/** One that is suspended waits until a user resumes it, as Kueue does with custom resources. */
function queueWarnings({ gang, plan, roles }: TrainingJob, provider: GangProvider): string[] {
  const waits = givesQuota(provider) || plan.runPolicy.suspend === true || isAdmittedByKueue(roles);
  return gang.kueue?.queue === undefined || waits ? [] : [notQueued('metadata.labels', KUEUE_QUEUE, 'Kueue')];
}

/** Returns the fields that the job sets and the scheduler ignores. */
const ignoredFields = (gang: GangRequest, provider: GangProvider): PolicyField[] =>
  POLICY_FIELDS.filter((field) => gang[field] !== undefined && GANG_ADAPTERS[provider].ignores[field]);

const POLICY_FIELDS: readonly PolicyField[] = [
  'queue',
  'priorityClass',
  'minResources',
  'scheduleTimeoutSeconds',
  'networkTopology',
];
