import type { GangProvider } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { sumOver } from '../model/role-counts.ts';
import { withAmendedPlan } from './scaling.ts';

/** Their groups keep the size that they were made with. */
const FIXED: ReadonlySet<GangProvider> = new Set(['native']);

/**
 * Sizes that were asked for take effect while the job runs. A group that is then larger than the job can never be complete
 * again, so that nobody must wait in it any more.
 */
export function withNewSizes(context: JobContext): Partial<JobContext> {
  const next = withAmendedPlan(context);
  const { minMember } = context.plan;
  if (!next.plan || minMember === undefined || !FIXED.has(context.gang)) return next;
  const members = next.plan.roles.reduce((sum, { replicas }) => sum + replicas, 0);
  const isGangBroken = context.isGangBroken || members < minMember || undefined;
  const waitsInGang = sumOver(context, ({ unscheduled }) => unscheduled) > 0;
  const isOutsideGang = context.isOutsideGang || (isGangBroken && !waitsInGang) || undefined;
  return { ...next, plan: { ...next.plan, minMember }, isGangBroken, isOutsideGang };
}
