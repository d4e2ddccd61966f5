import type { RoleDigest } from '../../contracts/digest.ts';
import { roleKey } from '../../contracts/roles.ts';
import { spareRoleOf } from '../../contracts/spares.ts';
import type { PlannedRole } from '../../contracts/training-job.ts';
import { ownValue } from '../../language/fields.ts';
import type { JobContext, PlacedTimes } from './job-context.ts';
import { jobPolicy } from './policy.ts';
import { digestOf } from './role-counts.ts';

/** Returns these times at the next step, by role in lower case: until then the pods are as the last digest has them. */
export function placedUntil(context: JobContext, at: number): JobContext['placed'] {
  const ms = Math.max(0, at - context.at);
  const placed = context.plan.roles.flatMap((role) => {
    const pods = onNodes(digestOf(context, role)) * ms;
    const spares = sparesOf(context, role) * ms;
    const before = placedOf(context, role);
    const times = { pods: before.pods + pods, spares: before.spares + spares };
    return times.pods + times.spares > 0 ? [[roleKey(role.name), times] as const] : [];
  });
  return placed.length > 0 ? Object.fromEntries(placed) : undefined;
}

export const placedOf = ({ placed = {} }: JobContext, { name }: Pick<PlannedRole, 'name'>): PlacedTimes =>
  ownValue(placed, roleKey(name)) ?? NONE;

const NONE: PlacedTimes = { pods: 0, spares: 0 };

/** A pod that is being deleted keeps its devices until it is gone; one that has ended has none. */
export const onNodes = ({ scheduled, ready, terminating }: RoleDigest): number =>
  scheduled + ready + terminating;

function sparesOf(context: JobContext, { name }: PlannedRole): number {
  const { spares: rules } = jobPolicy(context);
  const { spares = [] } = context.digest ?? {};
  if (!rules || spares.length === 0 || spareRoleOf(context.plan.roles, rules)?.name !== name) return 0;
  return spares.filter(({ node, state }) => node !== undefined && state !== 'ended').length;
}
