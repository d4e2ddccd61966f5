import type { GangProvider } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { countDone, sumOver } from '../model/role-counts.ts';
import { hasIgnored } from '../restart/restart-policy.ts';

/** Schedulers for which a member that has ended is no member any more. */
const COUNT_LIVE_PODS: ReadonlySet<GangProvider> = new Set(['native', 'coscheduling']);

/**
 * Members wait for a gang that can never be complete again: others have succeeded, or failed for good, and the scheduler
 * counts only those that live; or it was made larger than the job is now. Whoever waits has to be placed by itself; once
 * that was done there is nobody in the gang left who waits.
 */
export function isWaitingInBrokenGang(context: JobContext): boolean {
  const { plan, gang, isOutsideGang } = context;
  if (isOutsideGang || plan.minMember === undefined || !COUNT_LIVE_PODS.has(gang)) return false;
  const waiting = sumOver(context, ({ unscheduled }) => unscheduled);
  const living = sumOver(context, ({ unscheduled, scheduled, ready }) => unscheduled + scheduled + ready);
  return waiting > 0 && living < plan.minMember && isGangBroken(context);
}

/** Whoever is made from now on is placed by itself. */
export const isGangBroken = (context: JobContext): boolean =>
  context.isGangBroken === true || hasAnySucceeded(context) || hasIgnored(context);

const hasAnySucceeded = (context: JobContext) =>
  context.plan.roles.some((role) => countDone(context, role) > 0);
