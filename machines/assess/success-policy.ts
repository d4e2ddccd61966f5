import type { PlannedRole, SuccessRule } from '../../contracts/training-job.ts';
import type { Cause } from '../../contracts/types.ts';
import type { JobContext } from '../model/job-context.ts';
import { countDone, digestOf, isDone } from '../model/role-counts.ts';
import { causeOfPodFailure, countFailed } from '../restart/restart-policy.ts';
import { endingReaction } from './ending-reaction.ts';

/**
 * Whether every replica of the deciding roles has succeeded: the Master if there is one, otherwise all Workers. For
 * some kinds the first replica is enough, or all roles decide together. (Unlike training-operator, an elastic job does not
 * end with its first worker.)
 */
export function hasSucceeded(context: JobContext): boolean {
  const { roles, successRoles, successOf, success } = context.plan;
  if (endingReaction(context)?.do === 'complete') return true;
  if (success) return isEnough(context, success);
  return roles
    .filter(({ name }) => successRoles.includes(name))
    .every((role) => (successOf === 'first' ? isDone(context, role, 0) : areDone(context, role)));
}

/** Returns why a job whose roles decide together has failed: all pods have ended, and too few of them have succeeded. */
export function findTooFew(context: JobContext): Cause | undefined {
  const { success } = context.plan;
  if (!success || !haveEnded(context)) return undefined;
  const { rule } = success;
  const [failure] = context.digest?.failures ?? [];
  if (failure) return causeOfPodFailure(failure, { reason: 'PodFailed', rule });
  return {
    reason: 'PodFailed',
    rule,
    message: `all pods have ended, and too few of them have succeeded; ${rule}`,
  };
}

function isEnough(context: JobContext, { pods, atEnd, ofEachRole }: SuccessRule): boolean {
  const { roles } = context.plan;
  const done = roles.reduce((sum, role) => sum + countDone(context, role), 0);
  if (pods !== undefined && done >= pods) return true;
  if (done < atEnd || !haveEnded(context)) return false;
  return !ofEachRole || roles.every((role) => countDone(context, role) >= (role.enough ?? role.replicas));
}

const haveEnded = (context: JobContext): boolean =>
  context.plan.roles.every((role) => countDone(context, role) + countFailed(context, role) >= role.replicas);

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
