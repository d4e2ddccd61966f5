import type { PlannedRole } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { countDone, digestOf, isDone } from '../model/role-counts.ts';

/**
 * A job has succeeded when every replica of the roles that decide has: the Master where there is one, else all Workers;
 * of some kinds the first of them is enough. (training-operator ends an elastic job with its first worker; signalbox does not.)
 */
export function hasSucceeded(context: JobContext): boolean {
  const { roles, successRoles, successOf } = context.plan;
  return roles
    .filter(({ name }) => successRoles.includes(name))
    .every((role) => (successOf === 'first' ? isDone(context, role, 0) : areDone(context, role)));
}

/** All of them; or enough, when nobody else is at work any more: an elastic job need not have found room for all. */
function areDone(context: JobContext, role: PlannedRole): boolean {
  const done = countDone(context, role);
  if (done >= role.replicas) return true;
  const { scheduled, ready, terminating, failed } = digestOf(context, role);
  return role.enough !== undefined && done >= role.enough && scheduled + ready + terminating + failed === 0;
}
