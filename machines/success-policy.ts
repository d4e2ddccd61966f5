import type { JobContext } from './job-context.ts';
import { countDone } from './role-counts.ts';

/**
 * A job has succeeded when every replica of the roles that decide has: the Master where there is one, else all Workers.
 * (training-operator ends an elastic job with its first worker; signalbox does not.)
 */
export function hasSucceeded(context: JobContext): boolean {
  const { roles, successRoles } = context.plan;
  return roles
    .filter(({ name }) => successRoles.includes(name))
    .every((role) => countDone(context, role) >= role.replicas);
}
