import { roleKey } from '../../contracts/roles.ts';
import { findVanished } from '../failures/vanished.ts';
import { isWaitingInBrokenGang } from '../gang/incomplete-gang.ts';
import type { JobContext } from '../model/job-context.ts';
import type { Restart, UnpacedRestart } from '../model/restart.ts';
import { countMissing } from '../model/role-counts.ts';
import { hasOutlivedAvoidance } from '../nodes/node-avoidance.ts';
import { nextBackOff } from '../restart/back-off.ts';

/**
 * Returns when pods may be replaced that did not fail: at once, but after a growing pause if the last such replacement
 * had the same cause and the job has not run since. A cause that a replacement does not remove, e.g. a label that somebody else writes, would
 * otherwise replace pods as fast as they are created.
 */
export function nextUnpaced(context: JobContext, restart: Restart, at: number): UnpacedRestart {
  const cause = causeOf(context, restart);
  const last = context.unpaced?.cause === cause ? context.unpaced : undefined;
  return { ...nextBackOff(last, at), cause };
}

/** Pods that were deleted have other uids each time. */
function causeOf(context: JobContext, { replace }: Restart): string {
  const missing = context.plan.roles.flatMap((role) => {
    const count = countMissing(context, role);
    return count > 0 ? [`${roleKey(role.name)}: ${count}`] : [];
  });
  const gone = [...findVanished(context), ...replace].map(({ uid }) => uid);
  return [
    ...(hasOutlivedAvoidance(context) ? ['avoidance'] : []),
    ...(isWaitingInBrokenGang(context) ? ['gang'] : []),
    ...missing,
    ...gone,
  ].join(', ');
}
