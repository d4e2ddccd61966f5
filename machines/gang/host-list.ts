import type { JobContext } from '../model/job-context.ts';
import { countMissing, digestOf } from '../model/role-counts.ts';

/** Returns the hash of the job's host list if the list is complete and differs from the one published last. */
export function hostListToPublish(context: JobContext): string | undefined {
  const { plan, digest, minResourceVersion } = context;
  if (!plan.hostList || !digest?.hostList || digest.resourceVersions.pods < minResourceVersion)
    return undefined;
  const { pods, hash } = digest.hostList;
  return hash !== context.publishedHostList && pods >= expectedPods(context) ? hash : undefined;
}

/**
 * Counts the pods of a complete list: all pods, or those that can still become ready. Missing pods count, so the list
 * is incomplete without them.
 */
function expectedPods(context: JobContext): number {
  const { when, roles } = context.plan.hostList!;
  return context.plan.roles
    .filter(({ name }) => roles.includes(name))
    .reduce((sum, role) => {
      const { unscheduled, scheduled, ready, terminating, failed, succeeded } = digestOf(context, role);
      const alive = unscheduled + scheduled + ready + terminating + countMissing(context, role);
      return sum + alive + (when === 'addressed' ? failed + succeeded : 0);
    }, 0);
}
