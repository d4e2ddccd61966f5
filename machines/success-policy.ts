import type { JobContext } from './job-context.ts';
import { countDone, isDone } from './role-counts.ts';

/**
 * A job has succeeded when every replica of the roles that decide has: the Master where there is one, else all Workers;
 * of some kinds the first of them is enough. (training-operator ends an elastic job with its first worker; signalbox does not.)
 */
export function hasSucceeded(context: JobContext): boolean {
  const { roles, successRoles, successOf } = context.plan;
  return roles
    .filter(({ name }) => successRoles.includes(name))
    .every((role) =>
      successOf === 'first' ? isDone(context, role, 0) : countDone(context, role) >= role.replicas,
    );
}
