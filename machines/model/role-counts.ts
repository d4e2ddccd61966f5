import type { PodFailure, RoleDigest } from '../../contracts/digest.ts';
import { findRole, roleKey, totalReplicas, waitsForOthers } from '../../contracts/roles.ts';
import type { PlannedRole } from '../../contracts/training-job.ts';
import { ownValue } from '../../language/fields.ts';
import { parseRanges } from '../../language/index-ranges.ts';
import type { JobContext } from './job-context.ts';

const NO_PODS: RoleDigest = {
  unscheduled: 0,
  scheduled: 0,
  ready: 0,
  succeeded: 0,
  failed: 0,
  terminating: 0,
  succeededIndices: '',
};

export const digestOf = (context: JobContext, role: PlannedRole): RoleDigest =>
  ownValue(context.digest?.roles ?? {}, roleKey(role.name)) ?? NO_PODS;

/** Returns the indices of a role that have ever succeeded, as ranges. */
const succeededOf = ({ succeededIndices }: JobContext, { name }: PlannedRole): string =>
  ownValue(succeededIndices, roleKey(name)) ?? '';

/** Counts the replicas that have ever succeeded. */
export const countDone = (context: JobContext, role: PlannedRole) =>
  parseRanges(succeededOf(context, role)).filter((index) => index < role.replicas).length;

/** Whether a replica has ever succeeded. */
export const isDone = (context: JobContext, role: PlannedRole, index: number) =>
  parseRanges(succeededOf(context, role)).includes(index);

/** Whether restarts of the role's pods count against backoffLimit. Ignored failures cost nothing. */
export const isCharged = ({ onFailure }: PlannedRole) => onFailure?.do !== 'ignore';

/** Whether the pods of a role have been created, if these wait for other roles. */
export const isLaunched = ({ launched, launchedRoles }: JobContext, role: PlannedRole): boolean =>
  launched === true || !waitsForOthers(role) || (launchedRoles?.includes(role.name) ?? false);

/** Counts replicas that should have a pod, but have neither a pod nor a success. */
export function countMissing(context: JobContext, role: PlannedRole): number {
  if (!isLaunched(context, role)) return 0;
  const { unscheduled, scheduled, ready, failed, terminating } = digestOf(context, role);
  const present = unscheduled + scheduled + ready + failed + terminating;
  return Math.max(0, role.replicas - present - countDone(context, role));
}

export const sumOver = (context: JobContext, count: (role: RoleDigest) => number) =>
  context.plan.roles.reduce((sum, role) => sum + count(digestOf(context, role)), 0);

export const countMembers = ({ plan }: JobContext) => totalReplicas(plan.roles);

/** Returns the role of a failed pod; undefined if the job no longer has it. */
export const roleOfFailure = ({ plan }: JobContext, { role }: Pick<PodFailure, 'role'>) =>
  findRole(plan.roles, role);
