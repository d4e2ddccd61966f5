import { invalidReasonOf, isTrue, type JobResourceStatus } from '../contracts/job-resources.ts';
import type { Condition } from '../contracts/kubernetes.ts';
import type { ReasonCode } from '../contracts/reasons.ts';
import { refusedCause } from '../contracts/refusals.ts';
import { isFinal, isSuspendedWithPods } from '../contracts/status.ts';
import type { Cause, ReplicaStatus } from '../contracts/types.ts';
import { findFramework } from '../frameworks/kinds/registry.ts';
import { withoutUndefined } from '../language/fields.ts';
import type { ShownStatus } from './anchored-job.ts';
import type { ResourceFacts } from './resource-facts.ts';

/** What the status of a resource says besides what its job says. */
export interface Provenance {
  readonly runId?: string;
  readonly appliedGeneration?: number;
  readonly appliedAnnotations?: false;
}

type About = Pick<
  ResourceFacts,
  'apiVersion' | 'kind' | 'name' | 'generation' | 'isSuspended' | 'ofSpec' | 'status'
>;

/** Returns the status of a resource whose job has this status. `at`: when a condition that is new became true. */
export function statusOfResource(
  resource: About,
  job: ShownStatus,
  { runId, appliedGeneration, appliedAnnotations, at }: Provenance & { readonly at: string },
): JobResourceStatus {
  const { phase = 'Pending', cause, attempt, progress, since, warnings = [] } = job;
  const status = {
    ...fieldsOfKind(resource, job, at),
    ...{ phase, reason: cause?.reason, message: cause?.message },
    ...{ attempt, progress, since, runId, appliedGeneration, appliedAnnotations },
    warnings: warnings.length > 0 ? warnings.slice(0, MOST_WARNINGS) : undefined,
    // A manifest may be newer than the version of the resource that made the bridge read it.
    observedGeneration: Math.max(resource.generation, appliedGeneration ?? 0),
  };
  return withoutUndefined(status);
}

/** The writer of a manifest decides how many there are. */
const MOST_WARNINGS = 20;

function fieldsOfKind(resource: About, job: ShownStatus, at: string): JobResourceStatus {
  const { apiVersion, kind, ofSpec, status: shown } = resource;
  const customs = findFramework(apiVersion, kind)?.resource;
  const { phase = 'Pending', startTime, completionTime } = job;
  const mayHavePods = mayStartOrLeave(resource, job);
  if (customs) return { ...ofSpec, ...customs.status({ ...job, phase, mayHavePods, shown, at }) };
  const conditions = conditionsOf(resource, job, at);
  return { conditions, ...countsOf(resource, job), startTime, completionTime };
}

/** Where roles are fields of spec itself, their counts are fields of the status itself. */
function countsOf(resource: About, job: ShownStatus) {
  const { replicaStatuses = {}, mode } = job;
  if (findFramework(resource.apiVersion, resource.kind)?.replicaSpecs === '')
    return { mode, ...replicaStatuses };
  const counts = mayStartOrLeave(resource, job) ? withUncounted(job) : replicaStatuses;
  return { replicaStatuses: Object.keys(counts).length > 0 ? counts : undefined };
}

/** Whether there may be pods that the job has not counted: while they start, and until all are gone. */
function mayStartOrLeave(
  { isSuspended }: About,
  { phase = 'Pending', state = phase, startTime }: ShownStatus,
): boolean {
  if (phase !== 'Suspended') return phase !== 'Running' && !isFinal(phase);
  return !isSuspended || isSuspendedWithPods({ state, startTime });
}

/** Counts pods as active that may exist: once there is no active pod left, Kueue gives their quota to others. */
function withUncounted({
  replicaStatuses = {},
  wanted = {},
}: ShownStatus): Readonly<Record<string, ReplicaStatus>> {
  const counted = Object.entries(wanted).map(([role, replicas]): [string, ReplicaStatus] => {
    const { active = 0, ...others } = replicaStatuses[role] ?? {};
    const most = Math.max(active, replicas - (others.succeeded ?? 0));
    return [role, most > 0 ? { active: most, ...others } : others];
  });
  return { ...replicaStatuses, ...Object.fromEntries(counted) };
}

/**
 * Kubeflow knows two ends of a job. One that was stopped has failed to it: `kubectl wait`, its SDK and Kueue would wait for ever
 * for a third.
 */
function conditionsOf(
  { kind, name, status }: About,
  { phase, cause, conditions = [] }: ShownStatus,
  at: string,
): readonly Condition[] {
  const found = conditions.length > 0 ? conditions : [createdCondition({ kind, name })];
  const isMissing = !found.some((condition) => isTrue(condition, 'Failed'));
  const hasFailed = phase === 'Failed' || phase === 'Stopped';
  const message = cause?.message ?? `${kind} ${name} is ${phase === 'Stopped' ? 'stopped' : 'failed'}.`;
  const reason = cause?.reason === 'InvalidManifest' ? invalidReasonOf(kind) : `${kind}${phase}`;
  const failed = { type: 'Failed', status: 'True', reason, message } as const;
  const told = hasFailed ? found : withRefusal(found, refusedCause({ cause }));
  const all = hasFailed && isMissing ? [...told, failed] : told;
  return all.map((condition) => ({ ...timesOf(condition, status.conditions, at), ...condition }));
}

/** Not the last one: definitions of the original operators show the type of that as the state. */
const withRefusal = (conditions: readonly Condition[], refusal: Cause | undefined): readonly Condition[] =>
  refusal && !conditions.some(({ type }) => type === 'Running')
    ? [{ ...{ type: 'Running', status: 'False' }, ...textOf(refusal) }, ...conditions]
    : conditions;

const textOf = ({ reason, message }: Cause) => ({ reason, message });

const createdCondition = ({ kind, name }: Pick<About, 'kind' | 'name'>): Condition => ({
  ...{ type: 'Created', status: 'True', reason: `${kind}Created` },
  message: `${kind} ${name} is created.`,
});

/** A condition that the resource has already keeps its times. */
function timesOf({ type, status, reason }: Condition, known: readonly Condition[] = [], at: string) {
  const same = known.find((one) => one.type === type && one.status === status && one.reason === reason);
  const { lastTransitionTime = at, lastUpdateTime = at } = same ?? {};
  return { lastTransitionTime, lastUpdateTime };
}

/** The status of a job without a workflow, or whose workflow has not recorded anything yet. */
export const waitingStatus = (reason: ReasonCode, message: string) =>
  ({ phase: 'Pending', cause: { reason, message } }) as const satisfies ShownStatus;

export const failedStatus = (reason: ReasonCode, message: string) =>
  ({ phase: 'Failed', cause: { reason, message } }) as const satisfies ShownStatus;
