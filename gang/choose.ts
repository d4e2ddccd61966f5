import type { Fault } from '../contracts/faults.ts';
import { ANNOTATIONS } from '../contracts/labels.ts';
import type { GangChoice, GangProvider, GangRequest, TrainingJob } from '../contracts/training-job.ts';
import { COSCHEDULING_SCHEDULER } from './coscheduling.ts';
import type { PolicyField } from './gang.ts';
import { namedSchedulers, otherSchedulers } from './other-scheduler.ts';
import { GANG_ADAPTERS } from './registry.ts';

export interface GangOptions {
  /** What the worker is configured for. */
  readonly configured: GangChoice;
  /** Whether the cluster serves the API of a scheduler's groups. */
  serves(provider: GangProvider): Promise<boolean>;
}

export type ChosenGang =
  | { readonly provider: GangProvider; readonly warnings: readonly string[] }
  | { readonly faults: readonly Fault[] };

/**
 * The gang scheduler of a job: what its annotation says, what a template's schedulerName belongs to, what the worker is
 * configured for, or what the cluster serves; the first of these that says something.
 */
export async function chooseGang(job: TrainingJob, { configured, serves }: GangOptions): Promise<ChosenGang> {
  const choice = findChoice(job, configured);
  if (!choice) return withWarnings(job, await discover(job, serves));
  const { provider, path } = choice;
  const { resource } = GANG_ADAPTERS[provider];
  if (resource === undefined || (await serves(provider))) return withWarnings(job, provider);
  const expected = `a gang scheduler whose API this cluster serves (${resource.apiVersion} ${resource.kind})`;
  return { faults: [{ path, expected, got: provider }] };
}

interface Choice {
  readonly provider: GangProvider;
  /** Where it was made. */
  readonly path: string;
}

/** Undefined where it is left to what the cluster serves. */
function findChoice(job: TrainingJob, configured: GangChoice): Choice | undefined {
  const { scheduler } = job.gang;
  if (scheduler && scheduler !== 'auto') {
    return { provider: scheduler, path: `metadata.annotations[${ANNOTATIONS.gang}]` };
  }
  const named = findNamed(job);
  if (named) return named;
  if (scheduler === 'auto' || configured === 'auto') return undefined;
  const provider = leavesToOthers(job, configured) ? 'none' : configured;
  return { provider, path: 'the worker’s configuration of gang scheduling' };
}

/** A template that names a gang scheduler asks for its gangs. */
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

/** paddle-operator makes no group once a template names another scheduler: it would never be complete. */
const leavesToOthers = (job: TrainingJob, provider: GangProvider) =>
  job.apiVersion === PADDLE_OPERATOR && otherSchedulers(job, provider).length > 0;

/** One request at a time, as the first that is served ends it. One pod is placed or not, with or without a gang. */
async function discover(job: TrainingJob, serves: GangOptions['serves']): Promise<GangProvider> {
  if (job.gang.minMember <= 1) return 'none';
  const missing = (provider: GangProvider) => unread(job.gang, provider).length;
  const candidates = DISCOVERED.filter((provider) => !leavesToOthers(job, provider));
  for (const provider of candidates.toSorted((a, b) => missing(a) - missing(b))) {
    if (await serves(provider)) return provider;
  }
  return 'none';
}

/** Of those that take as much of the scheduling policy, the first. kube-batch is long archived: only for who names it. */
const DISCOVERED: readonly GangProvider[] = ['native', 'volcano', 'coscheduling'];

function withWarnings(job: TrainingJob, provider: GangProvider): ChosenGang {
  const policy =
    job.apiVersion === PADDLE_OPERATOR ? 'spec.schedulingPolicy' : 'spec.runPolicy.schedulingPolicy';
  const { ignores } = GANG_ADAPTERS[provider];
  const ignored = unread(job.gang, provider).map(
    (field) => `${policy}.${field}: not acted on; ${ignores[field]}`,
  );
  return { provider, warnings: [...ignored, ...otherSchedulers(job, provider)] };
}

/** What the job asks for and the scheduler makes nothing of. */
const unread = (gang: GangRequest, provider: GangProvider): PolicyField[] =>
  POLICY_FIELDS.filter((field) => gang[field] !== undefined && GANG_ADAPTERS[provider].ignores[field]);

const POLICY_FIELDS: readonly PolicyField[] = [
  'queue',
  'priorityClass',
  'minResources',
  'scheduleTimeoutSeconds',
];
const PADDLE_OPERATOR = 'batch.paddlepaddle.org/v1';
