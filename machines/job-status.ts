import type { JobStatus, ReplicaStatus } from '../contracts/status.ts';
import { waitingCause } from './explain.ts';
import { countRestarts, type JobContext } from './job-context.ts';
import { phaseOf } from './job-record.ts';
import { countDone, digestOf } from './role-counts.ts';
import { type Job, positionOf } from './step.ts';

/** All that is said about a job, from its one source. */
export function statusOf({ snapshot, record }: Job, warnings: readonly string[]): JobStatus {
  const position = positionOf(snapshot);
  const { context } = position;
  const { kind, name, namespace } = context.plan;
  return {
    kind,
    name,
    namespace,
    phase: phaseOf(position),
    state: position.state,
    attempt: context.attempt,
    restarts: countRestarts(context.restarts),
    cause: waitingCause(position, record.timeline.at(-1)!.cause),
    conditions: record.conditions,
    replicaStatuses: replicaStatusesOf(context),
    startTime: record.startTime,
    completionTime: record.completionTime,
    warnings,
    timeline: record.timeline,
  };
}

/** As Kubeflow counts them: after a success, what was still active counts as succeeded. */
function replicaStatusesOf(context: JobContext): Record<string, ReplicaStatus> {
  const completed = context.outcome?.phase === 'Completed';
  const statuses = context.plan.roles.map((role): [string, ReplicaStatus] => {
    const { placed, ready, failed } = digestOf(context, role);
    const active = placed + ready;
    const succeeded = countDone(context, role) + (completed ? active : 0);
    const counts = { active: completed ? 0 : active, succeeded, failed };
    const selector = context.plan.roleSelector.replace('%s', role.name.toLowerCase());
    return [role.name, { ...nonZero(counts), selector }];
  });
  return Object.fromEntries(statuses);
}

const nonZero = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
