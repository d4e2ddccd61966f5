import { waitsForOthers } from '../../contracts/roles.ts';
import type { PlannedRole } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { countDone, digestOf, isLaunched } from '../model/role-counts.ts';

/** Returns the roles whose pods wait for other roles, and do not exist yet. */
export const heldRoles = (context: JobContext): readonly PlannedRole[] =>
  context.plan.roles.filter((role) => !isLaunched(context, role));

/** Returns the roles whose pods should exist now; undefined if that is all of them. */
export function presentRoles(context: JobContext): readonly string[] | undefined {
  if (heldRoles(context).length === 0) return undefined;
  return context.plan.roles.filter((role) => isLaunched(context, role)).map(({ name }) => name);
}

/** Returns the held roles that wait for nothing any more. */
export function launchableRoles(context: JobContext): readonly string[] {
  const { roles } = context.plan;
  const isAwaited = (awaited: string, { afterEnd = [] }: PlannedRole) => {
    const role = roles.find(({ name }) => name === awaited)!;
    return afterEnd.includes(awaited) ? hasEnded(context, role) : isReady(context, role);
  };
  return heldRoles(context)
    .filter((role) => {
      const { after = [], afterAny } = role;
      const isThere = (name: string) => isAwaited(name, role);
      return afterAny ? after.some(isThere) : after.every(isThere);
    })
    .map(({ name }) => name);
}

const hasEnded = (context: JobContext, role: PlannedRole): boolean =>
  countDone(context, role) >= (role.enough ?? role.replicas);

/** A job that was launching before this was recorded has two stages: all roles are there then. */
export function withLaunched(context: JobContext): Partial<JobContext> {
  const { launching, launched: _, ...others } = context;
  if (!launching) return { launched: true };
  const launchedRoles = [...(context.launchedRoles ?? []), ...launching];
  const isWhole = heldRoles({ ...others, launchedRoles }).length === 0;
  return {
    launching: undefined,
    ...(isWhole ? { launched: true, launchedRoles: undefined } : { launchedRoles }),
  };
}

function isReady(context: JobContext, role: PlannedRole): boolean {
  if (waitsForOthers(role) && !isLaunched(context, role)) return false;
  return digestOf(context, role).ready + countDone(context, role) >= (role.enough ?? role.replicas);
}
