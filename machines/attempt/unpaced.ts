import { roleKey } from '../../contracts/roles.ts';
import { findVanished } from '../failures/vanished.ts';
import { isWaitingInBrokenGang } from '../gang/incomplete-gang.ts';
import type { JobContext } from '../model/job-context.ts';
import type { Restart, UnpacedRestart } from '../model/restart.ts';
import { countMissing } from '../model/role-counts.ts';
import { hasOutlivedAvoidance } from '../nodes/node-avoidance.ts';
import { nextBackOff } from '../restart/back-off.ts';

/** Causes that are remembered; with more, each replacement counts as repeated. */
const MOST_CAUSES = 50;

/**
 * Returns when pods may be replaced that did not fail: at once, but after a growing pause if one of the causes has led to
 * such a replacement before and the job has not run since. A cause that a replacement does not remove, e.g. a label that
 * others write, or a user who deletes each new pod, would otherwise replace pods as fast as they are created.
 */
export function nextUnpaced(context: JobContext, restart: Restart, at: number): UnpacedRestart {
  const { unpaced } = context;
  const known = unpaced?.causes ?? [];
  const causes = causesOf(context, restart);
  const isRepeated = known.length >= MOST_CAUSES || causes.some((cause) => known.includes(cause));
  const all = [...new Set([...known, ...causes])].slice(0, MOST_CAUSES);
  return { ...nextBackOff(isRepeated ? unpaced : undefined, at), causes: all };
}

/** A pod that was deleted is named: the next one of its name has another uid. */
function causesOf(context: JobContext, { replace }: Restart): string[] {
  const missing = context.plan.roles.flatMap((role) => {
    const count = countMissing(context, role);
    return count > 0 ? [`${roleKey(role.name)}: ${count}`] : [];
  });
  const vanished = findVanished(context);
  const gone = [...vanished, ...replace].map(({ pod }) => pod);
  return [
    ...(hasOutlivedAvoidance(context) ? ['avoidance'] : []),
    ...(isWaitingInBrokenGang(context) ? ['gang'] : []),
    // Whose names are known are missing by their names.
    ...(vanished.length > 0 ? [] : missing),
    ...gone,
  ];
}
