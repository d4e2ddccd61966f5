import type { PodFailure } from '../../contracts/digest.ts';
import { roleKey } from '../../contracts/roles.ts';
import type { JobContext } from '../model/job-context.ts';
import { countMissing, isDone } from '../model/role-counts.ts';

/**
 * Returns how missing pods ended, as far as the watcher saw it. Excess pods, and replicas that succeeded before, are
 * not missing.
 */
export function findVanished(context: JobContext): readonly PodFailure[] {
  const vanished = context.digest?.vanished ?? [];
  if (vanished.length === 0) return vanished;
  return context.plan.roles.flatMap((role) => {
    const isMissed = (failure: PodFailure) =>
      failure.role === roleKey(role.name) &&
      failure.index < role.replicas &&
      !isDone(context, role, failure.index);
    return vanished.filter(isMissed).slice(0, countMissing(context, role));
  });
}
