import { roleKey } from '../contracts/roles.ts';
import { DEFAULT_REPLICA_COUNTS, isFinal, type ReplicaCount, withoutActive } from '../contracts/status.ts';
import type { PlannedRole } from '../contracts/training-job.ts';
import type { JobStatus, ReplicaStatus } from '../contracts/types.ts';
import { ownValue, withoutUndefined } from '../language/fields.ts';
import { timeOf } from '../language/time.ts';
import { scopeOf } from './attempt/effects.ts';
import { type Position, phaseOfState, positionOf } from './chart/position.ts';
import { adviceOf } from './failures/failure-advice.ts';
import { countRestarts, type JobContext } from './model/job-context.ts';
import { jobPolicy, runPolicyOf } from './model/policy.ts';
import { countDone, digestOf } from './model/role-counts.ts';
import { noticeWarnings } from './nodes/leaving-nodes.ts';
import { avoidedUntil } from './nodes/node-avoidance.ts';
import { foreignPodWarnings } from './report/foreign-pods.ts';
import { outlivedProgramWarnings } from './report/outlived-programs.ts';
import { sparesOf, spareWarnings } from './report/spares.ts';
import { budgetsOf } from './restart/failure-budget.ts';
import type { JobState } from './step.ts';
import { progressWarnings, stepWarnings } from './timeouts/stall.ts';

/** Builds a job's status from its snapshot and record. */
export function statusOf({ snapshot, record, cause }: JobState): JobStatus {
  const position = positionOf(snapshot);
  const { context } = position;
  const { warnings } = (context.amended ?? context).revision;
  const { kind, name, namespace } = context.plan;
  return {
    kind,
    name,
    namespace,
    phase: phaseOfState(position),
    state: position.state,
    attempt: context.attempt,
    restarts: countRestarts(context.restarts),
    since: timeOf(record.entered.at),
    cause,
    conditions: record.conditions,
    replicaStatuses: replicaStatusesOf(position),
    replicaCounts: context.plan.replicaCounts,
    mode: context.plan.mode,
    startTime: record.startTime,
    completionTime: record.completionTime,
    warnings: [
      ...warnings,
      ...(record.warnings ?? []),
      ...foreignPodWarnings(context),
      ...outlivedProgramWarnings(context),
      ...progressWarnings(context),
      ...stepWarnings(context),
      ...noticeWarnings(context),
      ...spareWarnings(context),
    ],
    ...withoutUndefined({
      countedAt: context.digestAt === undefined ? undefined : timeOf(context.digestAt),
      progress: context.progress?.value,
      evidence: record.evidence,
      owner: jobPolicy(context).owner,
      spares: sparesOf(countedIn(position)),
      terminated: terminatedOf(context),
      wanted: Object.fromEntries(context.plan.roles.map((role) => [role.name, role.replicas])),
      restartsAllowed: runPolicyOf(context).backoffLimit,
      budgets: budgetsOf(context),
      avoided: avoidedUntil(context),
      advice: context.outcome?.phase === 'Completed' ? undefined : adviceOf(record.failures),
    }),
    timeline: record.timeline,
  };
}

/** The last digest of a suspended job says what was left then: none is processed afterwards. */
const countedIn = ({ state, context }: Position): JobContext =>
  state === 'Suspended.Resting' ? { ...context, digest: undefined } : context;

function replicaStatusesOf(position: Position): JobStatus['replicaStatuses'] {
  const context = countedIn(position);
  const statuses = context.plan.roles.map((role): [string, ReplicaStatus] => {
    if (isUncounted(context, role)) return [role.name, {}];
    const counts = countsOfRole(context, role);
    const selector = context.plan.roleSelector?.replace('%s', roleKey(role.name));
    return [role.name, { ...counts, ...(selector ? { selector } : {}) }];
  });
  const counts = Object.fromEntries(statuses);
  return hasNoneLeft(position) ? withoutActive(counts) : counts;
}

/** Counts pods that were still active at the success: Kubeflow counts them as succeeded. */
function countLate(context: JobContext, role: PlannedRole): number {
  const { outcome, plan } = context;
  const { replicaCounts = DEFAULT_REPLICA_COUNTS } = plan;
  if (outcome?.phase !== 'Completed' || !replicaCounts.includes('active')) return 0;
  const { scheduled, ready } = digestOf(context, role);
  return scheduled + ready;
}

/** Returns how many of those the clean-up ended before they had succeeded. */
function terminatedOf(context: JobContext): JobStatus['terminated'] {
  const scope = scopeOf(context);
  if (scope === undefined || scope === 'None') return undefined;
  const succeeded = ({ name }: PlannedRole, digest = context.digest) =>
    ownValue(digest?.roles ?? {}, roleKey(name))?.succeeded ?? 0;
  const counts = context.plan.roles
    .filter((role) => !isUncounted(context, role))
    .map((role) => {
      const since = succeeded(role, context.finalDigest) - succeeded(role);
      return [role.name, countLate(context, role) - Math.max(0, since)] as const;
    })
    .filter(([, count]) => count > 0);
  return counts.length > 0 ? Object.fromEntries(counts) : undefined;
}

/** Whether the clean-up has removed the active pods: the digest predates that, and none is processed afterwards. */
function hasNoneLeft({ state, context }: Position): boolean {
  const scope = scopeOf(context);
  return isFinal(state) && scope !== undefined && scope !== 'None';
}

function isUncounted(context: JobContext, { uncountedAtEnd }: PlannedRole): boolean {
  if (!context.outcome || !uncountedAtEnd) return false;
  const { roles, successRoles } = context.plan;
  const hasEnded = (role: PlannedRole) => countDone(context, role) + digestOf(context, role).failed > 0;
  return uncountedAtEnd === true || roles.some((role) => successRoles.includes(role.name) && hasEnded(role));
}

/** Returns the counts that the kind has, without zeros. */
function countsOfRole(context: JobContext, role: PlannedRole): ReplicaStatus {
  const { unscheduled, scheduled, ready, failed } = digestOf(context, role);
  const { replicaCounts = DEFAULT_REPLICA_COUNTS } = context.plan;
  const late = countLate(context, role);
  const counts: Readonly<Record<ReplicaCount, number>> = {
    pending: unscheduled,
    starting: scheduled,
    running: ready,
    active: scheduled + ready - late,
    succeeded: countDone(context, role) + late,
    failed,
  };
  return Object.fromEntries(
    replicaCounts.flatMap((name) => (counts[name] > 0 ? [[name, counts[name]]] : [])),
  );
}
