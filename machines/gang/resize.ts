import type { GangProvider } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { sumOver } from '../model/role-counts.ts';
import { amended } from './scaling.ts';

/** Their groups keep the size that they were made with. */
const FIXED: ReadonlySet<GangProvider> = new Set(['native']);

/**
 * Sizes that were asked for take effect while the job runs. A group that is then larger than the job can never be complete
 * again, so that nobody must wait in it any more.
 */
export function resized(context: JobContext): Partial<JobContext> {
  const next = amended(context);
  const { minMember } = context.plan;
  if (!next.plan || minMember === undefined || !FIXED.has(context.gang)) return next;
  const members = next.plan.roles.reduce((sum, { replicas }) => sum + replicas, 0);
  const dissolved = context.dissolved || members < minMember || undefined;
  const waitsInGang = sumOver(context, ({ unplaced }) => unplaced) > 0;
  const leftGang = context.leftGang || (dissolved && !waitsInGang) || undefined;
  return { ...next, plan: { ...next.plan, minMember }, dissolved, leftGang };
}
