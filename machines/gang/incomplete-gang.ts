import { gangTraits } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { countDone, sumOver } from '../model/role-counts.ts';
import { hasIgnored } from '../restart/restart-policy.ts';
import { isHeldByGate } from './lift.ts';

/**
 * Whether members wait for a gang that can never be complete: others have succeeded or failed for good and the
 * scheduler counts only live pods, or the group was created larger than the job is now. Such pods must be recreated
 * outside the gang. Afterwards no pod waits in it.
 */
export function isWaitingInBrokenGang(context: JobContext): boolean {
  const { plan, gang, isOutsideGang, groupSize = plan.minMember } = context;
  if (isOutsideGang || groupSize === undefined || !gangTraits(gang).countsOnlyLive) return false;
  const waiting = sumOver(context, ({ unscheduled }) => unscheduled);
  const living = sumOver(context, ({ unscheduled, scheduled, ready }) => unscheduled + scheduled + ready);
  return waiting > 0 && living < groupSize && isGangBroken(context);
}

/** Whether new pods are scheduled outside the gang. */
export const isGangBroken = (context: JobContext): boolean =>
  context.isGangBroken === true || hasAnySucceeded(context) || hasIgnored(context);

/** Whether new pods are members of the gang. One without a group is a gang until its gates are lifted. */
export function joinsGang(context: JobContext): boolean {
  const { isGated, groups } = gangTraits(context.gang);
  return isGated && !groups ? isHeldByGate(context) : !isGangBroken(context);
}

const hasAnySucceeded = (context: JobContext) =>
  context.plan.roles.some((role) => countDone(context, role) > 0);
