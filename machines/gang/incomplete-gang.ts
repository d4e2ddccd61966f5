import type { GangProvider } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { countDone, sumOver } from '../model/role-counts.ts';
import { hasIgnored } from '../restart/restart-policy.ts';

/** Schedulers that count only live pods as members. */
const COUNT_LIVE_PODS: ReadonlySet<GangProvider> = new Set(['native', 'coscheduling']);

/**
 * Whether members wait for a gang that can never be complete: others have succeeded or failed for good and the
 * scheduler counts only live pods, or the group was created larger than the job is now. Such pods must be recreated
 * outside the gang. Afterwards no pod waits in it.
 */
export function isWaitingInBrokenGang(context: JobContext): boolean {
  const { plan, gang, isOutsideGang, groupSize = plan.minMember } = context;
  if (isOutsideGang || groupSize === undefined || !COUNT_LIVE_PODS.has(gang)) return false;
  const waiting = sumOver(context, ({ unscheduled }) => unscheduled);
  const living = sumOver(context, ({ unscheduled, scheduled, ready }) => unscheduled + scheduled + ready);
  return waiting > 0 && living < groupSize && isGangBroken(context);
}

/** Whether new pods are scheduled outside the gang. */
export const isGangBroken = (context: JobContext): boolean =>
  context.isGangBroken === true || hasAnySucceeded(context) || hasIgnored(context);

/** Whether new pods are members of the gang. Once gates were lifted, pods that replace others are placed on their own. */
export const joinsGang = (context: JobContext): boolean =>
  context.gang === 'gated' ? context.lift === undefined : !isGangBroken(context);

const hasAnySucceeded = (context: JobContext) =>
  context.plan.roles.some((role) => countDone(context, role) > 0);
