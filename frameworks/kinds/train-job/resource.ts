import { isDeepStrictEqual } from 'node:util';
import { isFinal } from '../../../contracts/status.ts';
import type { ReplicaStatus } from '../../../contracts/types.ts';
import { asFields, type Fields, ownValue, valueAt, withoutUndefined } from '../../../language/fields.ts';
import type { ResourceCustoms, ShownJob } from '../../model/resource-customs.ts';
import { celPowers } from './powers.ts';
import { FAILURE_POLICY } from './restarts.ts';

const text = { type: 'string' };
const count = { type: 'integer', format: 'int32' };
const time = { type: 'string', format: 'date-time' };

const CONDITION = {
  ...{ type: 'object', required: ['type', 'status'] },
  properties: { type: text, status: text, reason: text, message: text, lastTransitionTime: time },
};

const JOB_COUNTS = ['ready', 'succeeded', 'failed', 'active', 'suspended'] as const;

/** TrainJob as kubectl, Kubeflow's SDK and Kueue read it. The SDK takes a job without conditions for one that may run. */
export const TRAIN_JOB_RESOURCE: ResourceCustoms = {
  columns: [
    { name: 'State', type: 'string', jsonPath: '.status.conditions[-1:].type' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  statusFields: {
    conditions: { type: 'array', items: CONDITION },
    jobsStatus: {
      type: 'array',
      items: {
        ...{ type: 'object', required: ['name'] },
        properties: { name: text, ...Object.fromEntries(JOB_COUNTS.map((name) => [name, count])) },
      },
    },
    trainerStatus: {
      type: 'object',
      properties: {
        ...{ progressPercentage: count, estimatedRemainingSeconds: count, lastUpdatedTime: time },
        metrics: { type: 'array', items: { type: 'object', properties: { name: text, value: text } } },
      },
    },
  },
  ofSpec: () => ({}),
  status: (job) =>
    withoutUndefined({
      conditions: conditionsOf(job),
      jobsStatus: jobsOf(job),
      trainerStatus: progressOf(job),
    }),
  celPowers,
  outlivesTtl: true,
  saysBegun: ({ jobsStatus }) => list(jobsStatus).length > 0,
};

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

interface Told {
  readonly type: 'Suspended' | 'Complete' | 'Failed';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

function conditionsOf(job: ShownJob) {
  const ended = endOf(job);
  const told = [...suspensionOf(job), ...(ended ? [ended] : [])];
  return told.map((condition) => ({ ...condition, lastTransitionTime: sinceOf(condition, job) }));
}

/** A job that was resumed says so for the rest of its life. */
function suspensionOf({ phase, shown, timeline = [] }: ShownJob): readonly Told[] {
  if (phase === 'Suspended')
    return [told('Suspended', { status: 'True', reason: 'Suspended', message: 'TrainJob is suspended' })];
  const wasSuspended =
    timeline.some((entry) => entry.phase === 'Suspended') ||
    list(shown.conditions).some((one) => valueAt(one, 'type') === 'Suspended');
  if (!wasSuspended) return [];
  return [told('Suspended', { status: 'False', reason: 'Resumed', message: 'TrainJob is resumed' })];
}

const told = (type: Told['type'], how: Omit<Told, 'type'>): Told => ({ type, ...how });

/** One that was stopped has failed, too: those who wait know two ends. */
function endOf({ phase, cause }: ShownJob): Told | undefined {
  const message = cause?.message ?? `TrainJob is ${phase.toLowerCase()}`;
  if (phase === 'Completed')
    return told('Complete', { status: 'True', reason: 'AllJobsCompleted', message: COMPLETE });
  if (phase === 'Stopped') return told('Failed', { status: 'True', reason: 'TrainJobStopped', message });
  return phase === 'Failed'
    ? told('Failed', { status: 'True', reason: reasonOf(cause), message })
    : undefined;
}

const COMPLETE = 'All replicated jobs of the TrainJob have completed.';

/** In the words of JobSet where a rule of the runtime has decided, else in ours. */
function reasonOf(cause: ShownJob['cause']): string {
  const { rule = '', reason = 'FailedJobs' } = cause ?? {};
  if (reason === 'InvalidManifest') return 'TrainJobFailedValidation';
  const policy = rule.slice(rule.indexOf(FAILURE_POLICY));
  if (policy.includes('.maxRestarts')) return 'ReachedMaxRestarts';
  if (policy.endsWith(': FailJobSet')) return 'FailJobSetFailurePolicyAction';
  return policy.startsWith(FAILURE_POLICY) ? 'FailedJobs' : reason;
}

/** A condition that the resource has already keeps its time. */
function sinceOf({ type, status, reason }: Told, { shown, since, at, phase }: ShownJob): string {
  const known = list(shown.conditions).find(
    (one) =>
      valueAt(one, 'type') === type && valueAt(one, 'status') === status && valueAt(one, 'reason') === reason,
  );
  const isOfNow = status === 'True' && phase !== 'Running';
  return String(valueAt(known, 'lastTransitionTime') ?? (isOfNow ? since : undefined) ?? at);
}

/** Each replicated job counts as one, in the order of Trainer; none before it is known which there are. */
function jobsOf(job: ShownJob): readonly Fields[] | undefined {
  const { wanted = {}, replicaStatuses = {}, mayHavePods } = job;
  const roles = Object.entries(wanted).map(([name, pods]) => ({
    name,
    pods,
    counts: podsOf(ownValue(replicaStatuses, name) ?? {}),
  }));
  const isUncounted = mayHavePods && roles.every(({ counts }) => counts.alive + counts.succeeded === 0);
  const jobs = roles.map((role) => ({ name: role.name, ...statesOf(role, job, isUncounted) }));
  return jobs.length > 0 ? jobs.toSorted((a, b) => (a.name < b.name ? 1 : -1)) : undefined;
}

const podsOf = ({ pending = 0, starting = 0, running = 0, succeeded = 0, failed = 0 }: ReplicaStatus) => ({
  ...{ alive: pending + starting + running, running, succeeded, failed },
});

interface CountedRole {
  readonly pods: number;
  readonly counts: ReturnType<typeof podsOf>;
}

/** `isUncounted`: there may be pods that nobody has counted yet; Kueue gives the quota of a job away that has no active one. */
function statesOf({ pods, counts }: CountedRole, { phase, mayHavePods }: ShownJob, isUncounted: boolean) {
  const { alive, running, succeeded, failed } = counts;
  const hasSucceeded = succeeded >= pods;
  const isActive = !hasSucceeded && !isFinal(phase) && (alive > 0 || isUncounted);
  return {
    ready: asCount(isActive && alive > 0 && running + succeeded >= pods),
    succeeded: asCount(hasSucceeded),
    failed: asCount(phase === 'Failed' && failed > 0),
    active: asCount(isActive),
    suspended: asCount(phase === 'Suspended' && !mayHavePods && !hasSucceeded),
  };
}

const asCount = (holds: boolean): number => (holds ? 1 : 0);

/** What the program reported, in the fields of Trainer. */
function progressOf({ progress, shown, at }: ShownJob): Fields | undefined {
  if (progress === undefined) return undefined;
  const progressPercentage = percentageIn(progress);
  const reported =
    progressPercentage === undefined
      ? { metrics: [{ name: 'progress', value: progress }] }
      : { progressPercentage };
  const { lastUpdatedTime = at, ...before } = asFields(shown.trainerStatus);
  return { ...reported, lastUpdatedTime: isDeepStrictEqual(before, reported) ? lastUpdatedTime : at };
}

/** E.g. 40 of `40%`, `40.2 %` and `2/5`. */
function percentageIn(progress: string): number | undefined {
  const [, percent, done, all] = /^(?:(\d+(?:\.\d+)?)\s*%|(\d+)\s*\/\s*(\d+))$/.exec(progress.trim()) ?? [];
  const value = percent === undefined ? (100 * Number(done)) / Number(all) : Number(percent);
  return value >= 0 && value <= 100 ? Math.floor(value) : undefined;
}
