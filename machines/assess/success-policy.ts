import type { PlannedRole } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { countDone, digestOf, isDone } from '../model/role-counts.ts';

/**
 * Whether every replica of the deciding roles has succeeded: the Master if there is one, otherwise all Workers. For
 * some kinds the first replica is enough. (Unlike training-operator, an elastic job does not end with its first
 * worker.)
 */
export function hasSucceeded(context: JobContext): boolean {
  const { roles, successRoles, successOf } = context.plan;
  return roles
    .filter(({ name }) => successRoles.includes(name))
    .every((role) => (successOf === 'first' ? isDone(context, role, 0) : areDone(context, role)));
}

/**
 * Whether all replicas have succeeded, or enough of them while no other is active: an elastic job may never have had
 * room for all.
 */
function areDone(context: JobContext, role: PlannedRole): boolean {
  const done = countDone(context, role);
  if (done >= role.replicas) return true;
  const { scheduled, ready, terminating, failed } = digestOf(context, role);
  return role.enough !== undefined && done >= role.enough && scheduled + ready + terminating + failed === 0;
}
