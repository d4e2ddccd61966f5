import { totalReplicas } from '../../contracts/roles.ts';
import { gangTraits } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { sumOver } from '../model/role-counts.ts';
import { withAmendedPlan } from './scaling.ts';

/**
 * Applies requested sizes while the job runs. A group that is then larger than the job can never be complete again, so
 * no pod may wait in it.
 */
export function withNewSizes(context: JobContext): Partial<JobContext> {
  const next = withAmendedPlan(context);
  const size = context.groupSize ?? context.plan.minMember;
  if (!next.plan || size === undefined || !gangTraits(context.gang).keepsGroupSize) return next;
  const members = totalReplicas(next.plan.roles);
  const isGangBroken = context.isGangBroken || members < size || undefined;
  const waitsInGang = sumOver(context, ({ unscheduled }) => unscheduled) > 0;
  const isOutsideGang = context.isOutsideGang || (isGangBroken && !waitsInGang) || undefined;
  return { ...next, groupSize: size, isGangBroken, isOutsideGang };
}
