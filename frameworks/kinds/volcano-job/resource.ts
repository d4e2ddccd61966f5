import { isFinal } from '../../../contracts/status.ts';
import type { Phase, ReplicaStatus } from '../../../contracts/types.ts';
import { asFields, type Fields, unlessEmpty, valueAt, withoutUndefined } from '../../../language/fields.ts';
import type { ResourceCustoms, ShownJob } from '../../model/resource-customs.ts';
import { VOLCANO_COMMANDS } from './commands.ts';
import { loadedPlugins } from './plugins/registry.ts';
import { leastOfSizes } from './task.ts';

const text = { type: 'string' };
const count = { type: 'integer', format: 'int32' };
const time = { type: 'string', format: 'date-time' };
const texts = { type: 'object', additionalProperties: text };
const counts = { type: 'object', additionalProperties: count };

const STATE = {
  type: 'object',
  properties: { phase: text, reason: text, message: text, lastTransitionTime: time },
};
const CONDITION = {
  ...{ type: 'object', required: ['status'] },
  properties: { status: text, lastTransitionTime: time },
};

/** The rule by which a job with too many restarts fails; its number follows. */
export const RETRY_RULE = 'spec.maxRetry';

/** Volcano's Job as `vcctl` and kubectl read it. */
export const VOLCANO_RESOURCE: ResourceCustoms = {
  shortNames: ['vcjob', 'vj'],
  columns: [
    { name: 'STATUS', type: 'string', jsonPath: '.status.state.phase' },
    { name: 'minAvailable', type: 'integer', jsonPath: '.status.minAvailable' },
    { name: 'RUNNINGS', type: 'integer', jsonPath: '.status.running' },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'QUEUE', type: 'string', jsonPath: '.spec.queue', priority: 1 },
  ],
  statusFields: {
    state: STATE,
    conditions: { type: 'array', items: CONDITION },
    ...{ minAvailable: count, pending: count, running: count, succeeded: count, failed: count },
    ...{ terminating: count, unknown: count, version: count, retryCount: count, runningDuration: text },
    controlledResources: texts,
    taskStatusCount: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { phase: counts } },
    },
  },
  ofSpec,
  status,
  requests: VOLCANO_COMMANDS,
  celPhase: 'oldObject.status.?state.?phase.orValue("")',
};

/** The size of the gang, and what the plugins make. */
function ofSpec(spec: unknown): Fields {
  const { minAvailable, tasks, plugins, volumes } = asFields(spec);
  const claims = list(volumes).map((one) => valueAt(one, 'volumeClaimName'));
  return {
    minAvailable: countIn(minAvailable) || list(tasks).reduce<number>((sum, one) => sum + leastIn(one), 0),
    controlledResources: unlessEmpty({
      ...Object.fromEntries(
        loadedPlugins(Object.keys(asFields(plugins))).map((name) => [`plugin-${name}`, name]),
      ),
      ...Object.fromEntries(
        claims.filter((name) => typeof name === 'string').map((name) => [`volume-pvc-${name}`, name]),
      ),
    }),
  };
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const countIn = (value: unknown) => (typeof value === 'number' ? value : 0);

function leastIn(task: unknown): number {
  const { minAvailable, replicas, partitionPolicy } = asFields(task);
  const { minPartitions, partitionSize } = asFields(partitionPolicy);
  return leastOfSizes({
    ...(typeof minAvailable === 'number' ? { minAvailable } : {}),
    replicas: countIn(replicas),
    partitionPolicy: { minPartitions: countIn(minPartitions), partitionSize: countIn(partitionSize) },
  });
}

function status(job: ShownJob): Fields {
  const { phase, cause, attempt = 1, restarts = 0, replicaStatuses = {} } = job;
  const conditions = conditionsOf(job);
  const of = Object.entries(replicaStatuses).map(([task, given]) => [task, podsOf(given)] as const);
  const sums = Object.fromEntries(PODS.map((name) => [name, sum(of.map(([, pods]) => pods[name]))]));
  return withoutUndefined({
    state: withoutUndefined({ ...textOf(phase, cause), ...stateOf(conditions.at(-1)!) }),
    conditions,
    ...unlessZero(sums),
    taskStatusCount: unlessEmpty(
      Object.fromEntries(
        of.flatMap(([task, pods]) => {
          const phases = unlessEmpty(unlessZero(pods));
          return phases ? [[task, { phase: inPhases(phases) }]] : [];
        }),
      ),
    ),
    ...unlessZero({ version: attempt - 1, retryCount: restarts + (isOverLimit(job) ? 1 : 0) }),
    runningDuration: durationOf(job),
  });
}

const stateOf = ({ status, lastTransitionTime }: ShownCondition) => ({ phase: status, lastTransitionTime });

const textOf = (phase: Phase, cause: ShownJob['cause']) =>
  phase === 'Running' ? {} : { reason: cause?.reason, message: cause?.message };

const PODS = ['pending', 'running', 'succeeded', 'failed'] as const;

/** By phase of the pods, but that one which runs and is not ready counts as pending. */
const podsOf = ({ pending = 0, starting = 0, running = 0, succeeded = 0, failed = 0 }: ReplicaStatus) => ({
  ...{ pending: pending + starting, running, succeeded, failed },
});

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

const unlessZero = (given: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value > 0));

const inPhases = (given: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [`${name[0]!.toUpperCase()}${name.slice(1)}`, value]),
  );

interface ShownCondition {
  readonly status: string;
  readonly lastTransitionTime: string;
}

/** One for each phase that the job was in, that of now last. */
function conditionsOf(job: ShownJob): readonly ShownCondition[] {
  const { timeline = [], phase } = job;
  const told = timeline
    .filter((entry) => isFinal(phase) || !isFinal(entry.phase))
    .flatMap((entry) => phasesOf(entry, job).map((status) => ({ status, lastTransitionTime: entry.at })));
  const now = phasesOf(job, job).at(-1)!;
  const all =
    told.at(-1)?.status === now ? told : [...told, { status: now, lastTransitionTime: sinceOf(now, job) }];
  const entered = all.filter(({ status }, index) => status !== all[index - 1]?.status);
  return entered.filter(
    ({ status }, index) => entered.findLastIndex((one) => one.status === status) === index,
  );
}

/** A condition that the resource has already keeps its time. */
function sinceOf(phase: string, { since, shown, at }: ShownJob): string {
  const known = list(shown.conditions).find((one) => valueAt(one, 'status') === phase);
  return since ?? String(valueAt(known, 'lastTransitionTime') ?? at);
}

const PHASES: Readonly<Record<Phase, string>> = {
  ...{ Pending: 'Pending', Starting: 'Pending', Running: 'Running', Restarting: 'Restarting' },
  ...{ Suspended: 'Aborted', Completed: 'Completed', Failed: 'Failed', Stopped: 'Terminated' },
};

/** The phases of Volcano through which a job went when it entered a state. */
function phasesOf({ phase, state }: Pick<ShownJob, 'phase' | 'state'>, job: ShownJob): readonly string[] {
  const now = PHASES[phase];
  if (phase === 'Suspended') return state === 'Suspended.Draining' ? ['Aborting'] : ['Aborted'];
  if (phase === 'Stopped') return ['Terminating', now];
  if (phase === 'Failed' && isOverLimit(job)) return ['Restarting', now];
  return phase === 'Completed' && hasEndedOthers(job) ? ['Completing', now] : [now];
}

/** Volcano begins a last restart, and counts it, before it says that there were too many. */
const isOverLimit = ({ phase, cause }: ShownJob) =>
  phase === 'Failed' && cause?.rule?.startsWith(RETRY_RULE) === true;

/** Whether pods were deleted that had not ended when the job had. */
function hasEndedOthers({ replicaStatuses = {}, wanted = {} }: ShownJob): boolean {
  const ended = Object.values(replicaStatuses).map(({ succeeded = 0, failed = 0 }) => succeeded + failed);
  return sum(ended) < sum(Object.values(wanted));
}

/** As Go writes it, e.g. `1h0m5s`. */
function durationOf({ startTime, completionTime }: ShownJob): string | undefined {
  if (startTime === undefined || completionTime === undefined) return undefined;
  const seconds = Math.max(0, Math.round((Date.parse(completionTime) - Date.parse(startTime)) / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = [hours > 0 && `${hours}h`, seconds >= 60 && `${minutes}m`, `${seconds % 60}s`];
  return parts.filter(Boolean).join('');
}
