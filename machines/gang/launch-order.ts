import { waitsForOthers } from '../../contracts/roles.ts';
import type { PlannedRole } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { countDone, digestOf } from '../model/role-counts.ts';

/** Returns the roles whose pods are created only when other roles are ready. */
export const laterRoles = ({ plan }: JobContext): readonly PlannedRole[] => plan.roles.filter(waitsForOthers);

/** Returns the roles whose pods should exist now; undefined if that is all of them. */
export function presentRoles(context: JobContext): readonly string[] | undefined {
  if (context.launched || laterRoles(context).length === 0) return undefined;
  return context.plan.roles.filter((role) => !waitsForOthers(role)).map(({ name }) => name);
}

/** Whether everything that held roles wait for is ready. */
export function canLaunch(context: JobContext): boolean {
  const held = laterRoles(context);
  if (context.launched || held.length === 0) return false;
  const awaited = new Set(held.flatMap(({ after = [] }) => after));
  return context.plan.roles.filter(({ name }) => awaited.has(name)).every((role) => isReady(context, role));
}

const isReady = (context: JobContext, role: PlannedRole) =>
  digestOf(context, role).ready + countDone(context, role) >= role.replicas;
